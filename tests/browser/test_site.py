"""The site as a reader has it: from a folder, offline, on a phone and on a desk, light and dark."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from course_utils.pages.notebook import lectures
from course_utils.site import book, runs
from course_utils.site.build import build_site
from course_utils.site.twins import MODELS
from tests.browser import axe
from tests.browser.chromium import executable
from tests.browser.server import REPOSITORY
from tests.tools.lesson import write_lesson

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LECTURES = [pytest.param(path, id=path.stem) for path in lectures(REPOSITORY / "notebooks")]
PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}
WHOLE = 80_000_000  # bytes of the site
# what a lecture may take beyond its share, for networks and counts that it makes itself
TRAINED_THERE = {"01_language_models": 800_000}
SMALL = 400_000  # bytes that are read before the first touch
# Move a control as a hand does; answer when its picture is there, or say why it cannot be.
MOVE = """async ([explorer, control, stop]) => {
  const figure = document.querySelectorAll(".explorer")[explorer];
  const input = figure.querySelectorAll(".control :is(input, select)")[control];
  const shown = new Promise((done, fail) => {
    addEventListener("unhandledrejection", ({ reason }) => fail(reason), { once: true });
    const watch = new MutationObserver(() => {
      watch.disconnect();
      done(figure.dataset.at);
    });
    watch.observe(figure, { attributeFilter: ["data-at"] });
  });
  if (input.type === "checkbox") input.click();
  else if (input.type === "text") input.dispatchEvent(new Event("change", { bubbles: true }));
  else {
    if (input.tagName === "SELECT") input.selectedIndex = stop;
    else input.value = String(stop);
    const kind = input.type === "range" ? "input" : "change";
    input.dispatchEvent(new Event(kind, { bubbles: true }));
  }
  await shown;
  return [figure.dataset.picture, figure.querySelector("figcaption").textContent];
}"""
STOPS = """(figure) => [...figure.querySelectorAll(".control :is(input, select)")].map((input) =>
  input.type === "checkbox" ? 2 : input.options?.length ?? Number(input.max) + 1)"""
# axe asks every element: of the words of a block of coloured code, one of each kind is enough
ONE_OF_EACH = """() => {
  for (const block of document.querySelectorAll(".highlight")) {
    const seen = new Set();
    for (const word of block.querySelectorAll("span")) {
      if (seen.has(word.className)) word.replaceWith(...word.childNodes);
      seen.add(word.className);
    }
  }
}"""
# of every picture its file, how wide it stands on the page, and how wide it was drawn
PICTURES = """() => [...document.querySelectorAll("main img.course-picture")].map((picture) => {
  const drawn = Number(picture.getAttribute("width"));
  return [picture.getAttribute("src"), picture.getBoundingClientRect().width, drawn];
})"""
# of a drawing that was touched, what the smallest of its words measures on the page
DRAWN = """(figure) => {
  const drawing = figure.querySelector("svg.course-drawing");
  const scale = drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width;
  const words = [...drawing.querySelectorAll("[font-size]")];
  return scale * Math.min(...words.map((word) => Number(word.getAttribute("font-size"))));
}"""
READABLE = 9.5  # pixels: the size of the smallest words in a picture
WIDER = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """Return a function that builds one lecture's pages in a folder with an awkward name."""
    folders: dict[str, Path] = {}

    def site_of(lecture: Path) -> Path:
        if lecture.stem not in folders:
            out = tmp_path_factory.mktemp(lecture.stem) / "Kurs für ELMo"
            build_site(lecture.parent, out, only=[lecture.name[:2]])
            folders[lecture.stem] = out
        return folders[lecture.stem]

    return site_of


@contextmanager
def opened(browser, page: Path, size=PHONE, theme="light", scripts=True) -> Iterator:
    """Open a page from its folder without a network; whatever it complains about is an error."""
    context = browser.new_context(
        viewport=size, color_scheme=theme, java_script_enabled=scripts, has_touch=size == PHONE
    )
    context.set_offline(True)
    shown, complaints = context.new_page(), []
    shown.on("console", lambda message: complaints.append(message.text))
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    shown.on("requestfailed", lambda request: complaints.append(request.failure))
    shown.goto(page.as_uri())
    yield shown
    context.close()
    # a picture that was on its way when the reader went on
    assert [one for one in complaints if one != "net::ERR_ABORTED"] == []


