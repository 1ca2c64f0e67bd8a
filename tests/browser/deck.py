"""A lecture shown as slides: start the deck, walk through it, measure what is on the screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.browser.lab_page import LabPage

START = """async () => {
  const panel = window.course.panel;
  panel.content.activeCellIndex = 0;
  await window.jupyterapp.commands.execute("deck:toggle");
}"""
ON_SCREEN = """() => {
  const cells = window.course.panel.content.widgets;
  const shown = cells.map((cell) => cell.node)
    .filter((node) => node.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }));
  const inside = (node) => {
    const box = node.getBoundingClientRect();
    return box.top >= -1 && box.left >= -1
      && box.bottom <= innerHeight + 1 && box.right <= innerWidth + 1;
  };
  // wide lines and pictures stick out of their own box, not of the cell
  const wide = (node) => [...node.querySelectorAll("img, pre, table, mjx-container, .cm-content")]
    .filter((part) => part.checkVisibility() && !inside(part))
    .map((part) => part.tagName.toLowerCase());
  const parts = [".jp-Notebook", ".jp-WindowedPanel-outer"]
    .flatMap((part) => [...document.querySelectorAll(`.jp-Deck ${part}`)]);
  return {
    active: window.course.panel.content.activeCellIndex,
    cells: shown.map((node) => cells.findIndex((cell) => cell.node === node)),
    height: Math.max(0, ...parts.map((node) => node.scrollHeight)),
    outside: shown.flatMap((node) => [...(inside(node) ? [] : ["cell"]), ...wide(node)]),
    scrolls: parts.some((node) => node.scrollHeight > node.clientHeight + 1),
  };
}"""


@dataclass(frozen=True)
class Screen:
    """What the audience sees at one moment: cells by number, and the height they ask for."""

    active: int
    cells: list[int]
    height: int
    outside: list[str]
    scrolls: bool

    @property
    def fits(self) -> bool:
        """Return whether everything on the slide is inside the window."""
        return not self.outside and not self.scrolls


class Deck:
    """The deck of the notebook that a page has open."""

    def __init__(self, lab: LabPage):
        self.lab = lab

    def __enter__(self) -> Deck:
        self.lab.page.evaluate(START)
        self.lab.page.wait_for_selector(".jp-Deck .jp-deck-mod-visible")
        self.lab.settle()
        return self

    def __exit__(self, *_error) -> None:
        self.lab.command("deck:stop")

    def screen(self) -> Screen:
        """Return what is on the screen now."""
        return Screen(**self.lab.page.evaluate(ON_SCREEN))

    def walk(self) -> Iterator[Screen]:
        """Go through the deck with Space, as a presenter does; yield every screen that differs."""
        seen, screen = None, self.screen()
        while True:
            if seen is None or screen.cells != seen.cells:
                yield screen
            self.lab.page.keyboard.press("Space")
            self.lab.settle()
            seen, screen = screen, self.screen()
            if screen.active == seen.active:
                return
