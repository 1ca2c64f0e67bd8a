"""A small lecture as a page: all that can be read is there, and nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest

from course_utils.explorers import explore_echo, explore_made_of
from course_utils.explorers.machinery.tours import tour_of
from course_utils.pages.markdown import heading_name, to_html
from course_utils.site import runs
from course_utils.site.build import build_site
from course_utils.site.frame import framed
from course_utils.site.lecture_page import Writer
from tests.tools.lesson import write_lesson

EXPLORED = """from course_utils.checks.predictions import predict, predicted
predict("00.a", "Is <b> a tag?", ["yes", "no"])
predict("00.b", "How many?", unit="steps")
predicted("00.b", "7 steps")
claim("00.1", 2, low=1, high=3, says="It is {}.")
print("one\\rtwo")
explore_echo()"""
NOTE = "<details><summary>For the instructor</summary>\n\nWhisper.\n\n</details>"


def note(cell) -> None:
    cell.metadata["slideshow"]["slide_type"] = "notes"
    cell.source = NOTE


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Return the folder of a small site, and what building it a second time said."""
    root = tmp_path_factory.mktemp("course")
    section = (
        "## A $x_t$ section\n\n[on](01_next.ipynb#Here) of $U$. In (the $U$), $U$ and\n\n$$x$$."
    )
    write_lesson(root, claim=EXPLORED, section=section)
    write_lesson(root, name="01_next.ipynb", questions=note)
    told: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COURSE_SITE_RUNS", str(root / "runs"))
        build_site(root / "notebooks", root / "site", told.append)
        assert sorted(told) == ["00_small: running", "01_next: running"]
        (root / "site" / "mine.html").write_text("mine")
        (root / "notebooks" / "01_next.ipynb").touch()
        build_site(root / "notebooks", root / "site", told.append)
        assert len(told) == 2, "nothing has changed"
    return root / "site"


