"""Renew the README's pictures: `python -m tests.browser.doc_pictures`.

Real screens: lecture 02 with its explorer in JupyterLab and as a page on a phone, and a slide of
lecture 03.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image

from course_utils.site.build import build_site
from tests.browser.chromium import browser, missing
from tests.browser.deck import Deck
from tests.browser.lab_page import LabPage
from tests.browser.shots import opened

ROOT = Path(__file__).resolve().parents[2]
LECTURE, DECK = ROOT / "docs" / "lecture.png", ROOT / "docs" / "deck.png"
ON_THE_PHONE = "02_vanishing_gradients"
PHONE = ROOT / "docs" / "phone.png"
SHOW = """(id) => {
  const notebook = window.course.panel.content;
  const place = notebook.widgets.findIndex((cell) => cell.model.id === id);
  notebook.activeCellIndex = place;
  notebook.widgets[place].node.scrollIntoView({ block: "start" }); // Lab itself would stop earlier
}"""


def main() -> None:
    """Take all pictures."""
    if reason := missing():
        sys.exit(reason)
    save(shoot_phone(ROOT / "notebooks"), PHONE)
    with opened(ROOT / "notebooks" / "02_vanishing_gradients.ipynb") as lab:
        lab.run_all()
        save(shoot_cell(lab, "s3-explore"), LECTURE)
    with opened(ROOT / "notebooks" / "03_lstm.ipynb") as lab:
        lab.run_all()
        with Deck(lab) as deck:
            explorer = [c["id"] for c in lab.cells()].index("explore-gates")
            for screen in deck.walk():
                if explorer in screen.cells:
                    break
            save(lab.page.screenshot(), DECK)


def shoot_cell(lab: LabPage, cell: str) -> bytes:
    """Return the page with a cell at its top."""
    lab.command("application:toggle-left-area")
    lab.page.set_viewport_size({"width": 1280, "height": 900})
    lab.settle().page.evaluate(SHOW, cell)
    lab.settle()
    return lab.page.screenshot()


def shoot_phone(notebooks: Path) -> bytes:
    """Return a page of the site with an explorer, as a phone shows it."""
    with tempfile.TemporaryDirectory() as home, browser() as chromium:
        page = build_site(notebooks, Path(home), only=["02"]).page.with_name(f"{ON_THE_PHONE}.html")
        shown = chromium.new_page(viewport={"width": 390, "height": 844}, device_scale_factor=1.5)
        shown.goto(f"{page.as_uri()}#cell-explore-norms")
        figure = shown.locator("[data-explorer$=explore-norms]")
        figure.locator("input[type=range]").first.press("PageUp")
        figure.locator("svg").wait_for()
        figure.evaluate("(box) => box.scrollIntoView({ block: 'start' })")
        return shown.screenshot()


def save(png: bytes, file: Path) -> None:
    """Write a picture in few colours: a repository keeps every one for ever."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.quantize(128, dither=Image.Dither.NONE).save(file, "png", optimize=True)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
