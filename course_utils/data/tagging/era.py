"""When was this said? One sentence of a speech: from before 1900, or from after 1945."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random

from course_utils.data.english import LAST_YEAR, TEST_YEAR, VALID_YEAR, Speech, speeches
from course_utils.data.sentences import sentences
from course_utils.data.tagging.examples import Example, Task

OLD, NEW = "before 1900", "after 1945"
LAST_OLD, FIRST_NEW = 1899, 1946
TODAY = 9999
SHORTEST, LONGEST = 8, 40  # words
UNSEEN_PARTS = ("train", "test", "train", "valid", "train")
PARTS = ("train", "valid", "test")


def era_task(unseen: bool = False, seed: int = 0, turn: int = 0) -> Task:
    """Return equally many sentences of both eras, with no year of speeches in two parts.

    The parts are those of the English corpus, so whatever was trained on its training part has
    read these texts too (but no label). With `unseen`, all three parts come from years that this
    training part does not have, the newest among them: use it where the course's language
    models read the sentences. Five turns give five tests, and no year is in two of them.
    """
    parts: dict[str, list[Speech]] = {part: [] for part in PARTS}
    last = TODAY if unseen else LAST_YEAR
    spoken = [speech for speech in speeches(last=last) if era_of(speech.year)]
    part_of = unseen_part_of([speech.year for speech in spoken], turn) if unseen else None
    for speech in spoken:
        part = part_of.get(speech.year) if part_of is not None else _corpus_part(speech.year)
        if part:
            parts[part].append(speech)
    random = Random(seed)
    return Task("era", "classification", *(_balanced(parts[part], random) for part in PARTS))


def era_of(year: int) -> str | None:
    """Return the era of a year, None for the years between."""
    if year <= LAST_OLD:
        return OLD
    return NEW if year >= FIRST_NEW else None


def _corpus_part(year: int) -> str:
    return {VALID_YEAR: "valid", TEST_YEAR: "test"}.get(year % 20, "train")


def unseen_part_of(years: Iterable[int], turn: int = 0) -> dict[int, str]:
    """Return a part for each held-out year: of every era three in five to learn from."""
    held_out = {year for year in years if year > LAST_YEAR or _corpus_part(year) != "train"}
    found: dict[int, str] = {}
    for era in (OLD, NEW):
        own = sorted(year for year in held_out if era_of(year) == era)
        found |= {year: UNSEEN_PARTS[(n + turn) % 5] for n, year in enumerate(own)}
    return found


def _balanced(spoken: Sequence[Speech], random: Random) -> list[Example]:
    """Return shuffled sentences, the larger era cut to the smaller one's size."""
    eras: dict[str, list[Example]] = {OLD: [], NEW: []}
    for speech in spoken:
        era = era_of(speech.year)
        assert era is not None
        for words in sentences(speech.text):
            if SHORTEST <= len(words) <= LONGEST:
                eras[era].append(Example(words, [era]))
    size = min(map(len, eras.values()))
    for examples in eras.values():
        random.shuffle(examples)
    mixed = [example for pair in zip(*(e[:size] for e in eras.values()), strict=True)
             for example in pair]  # fmt: skip
    return mixed  # old and new alternate, so the first N are balanced
