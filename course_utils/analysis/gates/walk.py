"""Read a sentence with a recurrent language model and keep every number of every gate."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch

from course_utils.data.tokens import GLUE, tokenize
from course_utils.data.vocabulary import Vocabulary
from course_utils.models import RecurrentLM
from course_utils.models.steps import Weights

MOST_TOKENS = 30
GATES = {"lstm": "ifgo", "gru": "rzn"}  # PyTorch's order of the rows
STATES = {"lstm": "ch", "gru": "h"}


class Sums(NamedTuple):
    """The parts of a gate's sum, before the squashing function."""

    from_word: np.ndarray  # (T, H): W x_t
    from_state: np.ndarray  # (T, H): U h_{t-1}
    bias: np.ndarray  # (H,): both of PyTorch's; of a GRU's candidate only the one beside W
    inner_bias: np.ndarray  # (H,): the one beside U where the reset gate acts on it, else 0


class Walk(NamedTuple):
    """All that happened while one sentence was read."""

    kind: str
    words: tuple[str, ...]
    unknown: tuple[bool, ...]
    values: dict[str, np.ndarray]  # gate or state -> (T, H)
    sums: dict[str, Sums]
    left_out: int  # tokens after the last that is read


def typed_tokens(text: str) -> list[str]:
    """Return the tokens of a typed line, in which a pilcrow stands for a new paragraph."""
    tokens = tokenize(text.strip().replace("¶", "\n\n"))
    return ["\n\n" if "\n" in token else token for token in tokens if token != GLUE and
            (token.strip() or "\n" in token)]  # fmt: skip


def walk_through(model: RecurrentLM, text: str, most: int = MOST_TOKENS) -> Walk:
    """Read a text from a state of zeros; what comes after `most` tokens is left out.

    The model's vocabulary must have an unknown word.
    """
    tokens, vocabulary, layer = typed_tokens(text), model.vocabulary, model.recurrent
    if not tokens:
        raise ValueError("there is no word to read: type a sentence, or choose one from the list")
    if not isinstance(vocabulary, Vocabulary):
        raise TypeError("this model knows its tokens by number only: build it with a Vocabulary")
    words, left_out = tokens[:most], max(0, len(tokens) - most)
    unknown = tuple(word not in vocabulary for word in words)
    with torch.no_grad():
        x = model.embedding(vocabulary.encode(words))  # (T, D)
        steps = layer.trace(x)[0]
        kind = layer.mode.lower()
        names = GATES[kind] + STATES[kind]
        values = {name: getattr(steps, name).double().numpy() for name in names}
        sums = _sums(kind, x, steps.h, layer.weights())
    return Walk(kind, tuple(words), unknown, values, sums, left_out)


def _sums(kind: str, x: torch.Tensor, h: torch.Tensor, weights: Weights) -> dict[str, Sums]:
    W, U, b, b_U = (part.double() for part in weights if part is not None)
    before = torch.cat([torch.zeros_like(h[:1]), h[:-1]]).double()  # (T, H): h_{t-1}
    names = GATES[kind]
    parts = (x.double() @ W.T, before @ U.T, b, b_U)
    found = {}
    for name, *chunks in zip(names, *(part.chunk(len(names), dim=-1) for part in parts),
                             strict=True):  # fmt: skip
        from_word, from_state, bias, inner = (chunk.numpy() for chunk in chunks)
        found[name] = (
            Sums(from_word, from_state, bias, inner)
            if name == "n"
            else Sums(from_word, from_state, bias + inner, np.zeros_like(inner))
        )
    return found
