"""An explorer as its reader meets it: reached by Tab, moved by keys, seen as a picture."""

from __future__ import annotations

from dataclasses import dataclass

from tests.browser.lab_page import LabPage

CONTROLS = (
    ".noUi-handle, select, input[type=checkbox], input[type=text], .widget-toggle-buttons button"
)
MOST_TABS = 60


@dataclass(frozen=True)
class Control:
    """One thing to move: its place among the explorer's controls, its kind and its label."""

    index: int
    kind: str  # slider, list, box, text or button
    label: str


class ExplorerPage:
    """One explorer on a page."""

    def __init__(self, lab: LabPage, index: int = 0):
        self.lab = lab
        self.box = lab.page.locator(".course-explorer").nth(index)
        self.picture_node = self.box.locator(".course-picture").first

    def controls(self) -> list[Control]:
        """Return every control of the explorer from top to bottom."""
        found = self.box.locator(CONTROLS).evaluate_all(
            """nodes => nodes.map((node) => {
              const kind = node.matches(".noUi-handle") ? "slider"
                : node.matches("select") ? "list"
                : node.matches("[type=checkbox]") ? "box"
                : node.matches("[type=text]") ? "text" : "button";
              const label = node.closest(".widget-inline-hbox")?.querySelector(".widget-label");
              return { kind, label: (label ?? node).textContent.trim() };
            })"""
        )
        return [Control(index, **control) for index, control in enumerate(found)]

    def cell_index(self) -> int:
        """Return the number of the cell that shows this explorer."""
        return self.box.evaluate(
            "box => window.course.panel.content.widgets"
            ".findIndex((cell) => cell.node.contains(box))"
        )

    def picture(self) -> str:
        """Return a fingerprint of the picture that is shown."""
        return self.picture_node.evaluate("picture => window.course.fingerprint(picture)")

    def words(self) -> str:
        """Return the sentence below the picture."""
        return self.box.locator(".course-words").text_content().strip()

    def alt(self) -> str:
        """Return what a screen reader says instead of the picture."""
        return self.picture_node.evaluate(
            "node => node.querySelector('svg')?.getAttribute('aria-label') ?? ''"
        )

    def width(self) -> int:
        """Return how wide the picture itself is, wherever it is shown."""
        return self.picture_node.evaluate("node => node.querySelector('svg').viewBox.baseVal.width")

    def error(self) -> str:
        """Return the explorer's own error line, empty when all is well."""
        return self.box.locator(".course-error").text_content().strip()

    def node(self, control: Control):
        """Return where a control is on the page."""
        return self.box.locator(CONTROLS).nth(control.index)

    def reach(self, control: Control) -> None:
        """Go from the first control to this one with Tab alone."""
        self.box.locator(CONTROLS).first.focus()
        node = self.node(control)
        for _ in range(MOST_TABS):
            if node.evaluate("node => node === document.activeElement"):
                return
            self.lab.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never reaches {control.label!r}")

    def press(self, *keys: str) -> str:
        """Press keys where the focus is, wait for the answer, return the new picture."""
        for key in keys:
            self.lab.page.keyboard.press(key)
        self.lab.settle()
        return self.picture()

    def click(self, label: str) -> str:
        """Press one of the explorer's buttons by keyboard, return the picture after it."""
        self.box.get_by_role("button", name=label).press("Enter")
        self.lab.settle()
        return self.picture()

    def tour(self, control: Control) -> list[tuple[str, str]]:
        """Move one control to all its places; return (place, picture) for each."""
        self.reach(control)
        return getattr(self, f"_tour_{control.kind}")(self.node(control))

    def _tour_slider(self, node) -> list[tuple[str, str]]:
        seen = []
        for key, end in (("Home", "aria-valuemin"), ("End", "aria-valuemax")):
            picture = self.press(key)
            now = node.get_attribute("aria-valuenow")
            assert now == node.get_attribute(end), f"{key} moved it to {now} only"
            seen.append((f"{key}: {now}", picture))
        return seen

    def _tour_list(self, node) -> list[tuple[str, str]]:
        seen = [("first", self.press("Home"))]
        for _ in range(node.locator("option").count() - 1):
            picture = self.press("ArrowDown")
            seen.append((node.evaluate("node => node.selectedOptions[0].label"), picture))
        return seen

    def _tour_box(self, _node) -> list[tuple[str, str]]:
        return [(place, self.press("Space")) for place in ("toggled", "back")]

    def _tour_text(self, node) -> list[tuple[str, str]]:
        before, text = self.picture(), node.input_value()
        more = f" {text.split()[0]}" if " " in text else text[:1] or "the"
        self.lab.page.keyboard.press("End")
        self.lab.page.keyboard.type(more)
        return [("as it was", before), ("a little more", self.press("Enter"))]

    def _tour_button(self, node) -> list[tuple[str, str]]:
        return [("before", self.picture()), (node.inner_text(), self.press("Enter"))]


def explorers(lab: LabPage) -> list[ExplorerPage]:
    """Return every explorer of the page."""
    return [
        ExplorerPage(lab, index) for index in range(lab.page.locator(".course-explorer").count())
    ]
