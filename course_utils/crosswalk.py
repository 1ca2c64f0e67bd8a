"""Lead from each topic of the sources to the section, claim and exercise that teach it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

if TYPE_CHECKING:
    from IPython.display import Markdown

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
    names = {path.name[:2]: path.name for path in sorted(folder.glob("[0-9][0-9]_*.ipynb"))}
    lines = ["| topic | lecture and section | claims | exercises |", "|---|---|---|---|"]
    for row in crosswalk:
        target = f"{link}{names.get(row.lecture, row.lecture)}"
        if not link:  # JupyterLab follows a link into a notebook; a code host does not
            target += f"#{quote(row.section.replace(' ', '-'))}"
        where = f"[{row.lecture} · {row.section}]({target})"
        parts = (row.topic, where, ", ".join(row.claims), ", ".join(row.exercises))
        lines.append("| " + " | ".join(part.replace("|", r"\|") for part in parts) + " |")
    return "\n".join(lines)


def show_crosswalk() -> Markdown:
    """Return the crosswalk as a lecture shows it."""
    from IPython.display import Markdown

    return Markdown(table(rows(), Path.cwd()))
