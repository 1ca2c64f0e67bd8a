"""What stands behind a claim that rests on training: how many runs, and what it is compared with.

The runs are read in the claim's own sentence, or in one before it in the same cell: `of ten
networks`, `(means of five seeds)`, `(one run)`, `our LSTM`. The baseline is named under `[beside]`
in the lecture's file of false worlds, in one of three ways:

    [beside]
    "01.9" = "the best of counting"  # words of the claim's own sentence
    "06.1" = "06.2"                  # another claim of the lecture measures it
    "05.12" = "in its world"         # it stands in the claim's false world

What is not listed there rests on no training: identities, counts, networks set by hand or drawn.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

from course_utils.pages.notebook import Notebook
from tools.claims.worlds import NUMBER_GOES_HERE, Worlds, claims_in, is_looked_up, says_of

FEWEST = 5
COUNTS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "sixty": 60,
}  # fmt: skip
HOW_MANY = rf"(?P<count>{'|'.join(COUNTS)}|\d+)"
KINDS = r"(?:seeds|networks|LSTMs|GRUs|walks|untrained networks)"
MANY = (
    re.compile(rf"\b{HOW_MANY} (?:\w+ ){{0,2}}{KINDS}\b"),
    re.compile(rf"(?:\}} of|\bhalf of|\bseeds of) {HOW_MANY}\b"),
)
ONE = re.compile(r"\b(?:one run|our|one (?:trained )?(?:LSTM|GRU|Elman network|network))\b", re.I)
ONE_RUN, WORLD, NOTHING = "one run", "in its world", "—"
CLAIM = re.compile(r"\d\d\.\d+")


class Evidence(NamedTuple):
    """What stands behind a claim, and how the page of claims shows it."""

    seeds: int | None = None
    baseline: str = NOTHING

    @property
    def runs(self) -> str:
        return NOTHING if self.seeds is None else ONE_RUN if self.seeds == 1 else str(self.seeds)


def runs_in(sentence: str) -> int | None:
    """Return on how many runs a sentence says it rests, None where it does not say."""
    if ONE_RUN not in sentence:
        for pattern in MANY:
            if found := pattern.search(sentence):
                return COUNTS.get(found["count"]) or int(found["count"])
    return 1 if ONE.search(sentence) else None


def evidence(notebook: Notebook, known: Worlds) -> dict[str, Evidence]:
    """Return what stands behind each claim of a lecture, by number."""
    found = {}
    for cell in notebook.code:
        last = None
        for number, call in claims_in(cell).items():
            last = runs_in(says_of(call)) or last
            if number in known.beside:
                found[number] = Evidence(last, known.beside[number])
            else:
                found[number] = Evidence()
    return found


def unsupported(notebook: Notebook, known: Worlds) -> Iterator[str]:
    """Yield which claims rest on training and do not say on how much, or beside what."""
    there = {n: call for cell in notebook.code for n, call in claims_in(cell).items()}
    for number, shown in evidence(notebook, known).items():
        sentence = says_of(there[number])
        if number not in known.beside:
            if is_looked_up(there[number]):
                yield f"claim {number} is looked up and has no baseline: name it under [beside]"
            continue
        few = shown.seeds is not None and 1 < shown.seeds < FEWEST
        if shown.seeds is None:
            yield f"claim {number} names no seeds: write `of ten networks`, `(one run)`: {sentence}"
        elif few and number not in known.few:
            yield f"claim {number} rests on {shown.seeds} runs, not {FEWEST}: say why under [few]"
        elif not few and number in known.few:
            yield f"claim {number} rests on {shown.runs}: take it out of [few]"
        if problem := _no_baseline(number, shown.baseline, sentence, there.keys(), known):
            yield problem
    for number in (known.beside.keys() | known.few.keys()) - there.keys():
        yield f"[beside] or [few] names claim {number}, which is not there"


def _no_baseline(
    number: str, baseline: str, sentence: str, there: Container[str], known: Worlds
) -> str:
    """Return what is wrong with a baseline; nothing where it stands where `[beside]` says."""
    if baseline == WORLD:
        return "" if known.of(number) else f"claim {number} has its baseline in no false world"
    if CLAIM.fullmatch(baseline):
        if baseline == number or baseline not in there:
            return f"claim {number} stands beside {baseline}, not another claim of this lecture"
        return ""
    if baseline.lower() not in sentence.replace(NUMBER_GOES_HERE, "").lower():
        return f"claim {number} does not name its baseline {baseline!r}: {sentence}"
    return ""
