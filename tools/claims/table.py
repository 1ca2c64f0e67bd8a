"""docs/claims.md: every claim of the lectures, its number, margin and the worlds it refutes.

The page is also the record: `python -m tools claims` runs the lectures and renews their sections,
`python -m tools claims --recorded` prints them at once.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from pathlib import Path

from course_utils.checks.promises.measured import is_sentence
from course_utils.files import try_writing, write_whole
from course_utils.numbers import whole_or_rounded
from course_utils.pages.notebook import Notebook, lectures, literal, read
from tools.claims.run import Report, report, why_it_holds
from tools.claims.worlds import claims_of, read_worlds

PAGE = Path("docs", "claims.md")
HEAD = """# What the lectures find

Each sentence holds a number that its lecture measures every time somebody runs it. Claims in
**bold** stand on the page; the others are steps on the way, a fold away from it. *Margin* is the
distance from the number to the nearest end of its band: as a factor where it is 2 or more, else in
the number's own unit. *Breaks in* names false worlds, what somebody might believe instead, with
what the claim's cell measures there; `make test` runs them all and demands that the claim breaks.

`make claims` runs the lectures and their false worlds, and writes this page;
`.venv/bin/python -m tools claims 03` does so for one lecture; with `--recorded` it prints what
stands here.
"""
COLUMNS = "| claim | finding | promised | margin | breaks in (and measures there) |"
ROW = re.compile(r"^\| (?:\*\*)?(\d\d\.\d+)(?:\*\*)? \| (.*?) \| ", re.MULTILINE)
FILLED_IN = "\0"  # a part of an f-string, in a pattern
PLACE = re.compile(rf"\{{[^{{}}]*\}}|{FILLED_IN}")  # of a number in a sentence


def section(notebook: Notebook, found: Report) -> str:
    """Return a lecture's part of the page."""
    known, lines = read_worlds(notebook.path.stem), [f"## {notebook.path.stem}", ""]
    if not found.claims:
        return "\n".join([*lines, "No claim yet.", ""])
    lines += [COLUMNS, "|" + "---|" * 5]
    for claim in found.claims:
        breaks = [
            f"{one.world} ({_short(one.value)})"
            for one in found.outcomes
            if one.claim == claim.number
        ]
        parts = (
            claim.number if claim.quiet else f"**{claim.number}**",
            claim.sentence() + (f" (in {claim.looked_up})" if claim.looked_up else ""),
            claim.band,
            claim.margin,
            "; ".join(breaks) or f"*no world yet: {known.lacks.get(claim.number, '')}*",
        )
        lines.append("| " + " | ".join(part.replace("|", r"\|") for part in parts) + " |")
    return "\n".join([*lines, ""])


def _short(value: float | None) -> str:
    return "nothing" if value is None else whole_or_rounded(value) if math.isfinite(value) else "∞"


def measure_lectures(
    root: Path, wanted: list[str], tell: Callable[[str], None] = print
) -> list[str]:
    """Run the wanted lectures, all by default, renew the page, and return what does not hold."""
    try_writing(root / PAGE)  # now, not after the minutes that it takes
    parts, wrong = sections_of(root), []
    for path in lectures(root / "notebooks"):
        if wanted and path.stem not in wanted:
            continue
        tell(f"── {path.stem}")
        found = report(path, whole=True)
        wrong += complaints(found)
        parts[path.stem] = section(read(path), found)
    there = [path.stem for path in lectures(root / "notebooks")]
    page = "\n".join([HEAD, *(parts[stem].rstrip("\n") + "\n" for stem in there if stem in parts)])
    write_whole(root / PAGE, page.encode())
    return wrong


def complaints(found: Report) -> list[str]:
    """Return which claims do not hold, and which still hold in a false world."""
    claims = {claim.number: claim for claim in found.claims}
    broken = [str(claim.broken()) for claim in found.claims if not claim.holds]
    idle = [
        why_it_holds(outcome, claims[outcome.claim])
        if outcome.claim in claims
        else f"claim {outcome.claim} was measured only in the world {outcome.world!r}"
        for outcome in found.outcomes
    ]
    return [what for what in (found.problem, *broken, *idle) if what]


def sections_of(root: Path) -> dict[str, str]:
    """Return the page's parts, by lecture."""
    page = (root / PAGE).read_text(encoding="utf-8") if (root / PAGE).exists() else ""
    parts = re.split(r"^(?=## )", page, flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0].removeprefix("## "): part for part in parts}


def out_of_date(root: Path) -> list[str]:
    """Return where the page's claims are not the lectures': their numbers and sentences."""
    parts, found = sections_of(root), []
    for path in lectures(root / "notebooks"):
        written = dict(ROW.findall(parts.get(path.stem, "")))
        there = claims_of(read(path))
        found += [f"{n} is not on the page" for n in there.keys() - written.keys()]
        found += [f"{n} is on the page and in no lecture" for n in written.keys() - there.keys()]
        for n in there.keys() & written.keys():
            if not re.fullmatch(_pattern(there[n]), written[n].replace(r"\|", "|")):
                found.append(f"{n} says something else on the page: {written[n]}")
    return sorted(found)


def _pattern(call: ast.Call) -> str:
    """Return the sentence of a claim as a pattern: the measured parts may be anything."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    says = given.get("says") or (call.args[4] if len(call.args) > 4 else ast.Constant(""))
    pieces = says.values if isinstance(says, ast.JoinedStr) else [says]
    words = "".join(
        FILLED_IN if isinstance(piece, ast.FormattedValue) else str(literal(piece))
        for piece in pieces
    )
    parts = PLACE.split(words if is_sentence(words) else f"{words}: {{}}.")
    return ".*".join(map(re.escape, parts)) + r"( \(in [\w.]+\))?"
