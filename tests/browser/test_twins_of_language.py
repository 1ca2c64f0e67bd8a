"""The twins of lecture 01: a language model reads and writes in the page as it does in Python."""

from __future__ import annotations

import json
from textwrap import wrap

import pytest
import torch
from hypothesis import strategies as st

from course_utils.analysis.language import speeches
from course_utils.data.vocabulary import Vocabulary
from course_utils.explorers import explore_generation, explore_sentence
from course_utils.explorers.language import sentence
from course_utils.explorers.machinery.tours import tour_of
from course_utils.models.language import NGramLM, RecurrentLM
from course_utils.shipped import load_trained
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


PROMPTS = [
    "", "The Congress of the", "Tonight I ask", " the people of", "a tax of $5 (net) on zebralands",
    "in the", "x " * 120, "Straße \U0001f642 \" \' <b>&", "the United States",
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
        ("Math.max(0, seen.at - T)", "Math.max(0, seen.at - T - 1)"),
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


@pytest.fixture(scope="module")
def speakers():
    """Return what the lecture lets write, counting in 64 bits as a page does."""
    corpus = speeches(1961, 1988, words=2000)
    torch.manual_seed(3)
    elman = RecurrentLM(corpus.words, cell="elman", width=16, hidden=24).eval()
    with torch.no_grad():
        for part in elman.parameters():
            part.mul_(4)  # far from all words being as likely
    two = ["we", "must", "act", "now", "</s>", "they", "may", "wait", "for", "us", "</s>"]
    short = 3 * two
    few = Vocabulary.of(short)
    return {
        "LSTM": load_trained("english_lstm").double(),
        "Elman": elman.double(),
        "trigram": NGramLM(corpus.words, order=3).fit(corpus.train),
        "of few words": NGramLM(few, order=2).fit(few.encode(short)),
    }


@pytest.fixture(scope="module")
def writing(speakers):
    """Return the explorer in which they write, and what a page is told of it."""
    explorer = explore_generation(speakers)
    yield explorer, json.loads(json.dumps(tour_of(explorer)))
    explorer.close()


def test_what_a_model_writes_is_the_same_in_both(page, drawing, writing):
    """Catches another draw, another order of equal words, a context one word too long."""
    explorer, tour = writing
    opened_in(page, tour)
    controls = {
        control: st.sampled_from(PROMPTS) if control == "prompt" else st.integers(0, 400)
        for control in tour["names"]
    }

    @drawing(st.fixed_dictionaries(controls), cases=40)
    def _(drawn):
        assert differences(page, explorer, drawn) == []


def test_only_what_does_not_ship_comes_with_the_page(writing, speakers):
    """Catches weights that a page reads twice, and a model that no page can run."""
    _, tour = writing
    assert tour["twin"]["models"] == ["english_lstm"]
    told = tour["twin"]["data"]["speakers"]
    assert [one["kind"] for one in told] == ["lstm", "tanh", "counts", "counts"]
    assert ["file" in one for one in told] == [False, True, False, False]
    two_layers = RecurrentLM(speakers["Elman"].vocabulary, width=8, hidden=8, layers=2)
    explorer = explore_generation({"deep": two_layers.eval()})
    assert explorer.twin is None
    explorer.close()


@pytest.mark.parametrize("words", [0, 1, 3, 14, 15, 16, 17, 29, 30, 31, 60])
def test_lines_end_where_python_ends_them(page, words):
    """Catches a line one letter too long, a word lost between two, marks where nothing is left."""
    text = " ".join(
        ("long-winded", "an act", "—", "Straße", "it", "is")[n % 6] for n in range(words)
    )
    lines = page.evaluate(
        "([text, most]) => window.course.twins.inTwoLines(text, most)", [text, 76]
    )
    assert lines == wrap(text, 76, max_lines=2, placeholder=" …", break_on_hyphens=False)


@pytest.mark.parametrize(
    ("part", "mutant"),
    [
        ("if (sum > aim * all) return n;", "if (sum >= aim) return n + 1;"),
        ("(scores[n] - scores[best]) / temperature", "scores[n] - scores[best]"),
        ("left[token] = -Infinity;", ""),
        ("for (const token of never) p[token] = 0;", ""),
        ("if (path[at]?.token !== token) path.splice", "if (!path[at]) path.splice"),
        ("Math.max(0, level.counts[n] - level.discount)", "level.counts[n]"),
        ("before.slice(before.length - length)", "before.slice(0, length)"),
        ("values.h[at] = Math.tanh(", "values.h[at] = Math.max(0, "),
        ("if (token === end) return path.slice(0, at)", "if (token < 0) return path.slice(0, at)"),
        ("y += at.size * (up + down + gap);", "y += at.size * (up + gap);"),
    ],
)
def test_a_mistake_in_writing_is_noticed(page, writing, part, mutant):
    """Catches a comparison that is true of any model, any chance, any lines."""
    explorer, tour = writing
    source = twins().decode()
    assert source.count(part) == 1
    try:
        page.add_script_tag(content=source.replace(part, mutant))
        opened_in(page, tour)
        places = [
            {"name": name, "prompt": prompt, "temperature": 7, "seed": seed}
            for name in range(len(tour["twin"]["data"]["speakers"]))
            for prompt in (PROMPTS[1], PROMPTS[0])
            for seed in (0, 4)
        ]
        assert any(differences(page, explorer, place) for place in places)
    finally:
        page.add_script_tag(content=source)
