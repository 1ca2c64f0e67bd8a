"""Set a task's weights: see the shares the softmax makes of them, and the mixed vector."""

from __future__ import annotations

import numpy as np
import torch
from torch.nn.functional import cosine_similarity

from course_utils.explorers.elmo.shared import tokens_of, way_through, word_slider
from course_utils.explorers.machinery.controls import slider, text
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.elmo.contextual import layer_name
from course_utils.plots.elmo.mix import SHOWN, MixDrawing, MixView

SENTENCE = "Let's stick to"
MOST_WORDS = 12
LIMIT = 4.0
OFFERED = ("The bank of the river", "the stick")


def explore_mix(sentence: str = SENTENCE, word: int = 3) -> Explorer:
    """Mix the layers of a word by hand."""
    weights = {f"w{n}": slider(f"w for {layer_name(n)}", -LIMIT, LIMIT, 0.0, 0.1) for n in range(3)}
    typed = text("sentence", sentence, "a sentence (Enter)", OFFERED)
    return Explorer(
        "Mix the layers",
        {
            **weights,
            "gamma": slider("γ", 0.0, 3.0, 1.0, 0.1),
            "typed": typed,
            "word": word_slider("word number", typed, MOST_WORDS, SENTENCE, word),
        },
        view_of,
        MixDrawing(),
        tabulate_mix,
    )


def view_of(w0: float, w1: float, w2: float, gamma: float, typed: str, word: int) -> MixView:
    """Return one mix; a word number beyond the end means the last word."""
    tokens, note = tokens_of(typed, MOST_WORDS, SENTENCE)
    if word > len(tokens):
        word, note = len(tokens), f"{note} There is no word {word}: this is the last.".strip()
    layers = way_through(tuple(tokens)).layers[:3, word]  # (3, 2P)
    shares = torch.softmax(torch.tensor([w0, w1, w2], dtype=layers.dtype), dim=0)
    mixed = gamma * shares @ layers
    cosines = cosine_similarity(mixed[None], layers, dim=-1)
    halves = layers.unflatten(1, (2, -1))[..., : SHOWN // 2]  # the first numbers of each
    weights, numbers = np.array([w0, w1, w2]), halves.flatten(1).numpy()
    return MixView(tokens[word - 1], weights, shares.numpy(), gamma, numbers, cosines.numpy(), note)


def tabulate_mix(view: MixView) -> Table:
    """Return weight, share and first numbers of every layer, and of the mix."""
    headers = ("", "w", "share", *(f"no. {n + 1}" for n in range(SHOWN)))
    rows = [(layer_name(n), view.weights[n], view.shares[n], *view.layers[n]) for n in range(3)]
    return Table(headers, [*rows, ("ELMo", "", view.gamma, *view.mixed)])