@pytest.mark.parametrize("lecture", LECTURES)
def test_every_control_of_every_explorer_moves_its_picture(browser, sites, lecture):
    """Catches a control of a tour that is wired to nothing, and one that makes the page fall."""
    with opened(browser, sites(lecture) / f"{lecture.stem}.html") as page:
        figures = page.query_selector_all(".explorer")
        assert figures
        for explorer, figure in enumerate(figures):
            counts, seen = figure.evaluate(STOPS), set()
            for control, count in enumerate(counts):
                for stop in dict.fromkeys((count - 1, 0, count // 2)):
                    picture, words = page.evaluate(MOVE, [explorer, control, stop])
                    assert words.strip()
                    seen.add(picture)
            assert len(seen) > 1, f"explorer {explorer}: whatever is moved, the picture stays"
            figure.query_selector("text=Back to the start").click()
            figure.query_selector("text=Show the numbers").click()
            assert figure.query_selector(".numbers td")
        assert page.evaluate(WIDER) <= 0


@pytest.mark.parametrize(
    ("size", "theme"), [(PHONE, "dark"), (DESK, "light")], ids=["phone", "desk"]
)
@pytest.mark.parametrize("lecture", LECTURES)
def test_a_page_fits_and_can_be_used_by_everybody(browser, sites, lecture, size, theme):
    """Catches a page wider than the phone, colours too faint, an input without a name.

    Of the words of a block of coloured code, which are most of a page, one of each colour is left.
    """
    if reason := axe.missing():
        pytest.skip(reason)
    with opened(browser, sites(lecture) / f"{lecture.stem}.html", size, theme) as page:
        assert page.evaluate(WIDER) <= 0
        page.evaluate(ONE_OF_EACH)
        assert axe.violations_in(page, "body") == []


@pytest.mark.parametrize("lecture", LECTURES)
def test_the_words_in_a_picture_can_be_read_on_a_phone(browser, sites, lecture):
    """Catches a picture pressed into the width of a phone, or cut where no finger gets it back."""
    folder = sites(lecture)
    with opened(browser, folder / f"{lecture.stem}.html") as page:
        for source, width, drawn in page.evaluate(PICTURES):
            sizes = re.findall(r'font-size="([\d.]+)"', (folder / source).read_text("utf-8"))
            assert min(map(float, sizes)) * width / drawn > READABLE, source
        first = page.locator(".explorer").first
        page.evaluate(MOVE, [0, 0, 0])
        assert first.evaluate(DRAWN) > READABLE
        frame = first.locator(".picture")
        frame.evaluate("(frame) => frame.scrollTo(frame.scrollWidth, 0)")
        seen, whole = frame.bounding_box(), first.locator("svg").bounding_box()
        assert whole["x"] + whole["width"] <= seen["x"] + seen["width"] <= PHONE["width"]
        assert page.evaluate(WIDER) <= 0


@pytest.mark.parametrize("lecture", LECTURES)
def test_a_lecture_takes_no_more_than_its_share(sites, lecture):
    """Catches tours that grow: all lectures, and every model that is shipped, are below 80 MB."""
    folder = sites(lecture)
    files = [file for file in folder.rglob("*") if file.is_file()]
    own = sum(file.stat().st_size for file in files if file.parent.name != "models")
    models = sum(file.stat().st_size for file in MODELS.glob("*.safetensors")) * 4 / 3
    alike = (WHOLE - models - sum(TRAINED_THERE.values())) / len(LECTURES)
    assert own < alike + TRAINED_THERE.get(lecture.stem, 0)


@pytest.mark.parametrize("lecture", LECTURES)
def test_a_page_is_small_before_the_first_touch(sites, lecture):
    """Catches pictures or tours that come with the text."""
    folder = sites(lecture)
    read = [f"{lecture.stem}.html", "site.css", "site.js"]
    assert sum((folder / name).stat().st_size for name in read) < SMALL


@pytest.mark.parametrize("lecture", LECTURES)
def test_the_guide_says_how_every_explorer_answers(sites, lecture):
    """Catches a twin that a page lost, a grid with a hole, a list that nobody kept."""
    listed = (REPOSITORY / "docs" / "hosts.md").read_text(encoding="utf-8").split("\n- **")
    kinds = {"They compute": "twin", "They hold": "grid"}
    said = {
        " ".join(title.split()): kind
        for item in listed for begin, kind in kinds.items() if item.startswith(begin)
        for title in re.findall("“([^”]*)”", item)
    }  # fmt: skip
    assert set(said.values()) == {*kinds.values()}
    found: dict[str, set[str]] = {}
    for file in sorted((sites(lecture) / "tours").glob("*.js")):
        text = file.read_text(encoding="utf-8").removeprefix("course.tour(").removesuffix(");\n")
        _, tour = json.loads(f"[{text}]")
        found.setdefault(tour["title"], set()).add(tour["kind"])
        if tour["kind"] == "grid":
            assert len(tour["at"]) == math.prod(map(len, tour["stops"]))
            assert None not in tour["at"]
    for title, answers in found.items():  # a second one may show a network that is not shipped
        assert said.get(title, "one") in answers <= {said.get(title, "one"), "one"}, title


@pytest.mark.parametrize("lecture", LECTURES[2:3])
def test_without_scripts_everything_can_be_read(browser, sites, lecture):
    """Catches words or pictures that only a script puts there."""
    with opened(browser, sites(lecture) / f"{lecture.stem}.html", scripts=False) as page:
        for figure in page.query_selector_all(".explorer"):
            assert figure.query_selector("figcaption").inner_text().strip()
            image = figure.query_selector("img")
            image.scroll_into_view_if_needed()
            assert image.bounding_box()["height"] > 40
        assert page.query_selector("math").bounding_box()["width"] > 5


@pytest.mark.parametrize("lecture", LECTURES[2:3])
def test_the_way_back_and_a_reload_keep_what_was_written(browser, sites, lecture):
    """Catches a prediction lost by a reload, and a page that is not there when one comes back."""
    with opened(browser, sites(lecture) / f"{lecture.stem}.html") as page:
        box = page.locator("[data-prediction] input[type=text]").first
        name = page.locator("[data-prediction]:has(input[type=text])").first.get_attribute(
            "data-prediction"
        )
        box.fill("a guess & more")
        told = page.locator(f'[data-result="{name}"] .guess')
        assert told.inner_text().strip() == "You wrote “a guess & more”."
        page.reload()
        assert box.input_value() == "a guess & more"
        page.locator(".home").click()
        page.locator(".cards a").first.click()
        page.go_back()
        page.go_back()
        assert page.url.endswith(f"{lecture.stem}.html")
        assert box.input_value() == "a guess & more"


@pytest.mark.parametrize("lecture", LECTURES[2:3])
def test_search_and_theme(browser, sites, lecture):
    """Catches an index that is fetched, a link that leads nowhere, a theme that is forgotten."""
    with opened(browser, sites(lecture) / "index.html") as page:
        page.get_by_role("searchbox").fill("spectral radius")
        page.locator(".found a").first.click()
        assert lecture.stem in page.url
        page.get_by_role("button", name="Switch to dark").click()
        page.reload()
        assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == (
            "rgb(18, 18, 20)"
        )


@pytest.mark.parametrize("lecture", LECTURES[2:3])
def test_a_list_of_what_was_found_stands_on_the_phone(browser, sites, lecture):
    """Catches results whose first letters lie beyond the edge, and a list over what it led to."""
    with opened(browser, sites(lecture) / f"{lecture.stem}.html") as page:
        page.get_by_role("searchbox").fill("spectral radius")
        first = page.locator(".found a").first
        first.wait_for()
        seen = page.locator(".found").bounding_box()
        assert 0 <= seen["x"] <= seen["x"] + seen["width"] <= PHONE["width"]
        first.tap()
        assert page.locator(".found a").count() == 0


def test_a_book_is_printed(tmp_path, monkeypatch):
    """Catches an option that this browser does not know, and a book of one page."""
    write_lesson(tmp_path)
    monkeypatch.setenv("COURSE_SITE_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("COURSE_CHROMIUM", executable())
    monkeypatch.setattr(runs, "run", lambda lecture: runs.nbformat.read(lecture, 4))
    file = book.write_book(tmp_path / "notebooks", tmp_path / "book")
    printed = file.read_bytes()
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") >= 2
    assert b"/Outlines" in printed
