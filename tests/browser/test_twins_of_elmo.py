"""The twins of lecture 09: ELMo reads a typed sentence in the page as it does in Python."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import strategies as st
from matplotlib.font_manager import FontProperties

from course_utils.explorers import explore_gap, explore_layers
from course_utils.explorers.elmo import gap, layers
from course_utils.explorers.elmo.shared import shipped
from course_utils.explorers.machinery.tours import tour_of
from course_utils.plots.scene.letters import FACES
from course_utils.plots.scene.text import measured
from course_utils.site.twins import twins
from tests.browser.test_twins import differences, opened_in, page_with

pytestmark = [pytest.mark.browser, pytest.mark.slow]

EXPLORERS = {"gap": explore_gap, "layers": explore_layers}
TYPED = [
    "", "   ", "peace", "The United States of America is at peace with all nations.",
    "On the 4th of May we may march in March", "the the the", "¶ ⁀ </s> <unk> <S>",
    "Our offices' traffic -- difficult, and WAVE To AV $1,250.50 (100%)!",
    "Straße à É語 🙂 zebraland's a<b>&\"c'", "“É” [j] Ůhlířová ‘Đ’", "x " * 40,
    "internationalisation" * 6 + " and the pseudo-antidisestablishmentarianism of our time",
]  # fmt: skip


@pytest.fixture(scope="module")
def in_64_bits():
    """Let Python count as a page does: the numbers then differ only where a twin is wrong."""
    shipped().double()
    yield
    shipped().float()
    gap._filled.cache_clear()
    layers._layers.cache_clear()


@pytest.fixture(scope="module")
def page(browser):
    """Return an empty page with the twins and the model."""
    shown = page_with(browser, twins().decode(), ["course_elmo"])
    yield shown
    shown.context.close()


@pytest.mark.parametrize("name", EXPLORERS)
def test_a_typed_sentence_is_the_same_in_both(page, drawing, name, in_64_bits):
    """Catches a filter, a gate, a direction taken for another, words that are drawn elsewhere."""
    explorer = EXPLORERS[name]()
    tour = json.loads(json.dumps(tour_of(explorer)))
    opened_in(page, tour)
    controls = {
        control: st.sampled_from(TYPED) if control == "typed" else st.integers(0, 400)
        for control in tour["names"]
    }

    @drawing(st.fixed_dictionaries(controls), cases=30)
    def _(drawn):
        assert differences(page, explorer, drawn) == []

    explorer.close()


def test_what_ships_says_the_same(page):
    """Catches a twin that is right only beside a Python of 64 bits: words, and numbers to 1e-4."""
    explorer = explore_gap()
    opened_in(page, json.loads(json.dumps(tour_of(explorer))))
    found = page.evaluate("(values) => window.update(values)", {"typed": TYPED[3], "word": 7})
    assert found["words"] == explorer.words_now
    ours = explorer.tabulate(explorer.data).rows
    assert [row[:3] for row in found["table"]["rows"]] == [[*row[:3]] for row in ours]
    shares = [[row[3] for row in rows] for rows in (found["table"]["rows"], ours)]
    np.testing.assert_allclose(*shares, rtol=1e-4)
    explorer.close()


@pytest.mark.parametrize(
    ("name", "part", "mutant"),
    [
        ("gap", "state[f] + FORGET_BIAS", "state[f]"),
        ("gap", "let most = 0; // ReLU", "let most = -Infinity;"),
        ("gap", "Math.max(0, transform[n]) - own", "transform[n] - own"),
        ("gap", "y.map((h, t) => h.map((value, k) => value + below[t][k]))", "y"),
        ("gap", "[...x].reverse()", "x"),
        ("gap", "back.at(-1)[at + 2]", "back.at(-1)[at + 1]"),
        ("gap", "right[n] - logShares[n]", "right[n]"),
        ("gap", "Array(Math.min(slots - filled.length, widest)).fill(PADDING)", "[]"),
        ("gap", "(pairs.get(before + letter) ?? 0)", "0"),
        ("layers", "vector.map((value) => value / length)", "vector"),
        ("layers", "c += matrix[three + k] * own", "c += matrix[two + k] * own"),
        ("layers", "((value - least) / (largest - least))", "value"),
    ],
)
def test_a_mistake_in_elmo_is_noticed(page, in_64_bits, name, part, mutant):
    """Catches a comparison that is true of any model, or of any picture."""
    source = twins().decode()
    assert source.count(part) == 1
    explorer = EXPLORERS[name]()
    try:
        page.add_script_tag(content=source.replace(part, mutant))
        opened_in(page, json.loads(json.dumps(tour_of(explorer))))
        places = [{"typed": TYPED[3], "word": 7}, {"typed": TYPED[7], "word": 5}]
        more = {"layer": 1} if name == "layers" else {}
        assert any(differences(page, explorer, place | more) for place in places)
    finally:
        page.add_script_tag(content=source)
        explorer.close()


@pytest.mark.parametrize("face", FACES)
def test_a_page_knows_how_wide_words_are(page, face):
    """Catches letters that meet, and pairs that stand closer: words too long for their place."""
    words = [word for word in shipped().words if word.isprintable()] + [TYPED[7], TYPED[9]]
    measure = """([name, words]) => {
      const face = window.course.twins.face(name);
      return words.map((word) => face.measure(word).width);
    }"""
    widths = page.evaluate(measure, [face, words])
    style = {"plain": {}, "bold": {"weight": "bold"}, "slanted": {"style": "italic"}}[face]
    prop = FontProperties(size=1000, **style)
    wanted = [measured(word, prop, False)[0] / 1000 for word in words]
    np.testing.assert_allclose(widths, wanted, atol=1e-3)
