"""What do the two directions of a biLM gain or lose by sharing their letters and their softmax?

Small models of one recipe in three forms, several seeds each: both parts shared as in ELMo, the
letters alone shared, nothing shared. A direction's LSTMs are its own in each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_utils.data.both_directions import TwoWayPiece, TwoWayStream
from course_utils.data.english import Speech, english
from course_utils.data.sentences import sentences
from course_utils.data.vocabulary import Vocabulary
from course_utils.models.elmo import BOS, EOS, BiLanguageModel, Options
from course_utils.models.elmo.characters import PADDING, encode_words
from course_utils.models.elmo.fast.fused import FusedState
from course_utils.models.elmo.language import in_order
from course_utils.results.files import Row
from course_utils.settings import IGNORED, UNKNOWN, seed_everything
from course_utils.training.loop import fit
from course_utils.training.losses import Loss
from course_utils.training.race.race import Lap, Race, register
from course_utils.training.race.whole_run import whole
from course_utils.training.schedules import warmup_cosine

FORMS = ("letters and softmax", "letters", "nothing")  # what the directions share
SEEDS = (20, 21, 22, 23, 24)

Pair = tuple[BiLanguageModel, BiLanguageModel]  # whose first direction is used, whose second


@dataclass(frozen=True)
class SharingConfig:
    """A biLM that trains in minutes."""

    words: int = 2000
    projection: int = 48
    cells: int = 96
    layers: int = 2
    filters: tuple[tuple[int, int], ...] = ((1, 8), (2, 16), (3, 32), (4, 40))
    batch: int = 32
    piece: int = 20
    lr: float = 5e-3
    steps: int = 1200
    judged_on: int = 2  # held-out speeches

    @property
    def options(self) -> Options:
        """Return the sizes as the model takes them."""
        return Options(self.projection, self.cells, self.layers, self.filters)


class Texts(NamedTuple):
    """Speeches as numbers of different tokens, and what a softmax of so many words knows."""

    train: list[Tensor]
    test: list[list[list[str]]]
    types: Vocabulary
    words: Vocabulary
    frequency: Tensor  # (V,)


@cache
def texts(config: SharingConfig) -> Texts:
    """Read the speeches once; the softmax knows the most frequent words of those to train on."""
    parts = english()
    train = [_sentences(speech) for speech in parts.train]
    counts = Counter(token for text in train for sentence in text for token in sentence)
    counts[BOS] = counts[EOS] = sum(map(len, train))
    words = Vocabulary.of(counts.elements(), config.words, special=(UNKNOWN, BOS, EOS))
    types = Vocabulary(list(counts), unknown=None)
    frequency = torch.bincount(words.encode(list(counts.elements())), minlength=len(words))
    streams = [types.encode(in_order(text, 0)) for text in train]
    test = [_sentences(speech) for speech in parts.test[: config.judged_on]]
    return Texts(streams, test, types, words, frequency)


def new_pair(form: str, config: SharingConfig, words: Vocabulary, frequency: Tensor) -> Pair:
    """Return who reads forward and who reads backward, with the parts shared that `form` names."""
    if form not in FORMS:
        raise ValueError(f"directions share {', or '.join(FORMS)}, not {form!r}")
    ahead = _new(config, words, frequency)
    if form == FORMS[0]:
        return ahead, ahead
    back = _new(config, words, frequency)
    if form == FORMS[1]:
        back.bilm.encoder = ahead.bilm.encoder
    return ahead, back


@torch.no_grad()
def _new(config: SharingConfig, words: Vocabulary, frequency: Tensor) -> BiLanguageModel:
    model = BiLanguageModel(config.options, words.tokens)
    log = frequency.clamp(min=1).log()
    model.softmax.bias.copy_(log - log.mean())
    model.softmax.weight.normal_(std=0.05)
    return model


class PairLoss:
    """The mean over both directions' predictions, each by the model that reads that way."""

    def __init__(self, pair: Pair, read: Texts):
        self.pair = pair
        self.letters = encode_words(read.types.tokens, pair[0].bilm.options.max_characters)
        self.widest = max(width for width, _ in pair[0].bilm.options.filters)
        self.classes = read.words.encode(read.types.tokens)
        self.state: list[list[FusedState]] | None = None

    def __call__(self, _: nn.Module, piece: TwoWayPiece) -> Loss:
        state = self.state or [m.start(piece.ahead.shape[1])[0] for m in self.pair]
        sums, count, reached = [], 0, []
        streams = ((piece.ahead, piece.ahead_next), (piece.back, piece.back_next))
        for direction, (ids, following) in enumerate(streams):
            model = self.pair[direction]
            types, places = torch.unique(ids, return_inverse=True)
            letters = self.letters[types]  # (N, M)
            columns = int((letters != PADDING).any(0).sum()) + self.widest  # as `encode_words` says
            x = model.bilm.encoder(letters[:, :columns])[places]  # (T, B, P)
            h, last = model.read_stream(direction, x, state[direction])
            reached.append([FusedState(s.m.detach(), s.c.detach()) for s in last])
            asked = following != IGNORED
            classes = self.classes[following[asked]]
            sums.append(cross_entropy(model.softmax(h[asked]), classes, reduction="sum"))
            count += len(classes)
        self.state = reached
        return Loss(torch.stack(sums).sum() / max(count, 1), count)


def run_form(form: str, seed: int, steps: int | None, device: str | None) -> list[Row]:
    """Train one pair; return its perplexity in both directions and how many numbers it holds."""
    config = SharingConfig()
    steps = steps or config.steps
    read = texts(config)
    seed_everything(seed)
    pair = new_pair(form, config, read.words, read.frequency)
    begin, end = (read.types.number[mark] for mark in (BOS, EOS))
    history = fit(
        nn.ModuleList(dict.fromkeys(pair)),
        TwoWayStream(read.train, begin, end, config.batch, config.piece, seed),
        PairLoss(pair, read),
        steps=steps,
        optimizer=torch.optim.Adam(_trained(pair), lr=config.lr),
        schedule=warmup_cosine(steps, min(50, steps - 1), floor=0.05),
        clip=0.5,
        device="cpu",
        label=f"{form}, seed {seed}",
    )
    whole(history)
    ahead, back = (m.eval().perplexity(read.test)[d] for d, m in enumerate(pair))
    return [{
        "steps": steps, "forward": round(ahead, 2), "backward": round(back, 2),
        "parameters": sum(p.numel() for p in _trained(pair)),
    }]  # fmt: skip


def _trained(pair: Pair) -> list[nn.Parameter]:
    """Return what learns: of each model its letters, its softmax and its own direction."""
    parts = [
        part
        for direction, m in enumerate(pair)
        for part in (m.bilm.encoder, m.bilm.directions[direction], m.softmax)
    ]
    return list(dict.fromkeys(p for part in parts for p in part.parameters()))


def _sentences(speech: Speech) -> list[list[str]]:
    return sentences(speech.text)


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield every form, seed after seed."""
    for seed, form in product(SEEDS, FORMS):
        yield Lap({"shared": form, "seed": seed}, partial(run_form, form, seed, steps, device))


def said(row: Row) -> str:
    """Say what one run reached."""
    name = f"{row['shared']}, seed {row['seed']}"
    return f"{name}: {row['forward']} forward, {row['backward']} backward"


RACE = register(
    Race(
        "elmo_sharing",
        "biLMs whose directions share letters and softmax, or not, lecture 09",
        laps,
        said,
    )
)
