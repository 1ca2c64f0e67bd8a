"""Let the biLM read film reviews without their labels, then ask what that is worth."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import torch
from torch import Tensor

from course_utils.data.both_directions import TwoWayStream
from course_utils.data.vocabulary import Vocabulary
from course_utils.models.elmo import BOS, EOS, BiLanguageModel
from course_utils.models.elmo.batch import frame
from course_utils.models.elmo.language import Dropout, in_order
from course_utils.models.elmo.state import zero_state
from course_utils.settings import SEED
from course_utils.training.cookbook.elmo import ElmoConfig, TwoWayLoss
from course_utils.training.loop import fit
from course_utils.training.race.using_elmo import tasks
from course_utils.training.race.using_elmo.labelled import task_of
from course_utils.training.race.using_elmo.sources import language_model
from course_utils.training.race.using_elmo.variants import stored_layers
from course_utils.training.schedules import warmup_cosine

DOMAIN = "sentence_polarity"
LANES, PIECE, RATE = 32, 30, 1e-3
READ = 1600  # reviews that are read, once; the task's labels are not among what is read
TESTED = 150  # sentences whose perplexity is reported


def adapted(steps: int | None = None) -> BiLanguageModel:
    """Return the biLM after it has read a part of the training reviews once."""
    reviews, model = task_of(DOMAIN).train[:READ], _copy(language_model())
    counts = Counter(word for example in reviews for word in example.words)
    counts[BOS] = counts[EOS] = len(reviews)
    types = Vocabulary(list(counts), unknown=None)
    texts = [types.encode(in_order([example.words], 0)) for example in reviews]
    begin, end = types.number[BOS], types.number[EOS]
    stream = TwoWayStream(texts, begin, end, LANES, PIECE, SEED)
    steps = steps or stream.pieces
    options = model.bilm.options
    config = ElmoConfig(steps=steps, full=1.0, words=len(model.words), filters=options.filters,
                        projection=options.projection, cells=options.cells)  # fmt: skip
    loss = TwoWayLoss(config, types.tokens, Vocabulary(model.words), counts)
    torch.manual_seed(SEED)
    fit(
        model.requires_grad_(),
        stream,
        loss,
        steps=steps,
        optimizer=torch.optim.Adam(model.parameters(), lr=RATE),
        schedule=warmup_cosine(steps, warmup=steps // 10),
        device="cpu",
        progress=False,
        label="reviews",
    )
    return model.requires_grad_(False).eval()


def perplexity_rows(model: BiLanguageModel, variant: str) -> list[dict[str, object]]:
    """Return forward and backward perplexity on reviews that were not read."""
    sentences = [example.words for example in task_of(DOMAIN).test[:TESTED]]
    scores = model.perplexity([[sentence] for sentence in sentences])
    return [
        {"task": "perplexity of reviews", "size": TESTED, "variant": f"{variant} {direction}",
         "seed": 0, "score": round(score, 1)}
        for direction, score in zip(("forward", "backward"), scores, strict=True)
    ]  # fmt: skip


def nats_rows(model: BiLanguageModel, variant: str) -> list[dict[str, object]]:
    """Return where the forward model's nats go: to words that it can name, or to <unk>.

    A row is a sum over the same reviews; the rows named *asked* count the questions.
    """
    sentences = [example.words for example in task_of(DOMAIN).test[:TESTED]]
    nats, counts = {"known": 0.0, "unknown": 0.0}, {"known": 0, "unknown": 0}
    for sentence in sentences:
        for word, own in zip(sentence, nats_of(model, sentence), strict=True):
            kind = "known" if word in model.number else "unknown"
            nats[kind] += own
            counts[kind] += 1
    told = [*nats.items(), *((f"{kind} asked", count) for kind, count in counts.items())]
    return [
        {"task": "nats of reviews", "size": TESTED, "variant": f"{variant} {name}", "seed": 0,
         "score": round(value, 1)}
        for name, value in told
    ]  # fmt: skip


@torch.no_grad()
def nats_of(model: BiLanguageModel, sentence: list[str]) -> list[float]:
    """Return -log p of every word of one sentence, given those before it."""
    options = model.bilm.options
    start = zero_state(options, 1, model.softmax.weight)
    layers, _ = model.bilm.read(frame([sentence]), start)
    before = layers[-1, :-2, 0, : options.projection]  # (T, P), the output before each word
    scores = torch.log_softmax(model.softmax(before), dim=1)
    wanted = model.numbers(sentence)
    found: list[float] = (-scores[torch.arange(len(sentence)), wanted]).tolist()
    return found


def run_adapted(
    size: int, seed: int, model: BiLanguageModel, steps: int | None = None
) -> dict[str, object]:
    """Return the polarity task with the vectors of an adapted biLM, frozen again."""
    stored = stored_by(model)
    row = tasks.run(DOMAIN, size, "elmo", seed, steps, lambda source: stored)
    return {**row, "variant": "elmo, adapted"}


@lru_cache(maxsize=1)
def stored_by(model: BiLanguageModel) -> tuple[list[Tensor], list[Tensor]]:
    """Return the layers of all reviews."""
    return stored_layers(DOMAIN, model.bilm.packed())


def _copy(model: BiLanguageModel) -> BiLanguageModel:
    drop = Dropout(words=0.1, layers=0.15, recurrent=0.1)
    copy = BiLanguageModel(model.bilm.options, model.words, drop)
    copy.load_state_dict(model.state_dict())
    return copy
