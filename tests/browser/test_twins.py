"""Twins: what the page computes and draws itself is what Python computes and draws."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import strategies as st
from playwright.sync_api import expect

from course_utils.explorers import explore_gru_walk, explore_lstm_walk
from course_utils.explorers.machinery.tours import stops_of, tour_of
from course_utils.plots.table import cell_text
from course_utils.site.build import build_site
from course_utils.site.frame import scripts
from course_utils.site.twins import model_script, twins
from tests.browser.test_site import WIDER, opened
from tests.tools.lesson import write_lesson

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
COLOUR = re.compile(r"#[0-9a-f]{6}")
# what is left where two numbers of seven digits cancel is nobody's number
NOTHING = re.compile("(?:[0-9.]+\u00a0×\u00a0)?10⁻(?:[⁶⁷⁸⁹]|¹[⁰¹²³⁴⁵⁶⁷⁸⁹])")
DRAWN = 0.02  # pixels: pictures are written to two decimals
OPEN = """([name, data, models, start]) => {
  const twins = window.course.twins;
  const read = models.map((model) => {
    const text = atob(window.packed[model]);
    return [model, twins.readModel(Uint8Array.from(text, (letter) => letter.charCodeAt(0)))];
  });
  window.update = twins[name](data, Object.fromEntries(read), start);
  window.update(start);
}"""
SLOWEST = 250  # milliseconds from a slider's move to its picture, on a machine that does more
DRAG = """async () => {
  const input = document.querySelector(".explorer input[type=range]");
  const begun = performance.now();
  for (let stop = 10; stop < 20; stop++) {
    const shown = new Promise((done) => new MutationObserver((_, watch) => {
      watch.disconnect();
      done();
    }).observe(input.closest(".explorer"), { attributeFilter: ["data-at"] }));
    input.value = String(stop);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await shown;
  }
  return (performance.now() - begun) / 10;
}"""
WALKS = {
    "lstm": explore_lstm_walk,
    "lstm back": lambda: explore_lstm_walk(way="back"),
    "gru": explore_gru_walk,
}
TYPED = [
    "", "The Union", "the quick zebra's 1,250.50 dollars -- well-being!", "¶ We ¶ must",
    "a<b>&\"c'",
    "in the year 1985, the 3rd of May: (we) can't", "x " * 40, "Straße é 語 🙂",
]  # fmt: skip


@pytest.fixture(scope="module")
def page(browser):
    """Return an empty page with the twins and the models of the walks."""
    context = browser.new_context()
    shown = context.new_page()
    shown.add_script_tag(content="window.packed={};window.course={model:(n,p)=>packed[n]=p}")
    shown.add_script_tag(content=twins().decode())
    for model in ("word_lstm", "word_gru"):
        shown.add_script_tag(content=model_script(model).decode())
    yield shown
    context.close()


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_is_the_same_in_both(page, drawing, name):
    """Catches a gate taken for another, a lost bias, a step off by one, words that differ."""
    explorer = WALKS[name]()
    tour = json.loads(json.dumps(tour_of(explorer)))
    start = dict(zip(tour["names"], tour["start"], strict=True))
    wanted = tour["twin"]
    page.evaluate(OPEN, [wanted["name"], wanted["data"], wanted["models"], start])
    fields = {
        control: st.sampled_from(TYPED) if control == "own" else st.integers(0, 400)
        for control in tour["names"]
    }

    @drawing(st.fixed_dictionaries(fields), cases=12)
    def _(drawn):
        # one control after the other: where a text is new, the walk begins anew
        for control, value in drawn.items():
            offered = stops_of(explorer.controls[control], None)
            place = value if control == "own" else value % len(offered)
            before = {key: position(explorer, key) for key in tour["names"]}
            explorer.move({control: value if control == "own" else offered[place][1]})
            asked = {**before, control: place}
            found = page.evaluate("(values) => window.update(values)", asked)
            assert_same(explorer, found, tour["names"])

    explorer.close()


def position(explorer, name: str):
    """Return what the page calls the place of a control."""
    control = explorer.controls[name]
    if name == "own":
        return control.value
    values = [value for _, value in stops_of(control, None)]
    return values.index(control.value)


def assert_same(explorer, found: dict, names: list[str]) -> None:
    """Compare words as strings, numbers within 1e-5, shapes within what a pixel shows."""
    assert found["values"] == {name: position(explorer, name) for name in names}
    assert NOTHING.sub("≈0", found["words"]) == NOTHING.sub("≈0", explorer.words_now)
    steps = [label for label, _ in stops_of(explorer.controls["step"], None)]
    assert found["offers"]["step"] == steps
    table = explorer.tabulate(explorer.data)
    assert found["table"]["headers"] == list(table.headers)
    for row, ours in zip(found["table"]["rows"], table.rows, strict=True):
        assert row[0] == ours[0]
        wanted = np.array(ours[1:], dtype=float)
        np.testing.assert_allclose(np.array(row[1:], dtype=float), wanted, rtol=1e-5, atol=2e-6)
    scene = explorer.image.now
    assert found["size"] == [scene.width, scene.height]
    assert list(found["parts"]) == list(scene.parts)
    for key, part in scene.parts.items():
        assert_same_shapes(found["parts"][key], part)


def assert_same_shapes(theirs: str, ours: str) -> None:
    """Compare two pieces of SVG: the same elements and letters, numbers as far as they show."""
    colours = [COLOUR.findall(text) for text in (theirs, ours)]
    for one, other in zip(*colours, strict=True):
        parts = [[int(text[k : k + 2], 16) for k in (1, 3, 5)] for text in (one, other)]
        assert np.abs(np.subtract(*parts)).max() <= 1, (one, other)
    plain = [NOTHING.sub("≈", COLOUR.sub("#", text)) for text in (theirs, ours)]
    rest = [NUMBER.sub("N", text) for text in plain]
    assert rest[0] == rest[1]
    numbers = [[float(n) for n in NUMBER.findall(text)] for text in plain]
    assert np.abs(np.subtract(*numbers)).max() <= DRAWN


@pytest.mark.parametrize("value", [0.125, -0.125, 0.375, 0.0049, -0.001, 2.5, 1e-5, 12345.678, 1e8])
def test_numbers_are_written_alike(page, value):
    """Catches toFixed's ties, a minus zero, a power of ten in another place."""
    written = page.evaluate("(value) => window.course.twins.wholeOrRounded(value)", value)
    assert written == cell_text(value)


