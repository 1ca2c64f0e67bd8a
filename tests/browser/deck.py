"""A lecture shown as slides: start the deck as a person does, walk through it, measure it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.browser.lab_page import LabPage

SCREEN = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Screen:
    """What the audience sees at one moment; cells are numbers, sizes are pixels of the page."""

    slide: int
    later: int  # cells that come with the next steps
    cells: list[int]
    heading: str
    heading_cut: bool
    smallest: float | None
    smallest_text: str
    letters: list[float]  # the smallest in every picture, as shown
    outside: list[str]
    overlaps: list[str]
    scrolls: bool
    hidden: float  # share of a long cell that has to be scrolled to, the sign of it shown
    filled: float  # share of the slide's height

    @property
    def fits(self) -> bool:
        """Return whether all is inside the window, nothing of a cell only after scrolling."""
        return not self.outside and not self.scrolls and not self.hidden


class Deck:
    """The deck of the notebook that a page has open."""

    def __init__(self, lab: LabPage):
        self.lab = lab

    def __enter__(self) -> Deck:
        self.lab.page.get_by_role("button", name="Present", exact=True).click()
        self.lab.page.wait_for_selector(".course-deck-chrome")
        self.screen()
        return self

    def __exit__(self, *_error) -> None:
        while self.is_open:
            self.press("Escape")

    @property
    def is_open(self) -> bool:
        """Return whether slides are shown."""
        return self.lab.page.locator(".course-deck-panel").count() == 1

    def press(self, *keys: str) -> Screen | None:
        """Press keys as a presenter does; return what is on the screen then."""
        for key in keys:
            self.lab.page.keyboard.press(key)
        return self.screen()

    def screen(self) -> Screen | None:
        """Return what is on the screen once the slide is laid out; None where none is shown."""
        size = self.lab.page.viewport_size
        seen = self.lab.page.evaluate(SCREEN, size)  # waits and measures on one way to the page
        return Screen(**seen) if seen else None

    def resized(self, width: int, height: int) -> Screen:
        """Return the same slide on a screen of another size, which stays."""
        self.lab.page.set_viewport_size({"width": width, "height": height})
        return self.screen()

    def walk(self, key: str = "PageDown") -> Iterator[Screen]:
        """Go from slide 1 to the end with one key; yield every screen."""
        screen = self.press("Home")
        while True:
            yield screen
            before, screen = screen, self.press(key)
            if (screen.slide, screen.later) == (before.slide, before.later):
                return

    def text(self, part: str) -> str:
        """Return what a part of the frame says: number, status, banner, title."""
        return self.lab.page.locator(f".course-deck-{part}").inner_text()
