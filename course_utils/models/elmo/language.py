"""The language model behind ELMo: two directions, one softmax for both."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from course_utils.models.elmo.batch import frame, framed, token_lists
from course_utils.models.elmo.bilm import BiLM, read_pretrained
from course_utils.models.elmo.characters import BOS, EOS
from course_utils.models.elmo.fast.encoder import PackedEncoder
from course_utils.models.elmo.fast.fused import FusedState, fused_lstm
from course_utils.models.elmo.options import Options
from course_utils.models.elmo.state import zero_state
from course_utils.models.quiet import quiet
from course_utils.settings import IGNORED, UNKNOWN

READ_AT_ONCE = 100  # steps of held-out text


class Guess(NamedTuple):
    """What one direction predicts at one position: the likeliest words and their probabilities."""

    words: list[str]
    probabilities: list[float]


class Guesses(NamedTuple):
    """Both directions' guesses for one token, each made without seeing it."""

    token: str
    forward: Guess
    backward: Guess


class Dropout(NamedTuple):
    """Dropout rates for training."""

    words: float = 0.0  # of each lane's token vectors, the same features for the whole piece
    layers: float = 0.0  # of each layer's output, likewise
    recurrent: float = 0.0  # of the recurrent weights


class BiLanguageModel(nn.Module):
    """A BiLM with the softmax that it was trained with."""

    def __init__(self, options: Options, words: Sequence[str], drop: Dropout | None = None):
        super().__init__()
        self.bilm = BiLM(options)
        self.words = list(words)
        self.number = {word: n for n, word in enumerate(self.words)}
        self.softmax = nn.Linear(options.projection, len(self.words))  # both directions use it
        self.drop = drop or Dropout()
        missing = {BOS, EOS, UNKNOWN} - set(self.words)
        if missing:
            raise ValueError(f"the words to predict lack {', '.join(sorted(missing))}")

    @classmethod
    def from_pretrained(cls, name: str = "small") -> BiLanguageModel:
        """Return a model that comes with the course, its softmax included."""
        options, words, weights = read_pretrained(name)
        model = cls(options, words)
        model.load_state_dict(weights)
        return model.requires_grad_(False).eval()

    def numbers(self, tokens: Sequence[str]) -> Tensor:
        """Return each token's place in the softmax."""
        other = self.number[UNKNOWN]
        return torch.tensor([self.number.get(token, other) for token in tokens])

    def start(self, rows: int) -> list[list[FusedState]]:
        """Return the state of streams before their first token, for `read_stream`."""
        zero = self.softmax.weight.new_zeros(rows, self.bilm.options.cells)
        return [[FusedState(zero, zero) for _ in stack] for stack in self.bilm.directions]

    def read_stream(
        self, direction: int, x: Tensor, state: list[FusedState]
    ) -> tuple[Tensor, list[FusedState]]:
        """Read token vectors (T, B, P) in the direction's own order; return its top layer."""
        p = self.drop if self.training else Dropout()
        x, reached = lane_dropout(x, p.words), []
        for level, lstm in enumerate(self.bilm.directions[direction]):
            y, last = fused_lstm(lstm, x, state[level], p.recurrent)
            y = lane_dropout(y, p.layers)
            x = y + x if level and self.bilm.options.residual else y
            reached.append(last)
        return x, reached

    @torch.no_grad()
    def guesses(self, tokens: Sequence[str], top: int = 5) -> list[Guesses]:
        """Return for each token the predictions from the words before it, and from those after."""
        (words,) = token_lists([tokens])
        P = self.bilm.options.projection
        start = zero_state(self.bilm.options, 1, self.softmax.weight)
        layers, _ = self.bilm.read(frame([words]), start)
        ahead = self._guess(layers[-1, :-2, 0, :P], top)  # the output before each token
        back = self._guess(layers[-1, 2:, 0, P:], top)  # the output after it
        return [Guesses(*three) for three in zip(words, ahead, back, strict=True)]

    def _guess(self, h: Tensor, top: int) -> list[Guess]:
        best = torch.softmax(self.softmax(h), dim=-1).topk(min(top, len(self.words)))
        return [
            Guess([self.words[n] for n in numbers], shares)
            for numbers, shares in zip(best.indices.tolist(), best.values.tolist(), strict=True)
        ]

    def perplexity(self, texts: Sequence[Sequence[Sequence[str]]]) -> tuple[float, float]:
        """Return forward and backward perplexity of texts, each a list of sentences.

        Every token and every sentence's far boundary is predicted, with the full softmax, from
        what the direction has read of the text so far. A word outside the list counts as <unk>.
        """
        read = [text for text in map(token_lists, texts) if text]
        if not read:
            raise ValueError(
                "there is no sentence to predict: give texts, each a list of sentences"
            )
        with quiet(self):
            ahead, back = (
                self._nats(direction, [in_order(text, direction) for text in read])
                for direction in (0, 1)
            )
        return math.exp(ahead), math.exp(back)

    def _nats(self, direction: int, streams: list[list[str]]) -> float:
        types = {token: n for n, token in enumerate(dict.fromkeys(t for s in streams for t in s))}
        device = self.softmax.weight.device
        vectors = PackedEncoder.of(self.bilm.encoder).encode(list(types))  # (N, P)
        classes = self.numbers(list(types)).to(device)
        far = EOS if direction == 0 else BOS
        classes[types[BOS if far == EOS else EOS]] = (
            IGNORED  # nobody is asked whether a sentence begins
        )
        ids = nn.utils.rnn.pad_sequence(
            [torch.tensor([types[t] for t in stream], device=device) for stream in streams],
            padding_value=-1,
        )  # (T, B)
        state, total, count = self.start(len(streams))[direction], 0.0, 0
        for first in range(0, len(ids) - 1, READ_AT_ONCE):
            now, following = ids[first : first + READ_AT_ONCE], ids[first + 1 :][:READ_AT_ONCE]
            now = now[: len(following)]
            h, state = self.read_stream(direction, vectors[now.clamp(min=0)], state)
            targets = torch.where(following < 0, IGNORED, classes[following.clamp(min=0)])
            asked = targets != IGNORED
            logits = self.softmax(h[asked])
            total += cross_entropy(logits, targets[asked], reduction="sum").item()
            count += int(asked.sum())
        return total / count


def in_order(text: Sequence[Sequence[str]], direction: int) -> list[str]:
    """Return a text as one direction reads it: sentences in order, each reversed for backward.

    So a stream's state after one sentence starts the next, exactly as `BiLM` carries it.
    """
    step = 1 if direction == 0 else -1
    return [token for sentence in text for token in framed(sentence)[::step]]


def lane_dropout(x: Tensor, p: float) -> Tensor:
    """Drop the same features of a lane at every step (Gal and Ghahramani 2016)."""
    if not p:
        return x
    return x * (torch.rand_like(x[:1]) >= p) / (1 - p)
