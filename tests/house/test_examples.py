"""The examples of the API pages are true, and the pages can be built without a network."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from course_utils.analysis.units.any_model import read_units
from course_utils.models import GRU, LSTM, Elman
from course_utils.models.elmo import BiLM
from course_utils.models.language import LanguageModel
from course_utils.models.layers.from_gates import from_gates
from tools import api

SHOWN = (
    LSTM.trace, LSTM.rollout, LSTM.of, GRU.trace, Elman.trace, from_gates, read_units, BiLM,
    BiLM.packed, LanguageModel.generate,
)  # fmt: skip


@pytest.mark.parametrize("shown", SHOWN, ids=lambda shown: shown.__qualname__)
def test_an_example_is_true(shown):
    """Catches an example that was right once, and one of what people need first left out."""
    where = vars(__import__(shown.__module__, fromlist=["*"]))
    found = doctest.DocTestFinder(recurse=False).find(
        getattr(shown, "__func__", shown), globs=where
    )
    (example,) = found
    assert 3 <= len(example.examples) <= 7
    runner = doctest.DocTestRunner(optionflags=doctest.REPORT_NDIFF)
    said: list[str] = []
    assert runner.run(example, out=said.append).failed == 0, "".join(said)


def test_the_pages_are_built(tmp_path):
    """Catches a layer without its page, and an example that the page does not show."""
    api.write(tmp_path, ["course_utils.models.layers.recurrent", *api.modules("results")])
    page = (tmp_path / "course_utils/models/layers/recurrent.html").read_text(encoding="utf-8")
    assert "never_forget" in page
    assert (tmp_path / "course_utils/results/memory.html").exists()
    whole = "".join(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.html"))
    assert str(Path.home()) not in whole
    assert 'src="http' not in whole, "a script from elsewhere"