class Referred(HTMLParser):
    """What a page refers to, and what can be referred to on it."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.links += [found[name] for name in ("src", "href", "data-script") if found.get(name)]
        self.names.add(found.get("id"))


def test_every_reference_is_there(site):
    """Catches a picture or a script left out, a link to a notebook, anything from a network."""
    pages = {page.name: Referred() for page in site.glob("*.html") if page.name != "mine.html"}
    for name, found in pages.items():
        found.feed((site / name).read_text(encoding="utf-8"))
    links = [(name, link) for name, found in pages.items() for link in found.links]
    for name, link in links:
        file, _, place = link.partition("#")
        assert not re.match("(https?:)?//", link)
        if file and not file.startswith("data:"):
            assert (site / file).is_file(), (name, link)
        if place and (file or name) == name:
            assert unquote(place) in pages[name].names, (name, link)
    assert {"tours/00_small.claim.js", "site.css", "site.js"} <= {link for _, link in links}


def test_what_can_be_read_is_there(site):
    """Catches a fold that cannot be opened, a claim or a picture without its words, raw TeX."""
    page = (site / "00_small.html").read_text(encoding="utf-8")
    assert '<details class="folded"><summary>What this lecture uses.</summary>' in page
    assert "It is <b>2</b>." in page
    assert re.findall(r'<pre class="printed"[^>]*>(.*?)</pre>', page, re.DOTALL) == ["two\n"]
    assert 'class="explorer"' in page
    assert re.search(r"<figcaption[^>]*>With recurrent weight 0.8 the pulse", page)
    assert "Is &lt;b&gt; a tag?" in page
    assert page.count('type="radio"') == 2
    assert 'data-result="00.b"' in page
    assert '<h2 id="A-xt-section">A <math' in page
    assert "$" not in re.sub(r"<(pre|code|script)[ >].*?</\1>", "", page, flags=re.DOTALL)


def test_what_needs_a_kernel_or_an_instructor_is_not(site):
    """Catches a check that nobody can run, the notes of a presenter, a prediction told twice."""
    pages = [
        (site / f"{name}.html").read_text(encoding="utf-8") for name in ("00_small", "01_next")
    ]
    for page in pages:
        assert "check(" not in page.partition("one_step")[2]
        assert "not attempted" not in page.lower()
        assert "course lab 0" in page
        assert "Whisper" not in page
        assert "course-guess" not in page


def test_a_mark_stays_with_its_formula(site):
    """Catches a full stop that begins a line of its own on a phone."""
    page = (site / "00_small.html").read_text(encoding="utf-8")
    kept = re.findall('<span class="unbroken">(.*?)</span>', page)
    assert [re.sub("<math.*</math>", "U", one) for one in kept] == ["U.", "U),"]


def test_a_page_says_that_it_has_run(site):
    """Catches "run the cells" on a page that cannot, without a word on where one can."""
    page = (site / "01_next.html").read_text(encoding="utf-8")
    told = page.index("ran when the page was made")
    assert page.index("<h1") < told < page.index('class="code')
    assert "course lab 01" in page[told : told + 300]


def test_somebodys_page_stays(site):
    """Catches a build that tidies up more than it wrote."""
    assert (site / "mine.html").read_text() == "mine"


def test_search_knows_every_section(site):
    """Catches an index without a lecture, or without its words."""
    index = (site / "search-index.js").read_text(encoding="utf-8")
    assert '"01_next.html"' in index
    assert index.count("One unit listens to itself") > 2


def test_a_changed_lecture_runs_again(tmp_path, monkeypatch):
    """Catches yesterday's outputs under today's text, or under another package."""
    monkeypatch.setenv("COURSE_SITE_RUNS", str(tmp_path / "runs"))
    monkeypatch.setattr(runs, "run", lambda lecture: runs.nbformat.read(lecture, 4))
    path, told = write_lesson(tmp_path), []
    for change in (lambda: None, lambda: None, lambda: path.write_text(path.read_text() + " ")):
        change()
        runs.run_lectures([path], told.append)
    assert len(told) == 2
    monkeypatch.setattr(runs, "package_digest", lambda: "another")
    runs.run_lectures([path], told.append)
    assert len(told) == 3
    assert len([*(tmp_path / "runs").iterdir()]) == 1


def test_a_digest_is_of_what_a_cell_can_run(monkeypatch, tmp_path):
    """Catches a changed model that the kept run does not notice."""
    (tmp_path / "models").mkdir()
    (tmp_path / "site").mkdir()
    monkeypatch.setattr(runs, "PACKAGE", tmp_path)
    seen = set()
    for name in ("", "models/a.py", "models/b.safetensors", "site/c.py", "models/d.md"):
        if name:
            (tmp_path / name).write_text("x")
        seen.add(runs.package_digest())
    assert len(seen) == 3


def test_a_heading_with_a_formula_is_html():
    """Catches nbconvert's headings, whose formulas no browser knows."""
    page = to_html("## The $x_t$ & more")
    assert page.startswith('<h2 id="The-xt-&amp;-more">The <math ')
    assert heading_name("a “b” c") == "a-“b”-c"


def test_a_title_is_escaped():
    """Catches a lecture's title that ends the page's head."""
    assert b"<title>a &lt;b&gt; " in framed("a <b>", "")


def test_pages_are_small():
    """Catches a library in the one script of every page."""
    from course_utils.site.frame import scripts, style

    assert len(scripts()) < 60_000
    assert len(style()) < 20_000


def test_explorers_of_one_cell_have_names_of_their_own():
    """Catches a tour that takes the place of another: two explorers that one cell shows."""
    writer, shown = Writer("00_small"), [explore_echo(), explore_made_of()]
    pages = [writer._explorer(tour_of(explorer), "claim") for explorer in shown]
    names = re.findall('data-explorer="([^"]*)"', "".join(pages))
    assert len({*names}) == 2
    assert {f"tours/{name}.js" for name in names} <= {*writer.files}
    for explorer in shown:
        explorer.close()
