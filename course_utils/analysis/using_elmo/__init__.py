"""What ELMo gives to a task, and what its layers know."""

from course_utils.analysis.using_elmo.paper import SIX_TASKS, PaperTask
from course_utils.analysis.using_elmo.probes import (
    LineReads,
    chosen_mixes,
    probe_layers,
    speech_sentences,
)
from course_utils.analysis.using_elmo.spaces import (
    SenseSpace,
    WordRights,
    speeches_index,
    window_vectors,
    words_right,
)
from course_utils.analysis.using_elmo.views import GapScores, gap_scores

__all__ = [
    "SIX_TASKS",
    "GapScores",
    "LineReads",
    "PaperTask",
    "SenseSpace",
    "WordRights",
    "chosen_mixes",
    "gap_scores",
    "probe_layers",
    "speech_sentences",
    "speeches_index",
    "window_vectors",
    "words_right",
]
