"""One training loop, durable checkpoints, recipes, and the same run on many processes."""

from course_utils.training.history import History
from course_utils.training.loop import fit
from course_utils.training.losses import Loss, StreamLoss, mean_stream_loss
from course_utils.training.resume.checkpoints import (
    CheckpointError,
    load_checkpoint,
    save_checkpoint,
)
from course_utils.training.schedules import constant, warmup_cosine
from course_utils.training.step import Diverged

__all__ = [
    "CheckpointError",
    "Diverged",
    "History",
    "Loss",
    "StreamLoss",
    "constant",
    "fit",
    "load_checkpoint",
    "mean_stream_loss",
    "save_checkpoint",
    "warmup_cosine",
]
