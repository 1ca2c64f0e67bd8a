"""What the recipes for language models share: a text cut into lanes, judged on one held out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from torch import Tensor

from course_utils.data.streams import Stream
from course_utils.data.vocabulary import Vocabulary
from course_utils.models.language.recurrent import RecurrentLM
from course_utils.shipped import build_model
from course_utils.training.losses import mean_stream_loss
from course_utils.training.recipes.recipe import Config, Plan
from course_utils.training.schedules import warmup_cosine

HELD_OUT_LANES = 20


@dataclass(frozen=True)
class StreamConfig(Config):
    """A recurrent language model and the stream that it reads."""

    cell: str = "lstm"
    width: int = 128
    hidden: int = 128
    layers: int = 1
    dropout: float = 0.0
    tied: bool = False
    batch: int = 32
    piece: int = 35  # steps that gradients reach back
    judged_on: int = 100_000  # tokens of each held-out text, from its start


def text_plan(
    config: StreamConfig,
    vocabulary: Vocabulary,
    texts: Sequence[Tensor],
    kind: str = "recurrent_lm",
) -> Plan:
    """Return the plan for reading encoded texts: to train on, to choose by, to report on."""
    keep = {"V": len(vocabulary), "tokens": vocabulary.tokens}
    train, valid, test = texts
    return stream_plan(config, keep, train, valid, test, warmup=100, kind=kind)


def stream_plan(
    config: StreamConfig,
    keep: dict[str, object],
    train: Tensor,
    valid: Tensor,
    test: Tensor,
    warmup: int = 0,
    kind: str = "recurrent_lm",
) -> Plan:
    """Return the plan for reading `train`, stopping by `valid`, and reporting on `test`."""

    def held_out(tokens: Tensor, model: RecurrentLM) -> float:
        judged = tokens[: config.judged_on]
        return mean_stream_loss(model, Stream(judged, HELD_OUT_LANES, config.piece))

    def measure(model: RecurrentLM) -> dict[str, float]:
        nats = held_out(test, model)
        return {"test_perplexity": math.exp(nats), "test_bits": nats / math.log(2)}

    return Plan(
        build_model(kind, asdict(config), keep),
        Stream(train, config.batch, config.piece),
        evaluate=lambda model: held_out(valid, model),
        measure=measure,
        schedule=warmup_cosine(config.steps, min(warmup, config.steps - 1), floor=0.05),
        keep=keep,
    )
