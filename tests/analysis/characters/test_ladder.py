"""The rungs of a ladder are fitted on one text and reported on another."""

from __future__ import annotations

import pytest
import torch

from course_utils.analysis.characters import ladder
from course_utils.analysis.characters.ladder import after_last, read_out, rungs, score, untrained_of
from course_utils.analysis.units.search import Label, Labelled
from course_utils.models import RecurrentLM
from course_utils.results.characters import (
    characters_film,
    characters_held,
    characters_untrained,
    characters_written,
)

V, H = 7, 6


@pytest.fixture
def model() -> RecurrentLM:
    torch.manual_seed(4)
    return RecurrentLM(V, "lstm", width=3, hidden=H).eval()


def text_of(model: RecurrentLM, seed: int) -> Labelled:
    """Label a text by two cells together, and by its last two tokens."""
    torch.manual_seed(seed)
    tokens = torch.randint(0, V, (900,))
    c = model.trace(tokens[:, None])[0].c[:, 0].detach()
    both = c[:, 1] / c[:, 1].std() + c[:, 4] / c[:, 4].std()
    before = torch.cat([tokens[:1], tokens[:-1]])
    labels = {"both": Label(both > both.median()), "sum": Label(both)}
    labels |= {"last": Label((tokens + before) % 3 == 0), "far": Label(tokens.roll(5) % 3 == 0)}
    return Labelled(tokens, labels)


def test_all_cells_read_what_no_cell_says(model):
    """Catches weights that are reported on their own text, and a readout without its scale."""
    found = rungs(model, text_of(model, 1), text_of(model, 2))
    assert found["both"].readout > 0.97 > found["both"].cell > 0.7
    assert found["sum"].readout == pytest.approx(1, abs=1e-3)
    assert found["both"].unit in (1, 4)


def test_the_last_characters_are_looked_up(model):
    """Catches a table of the text that is asked, and neighbours in the wrong order."""
    texts = text_of(model, 1), text_of(model, 2)
    assert after_last(model, *texts, "last") > 0.95
    assert after_last(model, *texts, "far") < 0.6


def test_a_readout_is_least_squares():
    """Catches a constant left out: against torch's own solver."""
    torch.manual_seed(0)
    cells = torch.randn(200, 3, dtype=torch.float64) * torch.tensor([1, 20, 0.1]) + 5
    marks = torch.rand(200) < 0.3
    weights, constant = read_out(cells, marks, shrink=0)
    rows = torch.cat([cells, torch.ones(200, 1, dtype=torch.float64)], dim=1)
    expected = torch.linalg.lstsq(rows, marks.double()[:, None]).solution[:, 0]
    torch.testing.assert_close(torch.cat([weights, constant[None]]), expected, rtol=1e-3, atol=1e-4)
    assert score(cells, cells[:, 0])[0] == pytest.approx(1)


def test_untrained_means_the_recurrent_weights(model):
    """Catches a control that forgets the characters too, or the model itself changed."""
    before = model.recurrent.weight_hh_l0.clone()
    fresh = untrained_of(model, RecurrentLM(V, "lstm", width=3, hidden=H), 1)
    assert torch.equal(fresh.embedding.weight, model.embedding.weight)
    assert not torch.equal(fresh.recurrent.weight_hh_l0, before)
    assert torch.equal(model.recurrent.weight_hh_l0, before)


def test_the_shipped_files_are_whole():
    """Catches a cell, a label, a frame or a way of drawing that was left out."""
    assert len(characters_held()) == 320
    assert len(characters_untrained()) == 13
    assert [frame.steps for frame in characters_film()] == [50, 200, 800, 10_000]
    ways = [(row.model, row.temperature, row.top_k, row.top_p) for row in characters_written()]
    assert len(set(ways)) == len(ways) == 10
    assert ladder.LAST == 3
