"""docs/claims.md: every claim of the lectures, its number, margin and the worlds it refutes.

The page is also the record: `python -m tools claims` runs the lectures and renews their sections,
`python -m tools claims --recorded` prints them at once.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from course_utils.checks.promises.measured import Measured, is_sentence
from course_utils.files import try_writing, write_whole
from course_utils.numbers import whole_or_rounded
from course_utils.pages.notebook import Notebook, lectures, literal, read
from tools.claims.evidence import Evidence, evidence
from tools.claims.run import Report, report, why_it_holds
from tools.claims.worlds import NUMBER_GOES_HERE, Worlds, claims_of, read_worlds, says_of

PAGE = Path("docs", "claims.md")
HEAD = """# What the lectures find

Each sentence holds a number that its lecture measures every time somebody runs it. Claims in
**bold** stand on the page; the others are steps on the way, a fold away from it. *Runs* and
*beside* are for what rests on training: how many networks were trained for it, as the sentence (or
one before it in its cell) says, and the baseline: words of the sentence, another claim, or what
stands in the false world. Identities, counts, and networks that are set by hand or only drawn have
none. *Margin* is the distance from the number to the nearest end of its band: as a factor where it
is 2 or more, else in the number's own unit. *Breaks in* names false worlds, what somebody might
believe instead, with what the claim's cell measures there; `make test` runs them all and demands
that the claim breaks, and `make check` tells of a row that the lectures have left behind.

`make claims` runs the lectures and their false worlds, and writes this page;
`.venv/bin/python -m tools claims 03` does so for one lecture; with `--recorded` it prints what
stands here.
"""
COLUMNS = "| claim | finding | runs | beside | promised | margin | breaks in (and measures there) |"
ROW = re.compile(r"^\| (\*\*)?(\d\d\.\d+)(?:\*\*)? \| (.*) \|$", re.MULTILINE)
BETWEEN = re.compile(r" (?<!\\)\| ")
PLACE = re.compile(rf"\{{[^{{}}]*\}}|{NUMBER_GOES_HERE}")  # of a number in a sentence


def section(notebook: Notebook, found: Report) -> str:
    """Return a lecture's part of the page."""
    known, lines = read_worlds(notebook.path.stem), [f"## {notebook.path.stem}", ""]
    behind = evidence(notebook, known)
    if not found.claims:
        return "\n".join([*lines, "No claim yet.", ""])
    lines += [COLUMNS, "|" + "---|" * 7]
    for claim in found.claims:
        breaks = [
            f"{one.world} ({_short(one.value)})"
            for one in found.outcomes
            if one.claim == claim.number
        ]
        parts = (
            claim.number if claim.quiet else f"**{claim.number}**",
            claim.sentence() + (f" (in {claim.looked_up})" if claim.looked_up else ""),
            behind[claim.number].runs,
            behind[claim.number].baseline,
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
    """Return where the page's rows are not the lectures': all but their measured numbers."""
    parts, found = sections_of(root), []
    for path in lectures(root / "notebooks"):
        notebook, known = read(path), read_worlds(path.stem)
        rows = ROW.findall(parts.get(path.stem, ""))
        written = {n: BETWEEN.split(cells) for _, n, cells in rows}
        there, behind = claims_of(notebook), evidence(notebook, known)
        found += [f"{n} is not on the page" for n in there.keys() - written.keys()]
        found += [f"{n} is on the page and in no lecture" for n in written.keys() - there.keys()]
        for n in there.keys() & written.keys():
            found += [f"{n} {what}" for what in _stale(there[n], behind[n], known, written[n])]
    return sorted(found)


def _stale(call: ast.Call, behind: Evidence, known: Worlds, row: list[str]) -> Iterator[str]:
    """Yield what a row of the page says otherwise than its lecture does today."""
    if len(row) != COLUMNS.count("|") - 2:
        yield f"has a row of {len(row) + 1} columns on the page"
        return
    finding, runs, baseline, band, _, worlds = (part.replace(r"\|", "|") for part in row)
    if not re.fullmatch(_pattern(call), finding):
        yield f"says something else on the page: {finding}"
    if (runs, baseline) != (behind.runs, behind.baseline):
        yield f"rests on {behind.runs}, beside {behind.baseline}; the page: {runs}, {baseline}"
    if (promised := _band(call)) not in ("", band):
        yield f"promises {promised}; the page: {band}"
    names = [world.name for world in known.of(str(literal(call.args[0])))]
    if names and _without(names, worlds):
        yield f"breaks in {'; '.join(names)}; the page: {worlds}"


def _without(names: list[str], worlds: str) -> str:
    """Return what a row's false worlds leave when these are taken out; a missing one is left."""
    for name in names:
        worlds, there = re.subn(rf"{re.escape(name)} \([^()]*\)", "", worlds)
        if not there:
            return name
    return worlds.replace("; ", "")


def _band(call: ast.Call) -> str:
    """Return what a claim promises, in words; empty where a cell computes an end of its band."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    ends = [given.get(end, ast.Constant(None)) for end in ("low", "high")]
    low, high = (_number(end) for end in ends)
    computed = any(_number(end) is None and not _is_none(end) for end in ends)
    if computed or (low is None and high is None):
        return ""
    return Measured("", 0.0, low, high, "").band


def _number(node: ast.expr) -> float | None:
    value = literal(node)
    return value if isinstance(value, int | float) else None


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _pattern(call: ast.Call) -> str:
    """Return the sentence of a claim as a pattern: the measured parts may be anything."""
    words = says_of(call)
    parts = PLACE.split(words if is_sentence(words) else f"{words}: {{}}.")
    return ".*".join(map(re.escape, parts)) + r"( \(in [\w.]+\))?"
