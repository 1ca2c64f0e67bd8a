"""Look at a lecture: `python -m tests.browser.shots NOTEBOOK FOLDER [--deck] [--dark]`.

Writes one PNG for the whole notebook after Run All, or one for every slide of its deck.
"""

from __future__ import annotations

import argparse
import contextlib
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.browser.chromium import browser, missing
from tests.browser.deck import Deck
from tests.browser.lab_page import LabPage
from tests.browser.server import LabServer
from tests.browser.small_notebooks import write_first_lecture

TALLEST = 16_000
LAY_OUT_ALL = """() => {
  const notebook = window.course.panel.content;
  notebook.notebookConfig = { ...notebook.notebookConfig, windowingMode: "none" };
  notebook.activeCellIndex = 0;
  notebook.node.querySelector(".jp-WindowedPanel-outer").scrollTop = 0;
}"""
BOTTOM = """() => Math.max(...window.course.panel.content.widgets
  .map((cell) => cell.node.getBoundingClientRect().bottom))"""


def main() -> int:
    """Take the pictures; return 1 when something went wrong in the notebook."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebook", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deck", action="store_true", help="one picture for every slide")
    parser.add_argument("--dark", action="store_true", help="in JupyterLab's dark theme")
    options = parser.parse_args()
    if reason := missing():
        sys.exit(reason)
    options.folder.mkdir(parents=True, exist_ok=True)
    with opened(options.notebook) as lab:
        if options.dark:
            lab.use_theme("Dark")
        lab.run_all()
        (shoot_deck if options.deck else shoot_whole)(lab, options.folder)
        problems = lab.problems()
    print("\n".join(problems) or "no errors")
    return bool(problems)


@contextlib.contextmanager
def opened(notebook: Path) -> Iterator[LabPage]:
    """Open a copy of one notebook on a server of its own."""
    with tempfile.TemporaryDirectory() as folder:
        course, private = Path(folder, "course"), Path(folder, "private")
        (course / "notebooks").mkdir(parents=True)
        private.mkdir()
        shutil.copy(notebook, course / "notebooks")
        write_first_lecture(course / "notebooks")
        with LabServer(course, private) as server, browser() as chromium:
            yield LabPage(chromium, server).open(notebook.name)


def shoot_whole(lab: LabPage, folder: Path) -> None:
    """Grow the window until the whole notebook is in it, and take one picture."""
    lab.command("application:toggle-left-area")
    lab.page.set_viewport_size({"width": 1280, "height": TALLEST})
    lab.page.evaluate(LAY_OUT_ALL)
    bottom = lab.settle().page.evaluate(BOTTOM)
    file = folder / "whole.png"
    lab.page.screenshot(path=file, clip={"x": 0, "y": 0, "width": 1280, "height": bottom + 40})
    print(file)


def shoot_deck(lab: LabPage, folder: Path) -> None:
    """Take one picture for every slide, its fragments shown, and say which do not fit."""
    with Deck(lab) as deck:
        for screen in deck.walk():
            if screen.later:
                continue
            lab.page.screenshot(path=folder / f"slide_{screen.slide:02d}.png")
            verdict = "" if screen.fits else f"DOES NOT FIT {', '.join(screen.outside)}"
            sizes = f"{screen.filled:.0%} filled, text from {screen.smallest or 0:.0f} px"
            print(f"slide_{screen.slide:02d}.png  cells {screen.cells}, {sizes}  {verdict}")


if __name__ == "__main__":
    sys.exit(main())
