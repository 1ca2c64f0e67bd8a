"""Twins: what the page computes and draws itself is what Python computes and draws."""

from __future__ import annotations

import base64
import io
import json
import re

import ipywidgets as widgets
import numpy as np
import pytest
from hypothesis import strategies as st
from PIL import Image
from playwright.sync_api import expect

from course_utils.explorers import (
    explore_counters,
    explore_gru_walk,
    explore_lstm_walk,
    explore_reading,
)
from course_utils.explorers.counting.cells import shipped_counter
from course_utils.explorers.machinery.tours import stops_of, tour_of
from course_utils.explorers.machinery.twin import NEED
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
  const seen = [], begun = performance.now();
  for (let stop = 10; stop < 20; stop++) {
    const shown = new Promise((done) => new MutationObserver((_, watch) => {
      watch.disconnect();
      done();
    }).observe(input.closest(".explorer"), { attributeFilter: ["data-at"] }));
    input.value = String(stop);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await shown;
    seen.push(input.closest(".explorer").querySelector("figcaption").textContent);
  }
  return [new Set(seen).size, (performance.now() - begun) / 10];
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


COUNTING = [f"counting{three}_{kind}" for three in ("", "_three") for kind in ("lstm", "gru")]
CHARTS = {"counters": explore_counters, "reading": explore_reading}
READ = [
    "", "a", "aabb", "aaaaaaaaabbbbbbbb", "abab", "a^12 b^12", "a^40b^41", "a^150b^150c^150", "abc",
    "aabbcc", "a^30 b^30 c^30", "((()))()", "([(])[])", "(]", "(^200)^199", "[", "hello", "a'b",
    "bbb", "a^2000", "a b\u3000c", "aab\\", "\u8a9e", "a^100 b^100", "(^20 [^20 )^20 ]^20",
]  # fmt: skip
SIMPLER = 0.25  # pixels: matplotlib leaves out points of a long line that nobody would see


def page_with(browser, script: str, models: list[str]):
    """Return an empty page with twins and models."""
    shown = browser.new_context().new_page()
    shown.add_script_tag(content="window.packed={};window.course={model:(n,p)=>packed[n]=p}")
    shown.add_script_tag(content=script)
    for model in models:
        shown.add_script_tag(content=model_script(model).decode())
    return shown


@pytest.fixture(scope="module")
def page(browser):
    """Return an empty page with the twins and the models that they read."""
    shown = page_with(browser, twins().decode(), ["word_lstm", "word_gru", *COUNTING])
    yield shown
    shown.context.close()


@pytest.mark.parametrize("name", WALKS)
def test_a_walk_is_the_same_in_both(page, drawing, name):
    """Catches a gate taken for another, a lost bias, a step off by one, words that differ."""
    explorer = WALKS[name]()
    tour = json.loads(json.dumps(tour_of(explorer)))
    opened_in(page, tour)
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


@pytest.fixture
def in_64_bits():
    """Let Python count as a page does: over hundreds of letters 32 bits round the third digit."""
    models = [
        shipped_counter(letters, cell) for letters in ("ab", "abc") for cell in ("lstm", "gru")
    ]
    for model in models:
        model.double()
    yield
    for model in models:
        model.float()


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_the_same_in_both(page, drawing, name, in_64_bits):
    """Catches a cell that counts otherwise, a tick elsewhere, a verdict or a word that differs."""
    explorer = CHARTS[name]()
    tour = json.loads(json.dumps(tour_of(explorer)))
    opened_in(page, tour)
    fields = {
        control: st.sampled_from(READ) if control == "text" else st.integers(0, 4000)
        for control in tour["names"]
    }

    @drawing(st.fixed_dictionaries(fields), cases=25)
    def _(drawn):
        assert differences(page, explorer, drawn) == []

    explorer.close()


def opened_in(page, tour: dict) -> None:
    start = dict(zip(tour["names"], tour["start"], strict=True))
    page.evaluate(OPEN, [tour["twin"]["name"], tour["twin"]["data"], tour["twin"]["models"], start])


