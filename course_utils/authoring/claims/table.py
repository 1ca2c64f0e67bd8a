"""docs/claims.md: every claim of the lectures, its number, margin and the worlds it refutes.

The page is also the record: `course claims` runs the lectures and renews their sections,
`course claims --recorded` prints them at once.
"""

from __future__ import annotations

import ast
import math
import re
from pathlib import Path

from course_utils.authoring.claims.run import Report, report, verdict
from course_utils.authoring.claims.worlds import claims_of, read_worlds
from course_utils.authoring.notebook import Notebook, lectures, literal, read
from course_utils.checks.promises.claims import Measured
from course_utils.numbers import number, whole_or_rounded

PAGE = Path("docs", "claims.md")
HEAD = """# What the lectures claim

Each claim is measured in its lecture, every time that somebody runs it. *Margin* is the distance
from the number to the nearest end of its band: as a factor where it is 2 or more, else in the
number's own unit. *Breaks in* names false worlds, what somebody might believe instead, with what
the claim's cell measures there; `make test` runs them all and demands that the claim breaks.

`make claims` runs the lectures and their false worlds, and writes this page;
`.venv/bin/course claims 03` does so for one lecture; with `--recorded` it prints what stands here.
"""
COLUMNS = "| claim | says | measured | promised | margin | breaks in (and measures there) |"
ROW = re.compile(r"^\| (\d\d\.\d+) \| (.*?) \| ", re.MULTILINE)


def margin(claim: Measured) -> str:
    """Return how far a claim is from breaking, in words."""
    ends = [end for end in (claim.low, claim.high) if end is not None]
    if len(set(ends)) == 1 and len(ends) == 2:
        return "exact"
    apart = min(abs(claim.value - end) for end in ends)
    if len(ends) == 2:
        return f"{number(apart)} ({apart / (ends[1] - ends[0]):.0%} of the band)"
    small, large = sorted((claim.value, ends[0]))
    if small > 0 and large >= 2 * small:
        return f"{number(large / small)} times"
    return number(apart)


def section(notebook: Notebook, found: Report) -> str:
    """Return a lecture's part of the page."""
    known, lines = read_worlds(notebook.path.stem), [f"## {notebook.path.stem}", ""]
    if not found.claims:
        return "\n".join([*lines, "No claim yet.", ""])
    lines += [COLUMNS, "|" + "---|" * 6]
    for claim in found.claims:
        breaks = [
            f"{one.world} ({_short(one.value)})"
            for one in found.outcomes
            if one.claim == claim.number
        ]
        parts = (
            claim.number,
            claim.says,
            _short(claim.value) + (f" (in {claim.looked_up})" if claim.looked_up else ""),
            claim.band,
            margin(claim),
            "; ".join(breaks) or f"*no world yet: {known.lacks.get(claim.number, '')}*",
        )
        lines.append("| " + " | ".join(part.replace("|", r"\|") for part in parts) + " |")
    return "\n".join([*lines, ""])


def _short(value: float | None) -> str:
    return "nothing" if value is None else whole_or_rounded(value) if math.isfinite(value) else "∞"


def measure_lectures(root: Path, wanted: list[str], tell=print) -> list[str]:
    """Run the wanted lectures, all by default, renew the page, and return what does not hold."""
    parts, wrong = sections_of(root), []
    for path in lectures(root / "notebooks"):
        if wanted and path.stem[:2] not in wanted:
            continue
        tell(f"── {path.stem}")
        found = report(path)
        wrong += complaints(found)
        parts[path.stem] = section(read(path), found)
    there = [path.stem for path in lectures(root / "notebooks")]
    page = "\n".join([HEAD, *(parts[stem].rstrip("\n") + "\n" for stem in there if stem in parts)])
    (root / PAGE).write_text(page, encoding="utf-8")
    return wrong


def complaints(found: Report) -> list[str]:
    """Return which claims do not hold, and which still hold in a false world."""
    claims = {claim.number: claim for claim in found.claims}
    broken = [str(claim.broken()) for claim in found.claims if not claim.holds]
    idle = [
        verdict(outcome, claims[outcome.claim])
        if outcome.claim in claims
        else f"claim {outcome.claim} was measured in the world {outcome.world!r} alone"
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
    """Return the sentence of a claim as a pattern: what is measured into it may be anything."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    says = given.get("says") or (call.args[4] if len(call.args) > 4 else ast.Constant(""))
    pieces = says.values if isinstance(says, ast.JoinedStr) else [says]
    return "".join(
        ".*" if isinstance(piece, ast.FormattedValue) else re.escape(str(literal(piece)))
        for piece in pieces
    )
