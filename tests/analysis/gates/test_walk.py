"""The numbers of a walk through a sentence are the network's."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from course_utils.analysis.gates.walk import walk_through
from course_utils.data.vocabulary import Vocabulary
from course_utils.models import RecurrentLM

SENTENCE = "the keys are old ."
WORDS = ["<unk>", "the", "keys", "on", "table", "are", ".", "\n\n", "old"]
D, H = 5, 7


def small_model(kind: str) -> RecurrentLM:
    """Return an untrained model of a few words, in float64."""
    torch.manual_seed(3)
    model = RecurrentLM(len(WORDS), kind, width=D, hidden=H).double()
    nn.init.normal_(model.embedding.weight)
    model.vocabulary = Vocabulary(WORDS)
    return model


@pytest.mark.parametrize("kind", ["lstm", "gru"])
def test_states_are_those_of_torch_cells(kind):
    """Catches a sentence read from a wrong state or in a wrong order."""
    model = small_model(kind)
    walk = walk_through(model, SENTENCE)
    cell = {"lstm": nn.LSTMCell, "gru": nn.GRUCell}[kind](D, H).double()
    cell.load_state_dict(
        {name.removesuffix("_l0"): value for name, value in model.recurrent.state_dict().items()}
    )
    state = None
    for t, word in enumerate(walk.words):
        x_t = model.embedding(torch.tensor([WORDS.index(word)]))
        state = cell(x_t, state)
        h = state[0] if kind == "lstm" else state
        np.testing.assert_allclose(walk.values["h"][t], h[0].detach().numpy(), atol=1e-12)


def test_three_parts_of_a_sum_make_the_gate():
    """Catches rows of the wrong gate, a forgotten second bias, and h_t where h_{t-1} belongs."""
    walk = walk_through(small_model("lstm"), SENTENCE)
    for name, squash in {"i": _sigmoid, "f": _sigmoid, "g": np.tanh, "o": _sigmoid}.items():
        parts = walk.sums[name]
        total = parts.from_word + parts.from_state + parts.bias
        np.testing.assert_allclose(squash(total), walk.values[name], atol=1e-12)
    walk = walk_through(small_model("gru"), SENTENCE)
    parts = walk.sums["n"]
    inner = walk.values["r"] * (parts.from_state + parts.inner_bias)
    total = parts.from_word + parts.bias + inner
    np.testing.assert_allclose(np.tanh(total), walk.values["n"], atol=1e-12)


def _sigmoid(a: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-a))