def differences(page, explorer, drawn: dict) -> list[str]:
    """Move an explorer and its twin to the same place; return in what they differ."""
    asked, values = {}, {}
    for control, number in drawn.items():
        is_text = isinstance(explorer.controls[control], widgets.Text)
        stops = [] if is_text else stops_of(explorer.controls[control], None)
        asked[control] = number if is_text else number % len(stops)
        values[control] = number if is_text else stops[number % len(stops)][1]
    said = """(values) => {
      try { return window.update(values); } catch (error) { return { refused: error.message }; }
    }"""
    found = page.evaluate(said, asked)
    try:
        explorer.move(values)
    except ValueError as error:
        return [] if found == {"refused": str(error)} else [f"{asked}: {error}, but {found}"]
    if "refused" in found:
        return [f"{asked}: refused: {found['refused']}"]
    wrong = []
    if NOTHING.sub("≈0", found["words"]) != NOTHING.sub("≈0", explorer.words_now):
        wrong.append(f"{asked}: {found['words']} | {explorer.words_now}")
    wrong += table_differences(found["table"], explorer.tabulate(explorer.data))
    scene = explorer.image.now
    ours = {name: part for name, part in scene.parts.items() if part}
    theirs = {name: found["parts"][name] for name in found.get("order") or found["parts"]}
    if set(theirs) != set(ours):
        wrong.append(f"{asked}: parts {sorted(set(theirs) ^ set(ours))}")
    if [n for n in theirs if not NEED.fullmatch(n)] != [n for n in ours if not NEED.fullmatch(n)]:
        wrong.append(f"{asked}: another order")
    for key in set(ours) & set(theirs):
        if not chart_alike(theirs[key], ours[key]):
            wrong.append(f"{asked}: {key}: {theirs[key][:900]} | {ours[key][:900]}")
    return wrong


def table_differences(found: dict, table) -> list[str]:
    """Return the cells of two tables that differ: words as strings, numbers by more than 1e-5."""
    if found["headers"] != list(table.headers) or len(found["rows"]) != len(table.rows):
        return [f"another table: {found['headers']}, {len(found['rows'])} rows"]
    pairs = [
        (theirs, ours)
        for row, expected in zip(found["rows"], table.rows, strict=True)
        for theirs, ours in zip(row, expected, strict=True)
    ]
    return [
        f"in the table {theirs}, not {ours}"
        for theirs, ours in pairs
        if theirs != ours and (isinstance(ours, str) or not np.isclose(theirs, ours, 1e-5, 2e-6))
    ]


def chart_alike(theirs: str, ours: str) -> bool:
    """Compare two pieces of a chart: the same elements, lines as far as a pixel shows."""
    if not images_alike(*(IMAGE.findall(text) for text in (theirs, ours))):
        return False
    theirs, ours = (IMAGE.sub("", text) for text in (theirs, ours))
    split = [LINE.split(text) for text in (theirs, ours)]
    if len(split[0]) != len(split[1]):
        return False
    for place, (one, other) in enumerate(zip(*split, strict=True)):
        if place % 2:
            if not lines_alike(points_of(one), points_of(other)):
                return False
            continue
        if PLACE.sub("N", one) != PLACE.sub("N", other):
            return False
        numbers = [[float(n) for n in PLACE.findall(text)] for text in (one, other)]
        if numbers[0] and np.abs(np.subtract(*numbers)).max() > DRAWN:
            return False
    return True


def images_alike(theirs: list[str], ours: list[str]) -> bool:
    """Compare images cell by cell; a value between two colours may take either."""
    if len(theirs) != len(ours):
        return False
    for pair in zip(theirs, ours, strict=True):
        one, other = (
            np.asarray(Image.open(io.BytesIO(base64.b64decode(text))), int) for text in pair
        )
        if one.shape != other.shape or np.abs(one - other).max() > NEXT_COLOUR:
            return False
    return True


