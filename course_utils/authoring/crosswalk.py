"""Lead from each topic of the sources to the section, claim and exercise that teach it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

from course_utils.authoring.notebook import lectures, literal, read

DATA = Path(__file__).with_name("crosswalk.toml")


class Row(NamedTuple):
    """One topic of the sources and where it is taught."""

    lecture: str
    topic: str
    section: str
    claims: list[str] = []  # noqa: RUF012 - read only
    exercises: list[str] = []  # noqa: RUF012


def rows(data: Path = DATA) -> list[Row]:
    """Return the crosswalk's rows, in the order of teaching."""
    lectures_of_file = tomllib.loads(data.read_text(encoding="utf-8"))
    return [Row(lecture, **row) for lecture, found in lectures_of_file.items() for row in found]


def table(crosswalk: Iterable[Row], folder: Path, link: str = "") -> str:
    """Return the crosswalk in Markdown; `link` leads from where it is shown to the lectures."""
    names = {path.name[:2]: path.name for path in lectures(folder)}
    lines = ["| topic | lecture and section | claims | exercises |", "|---|---|---|---|"]
    for row in crosswalk:
        target = f"{link}{names.get(row.lecture, row.lecture)}"
        if not link:  # JupyterLab follows a link into a notebook; a code host does not
            target += f"#{quote(row.section.replace(' ', '-'))}"
        where = f"[{row.lecture} · {row.section}]({target})"
        parts = (row.topic, where, ", ".join(row.claims), ", ".join(row.exercises))
        lines.append("| " + " | ".join(part.replace("|", r"\|") for part in parts) + " |")
    return "\n".join(lines)


def show_crosswalk():
    """Return the crosswalk as a lecture shows it."""
    from IPython.display import Markdown

    return Markdown(table(rows(), Path.cwd()))


def dead_ends(crosswalk: Iterable[Row], folder: Path) -> list[str]:
    """Return what points nowhere, and which claims and exercises nothing points to."""
    crosswalk = list(crosswalk)
    found = []
    taught = {path.name[:2]: read(path) for path in lectures(folder)}
    for row in crosswalk:
        sections = taught[row.lecture].sections() if row.lecture in taught else {}
        here = f"{row.lecture}, {row.topic!r}"
        if row.section not in sections:
            found.append(f"{here}: there is no section {row.section!r}; {', '.join(sections)}")
            continue
        claims, exercises = (numbers(sections[row.section], kind) for kind in ("claim", "check"))
        found += [
            f"{here}: {row.section!r} has no claim {n}" for n in row.claims if n not in claims
        ]
        for number in row.exercises:
            if number not in exercises:
                found.append(f"{here}: {row.section!r} has no exercise {number}")
    for lecture, notebook in taught.items():
        mine = [row for row in crosswalk if row.lecture == lecture]
        for kind, told in (("claim", "claims"), ("check", "exercises")):
            pointed = {number for row in mine for number in getattr(row, told)}
            for number in sorted(numbers(notebook.cells, kind) - pointed):
                found.append(f"{lecture}: no row of crosswalk.toml leads to {told[:-1]} {number}")
    return found


def numbers(cells, function: str) -> set[str]:
    """Return the numbers that calls of a function such as `claim` begin with."""
    calls = (call for cell in cells for call in cell.calls(function) if call.args)
    return {str(literal(call.args[0])) for call in calls}