def test_the_twins_are_not_in_every_page():
    """Catches code that a page without a twin would read."""
    assert b"sigmoid" not in scripts()
    assert b"sigmoid" in twins()


@pytest.mark.parametrize(
    ("cell", "mutant"),
    [
        ("const f = sigmoid(word(1) + state(1))", "const f = sigmoid(word(1))"),
        ("f * (t ? values.c[at - H] : 0) + i * g", "f * (t ? values.c[at - H] : 0) + g"),
        ("(1 - z) * n + z * h[k]", "z * n + (1 - z) * h[k]"),
        ("word(2) + r * state(2)", "word(2) + state(2)"),
        ('c * past("c")', 'c * v("c")'),
        ('inside * v("r")', "inside"),
    ],
)
def test_a_mistake_in_a_cell_is_noticed(browser, cell, mutant):
    """Catches a comparison that is true of any cell."""
    source = twins().decode()
    assert source.count(cell) == 1
    context = browser.new_context()
    shown = context.new_page()
    shown.add_script_tag(content="window.packed={};window.course={model:(n,p)=>packed[n]=p}")
    shown.add_script_tag(content=source.replace(cell, mutant))
    explorer = explore_gru_walk()
    for kind in ("lstm", "gru"):
        shown.add_script_tag(content=model_script(f"word_{kind}").decode())
    tour = json.loads(json.dumps(tour_of(explorer)))
    start = dict(zip(tour["names"], tour["start"], strict=True))
    shown.evaluate(
        OPEN, [tour["twin"]["name"], tour["twin"]["data"], tour["twin"]["models"], start]
    )
    differs = False
    for cell_kind in (0, 1):
        for way in ("forward", "back"):
            explorer.move({"cell": stops_of(explorer.controls["cell"], None)[cell_kind][1]})
            explorer.move({"way": way})
            now = {key: position(explorer, key) for key in tour["names"]}
            found = shown.evaluate("(values) => window.update(values)", now)
            try:
                assert_same(explorer, found, tour["names"])
            except AssertionError:
                differs = True
    explorer.close()
    context.close()
    assert differs


def test_a_page_walks_through_what_its_reader_types(browser, tmp_path, monkeypatch):
    """Catches a twin that is not brought, a typed line that is not taken, a slow or silent page."""
    shown = 'claim("00.1", 2, low=1, high=3, says="It is {}.")\nexplorers.explore_lstm_walk()'
    write_lesson(tmp_path, claim=shown)
    monkeypatch.setenv("COURSE_SITE_RUNS", str(tmp_path / "runs"))
    out = tmp_path / "Kurs für ELMo"
    build_site(tmp_path / "notebooks", out)
    with opened(browser, out / "00_small.html") as page:
        figure = page.locator(".explorer")
        typed = figure.get_by_label("or your own")
        typed.fill("The people of zebraland")
        typed.press("Enter")
        words = figure.locator("figcaption")
        expect(words).to_contain_text("Word 1 of 4, “The”, unit 57, forget")
        expect(words).to_contain_text("all read as the same unknown word: “zebraland”")
        figure.get_by_label("step", exact=True).press("End")
        expect(words).to_contain_text("Word 4 of 4, “zebraland”, unit 57, output")
        typed.fill("   ")
        typed.press("Enter")
        expect(words).to_contain_text("Word 1 of 15, “We”")
        figure.get_by_label("way").select_option("back, the gradient")
        expect(words).to_contain_text("J, the memory at the last word")
        assert page.evaluate(WIDER) <= 0
        assert page.evaluate(DRAG) < SLOWEST
