"""Whatever PyTorch model reads a text, its units are shown as they were, and it stays as it is."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from course_utils.analysis.units.any_model import read_units
from course_utils.data.vocabulary import Vocabulary
from course_utils.models import RecurrentLM

TEXT = "abca bcab"
NUMBERS = torch.tensor(["abc ".index(sign) for sign in TEXT])


class Reader(nn.Module):
    """Somebody's model: an embedding, a recurrent layer, and something else after it."""

    def __init__(self, kind: type[nn.RNNBase], **how):
        super().__init__()
        self.letters = nn.Embedding(4, 3)
        self.rnn = kind(3, 5, **how)
        self.out = nn.LazyLinear(2)

    def forward(self, numbers):
        return self.out(self.rnn(self.letters(numbers))[0])


@pytest.mark.parametrize("kind", [nn.LSTM, nn.GRU, nn.RNN])
@pytest.mark.parametrize("batch_first", [False, True])
def test_states_are_those_that_the_model_computed(kind, batch_first):
    """Catches batch and time exchanged, layers or directions under another's name."""
    torch.manual_seed(1)
    model = Reader(kind, num_layers=2, bidirectional=True, batch_first=batch_first).eval()
    row = NUMBERS[None] if batch_first else NUMBERS[:, None]
    found = read_units(model, TEXT, lambda text: model(row))
    out = model.rnn(model.letters(row))[0].squeeze(0 if batch_first else 1)  # (T, 2H)
    shown = {(each.where, each.of): each.values for each in found}
    torch.testing.assert_close(shown["rnn, layer 1", "h"], out[:, :5])
    torch.testing.assert_close(shown["rnn, layer 1 backward", "h"], out[:, 5:])
    gates = {"LSTM": "hcifgo", "GRU": "hrzn", "RNN": "ha"}[kind.__name__]
    assert [each.of for each in found] == list(gates) * 4


def test_steps_with_a_state_are_read_as_one_text():
    """Catches a state that is lost between the calls of a model that writes letter by letter."""
    torch.manual_seed(2)
    model = Reader(nn.LSTM).eval()

    def letter_by_letter(text):
        state = None
        for number in NUMBERS:
            _, state = model.rnn(model.letters(number)[None], state)

    whole = read_units(model, TEXT, lambda text: model(NUMBERS[:, None]))
    steps = read_units(model, TEXT, letter_by_letter)
    for one, other in zip(whole, steps, strict=True):
        torch.testing.assert_close(one.values, other.values)


def test_cells_are_heard():
    """Catches a model made of LSTMCell that is said to have no recurrent part."""
    cell = nn.LSTMCell(3, 5)
    letters = nn.Embedding(4, 3)
    states = []

    def run(text):
        state = (torch.zeros(1, 5), torch.zeros(1, 5))
        for number in NUMBERS:
            state = cell(letters(number)[None], state)
            states.append(state)

    h, c = read_units(cell, TEXT, run)
    assert (h.of, c.of) == ("h", "c")
    torch.testing.assert_close(c.values, torch.cat([state[1] for state in states]))


def test_a_model_of_the_course_needs_no_run_and_is_left_alone():
    """Catches hooks that stay, dropout while looking, a model left in eval."""
    model = RecurrentLM(Vocabulary(["<unk>", *"abc "]), "lstm", 3, 5, layers=2, dropout=0.5)
    first, again = (read_units(model, TEXT) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        torch.testing.assert_close(one.values, other.values)
    assert model.training
    assert not model.recurrent._forward_hooks
    traced = model.eval().trace(model.vocabulary.encode(TEXT)[:, None])
    torch.testing.assert_close(first[1].values, traced[0].c[:, 0])


@pytest.mark.parametrize(
    ("model", "run", "said"),
    [
        (nn.Linear(3, 2), None, "no recurrent module"),
        (Reader(nn.GRU), None, "no `vocabulary`"),
        (Reader(nn.GRU), lambda text: None, "no recurrent module was used"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(model, run, said):
    """Catches an error of PyTorch's in the place of advice."""
    with pytest.raises((TypeError, ValueError), match=said):
        read_units(model, TEXT, run)


def test_a_text_of_another_length_is_refused():
    """Catches units shown at the wrong characters: a model that reads words, or two rows."""
    model = Reader(nn.GRU)
    with pytest.raises(ValueError, match="took 8 steps"):
        read_units(model, TEXT, lambda text: model(NUMBERS[1:, None]))
    with pytest.raises(ValueError, match="several texts"):
        read_units(model, TEXT, lambda text: model(NUMBERS[:, None].repeat(1, 2)))
