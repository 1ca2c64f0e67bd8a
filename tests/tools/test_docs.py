"""What docs/ shows is what is there today."""

from __future__ import annotations

import ast
import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import course_utils
from tools.check import check
from tools.claims.table import out_of_date
from tools.docs import ARCHITECTURE, CROSSWALK, left_behind, with_part
from tools.layers import LAYERS

ROOT = Path(__file__).resolve().parents[2]


def test_the_made_texts_are_of_today():
    """Catches a table that is that of last month: `python -m tools docs` renews it."""
    assert left_behind(ROOT) == []


def test_a_made_text_left_behind_is_told_by_make_check(monkeypatch, capsys):
    """Catches `make check` that is content with a table from which a row is missing."""
    monkeypatch.delitem(LAYERS, "lab")
    assert check(ROOT) == 1
    told = capsys.readouterr().out
    assert f"{ARCHITECTURE} is out of date\n    → run make docs" in told
    assert str(CROSSWALK) not in told


def test_the_page_shows_the_claims_of_today():
    """Catches docs/claims.md left behind; `python -m tools claims LECTURE` renews it."""
    found = out_of_date(ROOT)
    assert not found, "\n".join(found)


def test_a_text_without_a_place_is_told():
    """Catches a table that silently goes nowhere."""
    with pytest.raises(ValueError, match="begin: layers"):
        with_part("nothing", "layers", "a table")
    renewed = with_part("<!-- begin: a -->old<!-- end: a --> rest", "a", r"n\ew")
    assert renewed == "<!-- begin: a -->\nn\\ew\n<!-- end: a --> rest"


def test_every_picture_of_the_readme_is_there_and_small():
    """Catches a picture that is lost on the way, or one that every clone pays for for ever."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    pictures = [ROOT / path for path in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)]
    assert len(pictures) == 3
    assert all(0 < picture.stat().st_size < 250_000 for picture in pictures)


def test_every_file_names_the_same_version():
    """Catches a release whose changelog is that of the one before, and a second place that says it;
    JupyterLab wants one in the deck's own page."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert not {"version", "date-released"} & citation.keys()
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = changes.split("\n## ")[1].split("\n")[0]
    assert newest.split()[0] == course_utils.__version__
    (page,) = (ROOT / "course_utils" / "labextensions").glob("*/package.json")
    assert json.loads(page.read_text(encoding="utf-8"))["version"] == course_utils.__version__


def test_every_file_names_the_same_licences():
    """Catches a licence that one file gives and another does not."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert project["license"] == " AND ".join(citation["license"])
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "MIT License" in text
    assert "Attribution 4.0 International" in " ".join(text.split())


PLACE = re.compile(r"`([\w/.-]+/|[\w/-]+\.(?:py|js))`(?: `([\w.]+)`(?:, `([\w.]+)`)?)?")


def test_the_architecture_leads_to_what_is_there():
    """Catches a map of a house that has been rebuilt: a file or a name that moved away."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    places = [(file, name) for file, *names in PLACE.findall(text) for name in names or [""]]
    assert len(places) > 40
    lost = [f"{file} {name}" for file, name in places if not _is_there(file, name)]
    assert not lost, "\n".join(lost)


def _is_there(file: str, name: str) -> bool:
    path = next((p for root in ("course_utils", "") if (p := ROOT / root / file).exists()), None)
    if path is None or not name or path.is_dir():
        return path is not None
    if path.suffix == ".js":
        return re.search(rf"\b{name}\(", path.read_text(encoding="utf-8")) is not None
    body = ast.parse(path.read_text(encoding="utf-8")).body
    for part in name.split("."):
        found = [
            node
            for node in body
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == part
        ]
        if not found:
            return False
        body = found[0].body
    return True


def test_the_places_of_a_map_are_really_looked_up():
    """Catches a search that calls everything found."""
    assert _is_there("models/steps.py", "lstm_step")
    assert _is_there("explorers/machinery/explorer.py", "Explorer._on_change")
    assert not _is_there("models/steps.py", "lstm_stop")
    assert _is_there("explorers/machinery/page/play.js", "addPlayer")
    assert not _is_there("explorers/machinery/page/play.js", "addPlay")
    assert not _is_there("models/stops.py", "")
    assert not _is_there("explorers/machinery/explorer.py", "Explorer.on_change")


def slug(heading: str) -> str:
    """Return the name under which a repository's page shows a heading."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md"])
def test_every_link_leads_to_what_is_there(page):
    """Catches a page that was renamed, a heading that was, and a host's link to a lost lecture."""
    for file in ROOT.glob(page):
        text = re.sub(r"```.*?```", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            if link.startswith(("https://", "http://")):
                continue
            name, _, place = link.partition("#")
            target = file.parent / name if name else file
            assert target.exists(), f"{file.name}: {link}"
            if place:
                told = target.read_text(encoding="utf-8")
                assert place in map(slug, re.findall(r"^#+ (.*)$", told, re.MULTILINE)), link
        for path in re.findall(r"urlpath=lab/tree/([^`\s)]+)", text):
            assert (ROOT / path).is_file(), path
