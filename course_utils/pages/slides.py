"""Which cells make which slide, and what belongs to it that only the presenter sees.

The deck in the page knows the same rules (labextensions/recurrent-course/static/slides.js and
notes.js); a test in node, and one in the browser, compare the two on every lecture.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from course_utils.pages.notebook import Cell, Notebook

ASIDE = ("notes", "skip")
OPENS = ("slide", "subslide")
MINUTES = re.compile(r"\*\*Minutes:\*\*\s*(\d+)|^\*(\d+) minutes?\.\*", re.MULTILINE)
WHOLE = re.compile(r"(\d+) minutes")
SHORT = re.compile(r"(\d+) without")  # exercises
TAKEAWAY = "**In one sentence.**"


@dataclass
class Slide:
    """The cells that the audience sees, step by step, and those for the presenter."""

    section: int  # the slide whose heading this one carries where it has none
    shown: list[Cell] = field(default_factory=list)
    aside: list[Cell] = field(default_factory=list)

    @property
    def heading(self) -> str:
        """Return the slide's own heading, empty when it has none."""
        headings = self.shown[0].headings
        starts = self.shown[0].source.lstrip().startswith("#")
        return headings[0][1] if headings and starts else ""

    @property
    def minutes(self) -> int:
        """Return what is planned from here on, 0 where nothing is said."""
        notes = [cell for cell in self.aside if cell.slide == "notes"]
        found = [MINUTES.findall(cell.source) for cell in (*self.shown, *notes) if cell.is_prose]
        return sum(int(a or b) for matches in found for a, b in matches)


def make_slides(notebook: Notebook) -> list[Slide]:
    """Return a lecture's slides; what stands before the first belongs to it."""
    slides: list[Slide] = []
    early: list[Cell] = []
    section = 0
    for cell in notebook.cells:
        if cell.slide in ASIDE:
            (slides[-1].aside if slides else early).append(cell)
        elif cell.slide in OPENS or not slides:
            if cell.slide != "subslide":
                section = len(slides)
            slides.append(Slide(section, [cell], early))
            early = []
        else:
            slides[-1].shown.append(cell)
    return slides


def shorten(slides: list[Slide]) -> list[Slide]:
    """Return the slides of the short version: no exercises, of an optional section its opening.

    Every sentence to take away stays: it moves to the slide before. The words of a section that
    opens with an exercise move to its next slide.
    """
    kept: list[Slide] = []
    section, is_optional = 0, False
    opening: list[Cell] = []
    for number, slide in enumerate(slides):
        is_section = slide.section == number
        if is_section:
            is_optional = "optional" in slide.shown[0].tags
        is_exercise = slide.shown[0].source.startswith("### Exercise") or any(
            "exercise" in cell.tags for cell in slide.shown
        )
        if kept and (is_exercise or is_optional):
            if is_section and is_optional:
                kept.append(Slide(len(kept), slide.shown[:1], slide.aside))
            elif is_section and not slide.shown[0].source.startswith("### Exercise"):
                opening = slide.shown[:1]
            kept[-1].shown += [c for c in slide.shown if c.source.startswith(TAKEAWAY)]
            continue
        opening = [] if is_section else opening  # the section before was exercises alone
        section = len(kept) if is_section or opening else section
        kept.append(Slide(section, [*opening, *slide.shown], slide.aside))
        opening = []
    return kept


def heading_of(slides: list[Slide], number: int, title: str) -> str:
    """Return the heading that a slide is shown with: its own, its section's, or the lecture's.

    A stub without a heading continues the exercise before it.
    """
    slide = slides[number]
    if slide.heading:
        return slide.heading
    if number and any("exercise" in cell.tags for cell in slide.shown):
        return heading_of(slides, number - 1, title)
    return slides[slide.section].heading or title


def planned_minutes(slides: list[Slide], version: re.Pattern[str] = WHOLE) -> int:
    """Return how long the whole lecture, or its SHORT version, should take; 0 if nobody said."""
    notes = [cell for slide in slides for cell in slide.aside if cell.slide == "notes"]
    said = version.search(notes[0].source) if notes else None
    return int(said[1]) if said else sum(slide.minutes for slide in slides)