IMAGE = re.compile(r' href="data:image/png;base64,([^"]*)"')
NEXT_COLOUR = 3  # of 255
LINE = re.compile(r' d="(M[^"]*)"')
PLACE = re.compile(r"(?<![\w#.])-?\d+(?:\.\d+)?")  # neither a colour nor a name


def points_of(line: str) -> np.ndarray:
    """Return the points of a line that the recorder wrote."""
    numbers = np.array([float(n) for n in NUMBER.findall(line)]).reshape(-1, 2)
    return numbers.cumsum(axis=0) if set(re.findall("[A-Za-z]", line)) <= {"M", "l"} else numbers


def lines_alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether no point of one line is seen beside the other."""
    if len(one) == len(other) and np.abs(one - other).max() <= DRAWN:
        return True
    return min(len(one), len(other)) > 1 and max(apart(one, other), apart(other, one)) <= SIMPLER


def apart(points: np.ndarray, line: np.ndarray) -> float:
    """Return how far the points lie from a line, at most."""
    start, step = line[:-1], np.diff(line, axis=0)
    length = np.maximum((step**2).sum(axis=1), 1e-12)
    along = (((points[:, None] - start) * step).sum(axis=-1) / length).clip(0, 1)
    return float(
        np.linalg.norm(points[:, None] - start - along[..., None] * step, axis=-1).min(axis=1).max()
    )


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


@pytest.mark.parametrize(
    "value", [0.125, -0.125, 0.375, 0.0049, -0.001, 2.5, 1e-5, 12345.678, 1e8, 99.90625]
)
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
        ("f * memory[k] + i * g", "f * memory[k] + g"),
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
    shown = page_with(browser, source.replace(cell, mutant), ["word_lstm", "word_gru"])
    explorer = explore_gru_walk()
    tour = json.loads(json.dumps(tour_of(explorer)))
    opened_in(shown, tour)
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
    shown.context.close()
    assert differs


@pytest.mark.parametrize(
    ("name", "cell", "mutant"),
    [
        (
            "counters",
            "f * memory[k] + i * g",
            "f * memory[k] + g",
        ),
        ("counters", "+ bias[k] > 0", "> 0"),
        ("counters", "z * h[k]", "z"),
        ("reading", "Math.max(0, word(0) + state(0))", "word(0) + state(0)"),
        ("reading", "depths[n - 1] > 0", "depths[n - 1] >= 0"),
        ("reading", "counts[place] < counts[0]", "counts[place] <= counts[0]"),
        ("reading", "const wanted = (high - low) / most;", "const wanted = (high - low) / 9;"),
    ],
)
def test_a_mistake_in_a_chart_is_noticed(browser, in_64_bits, name, cell, mutant):
    """Catches a comparison that is true of any network, any language, any axis."""
    source = twins().decode()
    assert source.count(cell) == 1
    shown = page_with(browser, source.replace(cell, mutant), COUNTING)
    explorer = CHARTS[name]()
    opened_in(shown, json.loads(json.dumps(tour_of(explorer))))
    if name == "counters":
        places = [{"letters": k, "n": n, "ending": 0} for k in (0, 1) for n in (2, 30)]
    else:
        texts = {2: "aabbcc", 5: "abb", 6: "())", 0: "aaab"}
        places = [{"reader": reader, "text": text} for reader, text in texts.items()]
    assert any(differences(shown, explorer, place) for place in places)
    explorer.close()
    shown.context.close()


def test_a_page_walks_through_what_its_reader_types(browser, tmp_path, monkeypatch):
    """Catches a twin that is not brought, a typed line that is not taken, a slow or silent page."""
    shown = (
        'claim("00.1", 2, low=1, high=3, says="It is {}.")\n'
        "from course_utils.explorers import explore_lstm_walk\nexplore_lstm_walk()"
    )
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
        said, slowness = page.evaluate(DRAG)
        assert said == 10  # every stop says something of its own
        assert slowness < SLOWEST
