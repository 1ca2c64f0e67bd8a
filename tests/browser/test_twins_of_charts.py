"""Twins that `frame.js` draws: what the page computes and draws is what Python does."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import strategies as st

from course_utils.explorers import (
    explore_bptt,
    explore_cliff,
    explore_echo,
    explore_gates,
    explore_gradient_norms,
    explore_graves,
    explore_highway,
    explore_iterated_map,
    explore_latch,
    explore_number_unit,
    explore_precision,
    explore_units,
    explore_unrolled,
)
from course_utils.explorers.agreement.shared import network as agreement_network
from course_utils.explorers.characters.shared import network as network_of_code
from course_utils.explorers.machinery.tours import tour_of
from course_utils.site.twins import twins
from tests.browser.test_twins import differences, opened_in, page_with

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CHARTS = {
    "agreement_unit": explore_number_unit,
    "coloured_text": explore_units,
    "echo": explore_echo,
    "iterated_map": explore_iterated_map,
    "norms": explore_gradient_norms,
    "bptt": explore_bptt,
    "highway": explore_highway,
    "cliff": explore_cliff,
    "latch": explore_latch,
    "set_by_hand": explore_gates,
    "rounded_count": explore_precision,
    "unrolled": explore_unrolled,
    "graves": explore_graves,
}
MODELS = ["agreement_lstm", "source_lstm"]
TYPED = {
    "agreement_unit": [
        "", "the dogs near the tree", "the tree near the dogs", "  wolves ", "and then",
        "the fox & the $ of <b>cat</b>", "the dog and the cat " * 6, "unbelievably many blicks",
    ],
    "coloured_text": [
        "", "", "x = 'it is'\\n\\tprint(\"é\" < 1 & 2)", "\\n", "\\n\\nx" * 9, "def " * 40,
        "y\U0001f642語\u0301",
    ],
    "graves": [
        "o--o--oo", "ooo", "", "o-o-o-o-o-o-", "-", "oo-o", "---------o", "o--------",
        "oxo", "it's \\ 'o'", "\U0001f642o", "--oo---oooo-o",
    ],
}  # fmt: skip


# one of these values, changed in its last digits
NEARLY = {"cliff": ("w", 1 + 1e-15), "norms": ("radius", 1 + 1e-15)}


@pytest.fixture(scope="module")
def page(browser):
    """Return an empty page with the twins and the models that they read."""
    shown = page_with(browser, twins().decode(), MODELS)
    yield shown
    shown.context.close()


@pytest.fixture(scope="module", autouse=True)
def in_64_bits():
    """Let Python count as a page does: 32 bits would round other digits now and then."""
    models = [agreement_network("lstm"), network_of_code()]
    for model in models:
        model.double()
    yield
    for model in models:
        model.float()


@pytest.fixture(scope="module")
def told():
    """Return a function that gives an explorer and what a page is told of it, made once."""
    made = {}

    def of(name):
        if name not in made:
            explorer = CHARTS[name]()
            made[name] = explorer, json.loads(json.dumps(tour_of(explorer)))
        return made[name]

    yield of
    for explorer, _ in made.values():
        explorer.close()


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_the_same_in_both(page, drawing, told, name):
    """Catches a sum that differs, a line or a label elsewhere, a word, a refusal."""
    explorer, tour = told(name)
    opened_in(page, tour)
    fields = {
        control: st.sampled_from(TYPED[name]) if about["kind"] == "text" else st.integers(0, 4000)
        for control, about in zip(tour["names"], tour["controls"], strict=True)
    }

    @drawing(st.fixed_dictionaries(fields), cases=12)
    def _(drawn):
        found = differences(page, explorer, drawn)
        assert found == [] or hangs_on_rounding(name, explorer)


def hangs_on_rounding(name, explorer) -> bool:
    """Return whether the last digits of a control decide what is seen: no two machines agree."""
    if name not in NEARLY:
        return False
    control, factor = NEARLY[name]
    values = explorer.values
    near = explorer.compute(**{**values, control: values[control] * factor})
    rows = [explorer.tabulate(data).rows for data in (explorer.data, near)]
    here, there = (np.array(one, dtype=float) for one in rows)
    return not np.allclose(here, there, rtol=1e-6, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize(
    ("name", "part", "mutant", "values"),
    [
        ("agreement_unit", "dot(table, model.numbers.get(form)", "dot(table, 0", {}),
        ("agreement_unit", "[...neutral, ...words]", '[...neutral.fill("the"), ...words]', {}),
        ("agreement_unit", "n === cue ?", "Object.hasOwn(otherForm, word) ?", {"own": 6}),
        ("agreement_unit", "Math.max(...wanted.slice(0, n + 1))", "wanted[n]", {"unit": 3}),
        ("agreement_unit", "(pairs.get(before + letter) ?? 0)", "0", {"own": 5}),
        ("coloured_text", "Math.abs(share) * at.LEVELS - 0.5", "Math.abs(share) * at.LEVELS", {}),
        ("coloured_text", "start < place + 1", "start < place", {"own": 4}),
        ("echo", "parts[name] = movedBy(svg, 0, ", "parts[name] = movedBy(svg, 1, ", {}),
        ("iterated_map", "Math.abs(one.slope) < 1 === pulls", "pulls", {"weight": 50}),
        ("highway", "layer.b.fill(keep, H, 2 * H)", "layer.b.fill(keep, 0, H)", {}),
        ("highway", "...dh, ...dc", "...dh", {}),
        ("highway", "product *= f", "product += f", {}),
        ("bptt", "k > t ? null", "k >= t ? null", {}),
        ("bptt", "norms[t][k] +=", "norms[k][t] +=", {}),
        ("bptt", "last.slice(-near)", "last", {}),
        ("norms", "slopes[T - 1 - lag][k]", "slopes[T - 2 - lag]?.[k]", {}),
        ("norms", "(value > 0 ? Math.log10(value) : NaN)", "Math.log(value)", {}),
        ("norms", "tick % step === 0", "true", {"length": 19}),
        ("norms", "heights[n] - ticks[power].spot", "0", {"radius": 30}),
        ("cliff", "Math.min(most / norm, 1)", "most / norm", {}),
        ("latch", "open * cell[t - 1]", "cell[t - 1]", {"strength": 2}),
        ("set_by_hand", "f ** (t - n) * top", "top", {}),
        ("unrolled", "- targets[t] + fromLater", "- targets[t]", {"moment": 6}),
        ("unrolled", "Math.max(0, moment - T)", "Math.max(0, moment - T - 1)", {"moment": 7}),
        ("graves", "output.push(o[t] * (1 - Math.tanh(c) ** 2)", "output.push(o[t]", {"read": 0}),
        ("graves", "letters[t] === \"o\"", "letters[t] !== \"-\"", {"read": 4}),
        ("rounded_count", "part === 0.5 && whole % 2 !== 0", "part === 0.5", {"n": 99}),
    ],
)  # fmt: skip
def test_a_mistake_is_noticed(browser, told, name, part, mutant, values):
    """Catches a comparison that is true of any sum, any label, any place."""
    source = twins().decode()
    assert source.count(part) == 1
    shown = page_with(browser, source.replace(part, mutant), MODELS)
    explorer, tour = told(name)
    opened_in(shown, tour)
    drawn = {**dict(zip(tour["names"], tour["start"], strict=True)), **values}
    for text in ("own", "read"):
        if text in values:
            drawn[text] = TYPED[name][values[text]]
    assert differences(shown, explorer, drawn) != []
    shown.context.close()
