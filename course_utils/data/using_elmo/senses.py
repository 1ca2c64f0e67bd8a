"""Sentences with a word in a known sense: clauses that fix the sense, among words that do not.

Every clause occurs in several sentences, so a search for the nearest use must leave out those with
the same clause: otherwise it finds a copy and not a sense. The sentences are in senses.toml.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from random import Random
from typing import NamedTuple

from course_utils.data.tokens import tokenize

SENTENCES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
CLAUSES: dict[str, dict[str, list[str]]] = SENTENCES["clauses"]  # by word and sense


class Use(NamedTuple):
    """A word in a sentence, its sense, and which clause fixed it."""

    tokens: list[str]
    position: int
    sense: str
    clause: int  # number among all clauses: neighbours of the same one do not count

    @property
    def word(self) -> str:
        """Return the word whose sense is meant."""
        return self.tokens[self.position]


def sense_uses(each: int = 4, seed: int = 0) -> list[Use]:
    """Return every clause in `each` sentences, all senses of a word equally often."""
    rng, uses, number = Random(seed), [], 0
    for senses in CLAUSES.values():
        for sense, clauses in senses.items():
            for clause in clauses:
                for opening in rng.sample(SENTENCES["openings"], each):
                    uses.append(
                        _spell(opening, clause, rng.choice(SENTENCES["endings"]), sense, number)
                    )
                number += 1
    return uses


def _spell(opening: str, clause: str, ending: str, sense: str, number: int) -> Use:
    before, word, after = clause.split("*")
    first = [*tokenize(opening), *tokenize(before.strip())]
    tokens = [*first, word, *tokenize(after.strip()), *tokenize(ending), "."]
    tokens[0] = tokens[0][0].upper() + tokens[0][1:]
    return Use(tokens, len(first), sense, number)
