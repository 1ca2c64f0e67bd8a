"""The twins of lecture 01: a language model reads and writes in the page as it does in Python."""

from __future__ import annotations

import json

import pytest
from hypothesis import strategies as st

from course_utils.explorers import explore_sentence
from course_utils.explorers.language import sentence
from course_utils.explorers.machinery.tours import tour_of
from course_utils.site.twins import twins
from tests.browser.test_twins import differences, opened_in, page_with

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MODELS = ["english_lstm", "word_lstm"]
TYPED = [
    "", " ", "peace", "the state of the union is strong", "to the Senate and House",
    "we must keep the peace of the whole wide world", "zebraland's $5 (five) tariffs",
    'He said "no new taxes" -- twice', "a<b>&\"c'", "¶ ⁀ </s>", "Straße à É語 🙂 it",
    "unconstitutionality of internationalisation",
]  # fmt: skip


@pytest.fixture(scope="module")
def page(browser):
    """Return an empty page with the twins and the models that they read."""
    shown = page_with(browser, twins().decode(), MODELS)
    yield shown
    shown.context.close()


@pytest.fixture
def explorer(monkeypatch):
    """Return the walk through a sentence, which counts as a page does, in 64 bits."""
    shipped = {name: model.double() for name, model in sentence._shipped().items()}
    monkeypatch.setattr(sentence, "_shipped", lambda: shipped)
    made = explore_sentence()
    yield made
    made.close()


def test_a_sentence_is_the_same_in_both(page, drawing, explorer):
    """Catches a gradient that is lost on its way, another word read, an arrow turned round."""
    tour = json.loads(json.dumps(tour_of(explorer)))
    opened_in(page, tour)
    controls = {
        control: st.sampled_from(TYPED) if control == "sentence" else st.integers(0, 400)
        for control in tour["names"]
    }

    @drawing(st.fixed_dictionaries(controls), cases=40)
    def _(drawn):
        assert differences(page, explorer, drawn) == []


@pytest.mark.parametrize(
    ("part", "mutant"),
    [
        ("Number(n === asked[t])) / T", "Number(n === asked[t]))"),
        ("addBack(layer.U, sums, dhBefore);", ""),
        (".with(unknown, -Infinity)", ""),
        ('token === \'"\' && quoted) ? ""', 'quoted) ? ""'),
        ("const backFrom = T -", "const backFrom = T - 1 -"),
        ('isOwn ? "slanted" : "plain"', '"plain"'),
    ],
)
def test_a_mistake_in_a_sentence_is_noticed(page, explorer, part, mutant):
    """Catches a comparison that is true of any gradient, any word, any step."""
    source = twins().decode()
    assert source.count(part) == 1
    try:
        page.add_script_tag(content=source.replace(part, mutant))
        opened_in(page, json.loads(json.dumps(tour_of(explorer))))
        places = [
            {"sentence": text, "moment": moment, "feed": feed, "name": 0}
            for text in (TYPED[4], TYPED[7], TYPED[8])
            for feed in (0, 1)
            for moment in (4, 9)
        ]
        assert any(differences(page, explorer, place) for place in places)
    finally:
        page.add_script_tag(content=source)
