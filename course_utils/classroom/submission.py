"""One student's work on one lecture: a notebook, or the small file that `course handin` writes."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import course_utils
from course_utils.classroom.cells import (
    MOST_BYTES,
    Cell,
    NoNotebook,
    digest,
    digest_of,
    kind_of,
    names,
    read_cells,
    text_of,
)
from course_utils.classroom.student_copy import ANSWER, ROOM

FORMAT = 1
MOST_CELLS = 2000
MOST_LETTERS = 200_000  # of one cell
MOST_IN_ALL = 3_000_000  # letters of one hand-in
GUESS = re.compile(
    r"Prediction (\d\d\.\w{1,9}): you wrote (?:“(.{0,400}?)”|nothing down); the result is ",
    re.DOTALL,
)  # bounded: no output of a notebook takes long to look through
MOST_OF_A_RESULT = 200  # letters


class Piece(NamedTuple):
    """One cell: which handed-out one it is (empty: her own), its text, and whether it is hers."""

    name: str
    kind: str
    text: str
    hers: bool


@dataclass(frozen=True)
class Submission:
    """What was handed in."""

    pieces: tuple[Piece, ...]
    predictions: Mapping[str, str] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)  # what came out on her machine

    @property
    def free_texts(self) -> dict[int, str]:
        """Return the answers to the lecture's questions, by their numbers."""
        found = {}
        for piece in self.pieces:
            match = ANSWER.fullmatch(piece.name)
            if match and piece.hers:
                text = piece.text.replace(ROOM.format(match[1]), "").strip()
                found[int(match[1])] = text
        return {number: text for number, text in found.items() if text}


def read_submission(content: bytes, lecture: Sequence[Cell]) -> Submission:
    """Return what a file holds, beside the lecture as it was handed out."""
    base = {str(cell["id"]): digest_of(cell) for cell in lecture}
    if len(content) <= MOST_BYTES and content.lstrip()[:30].startswith(b'{"handin"'):
        return _from_handin(content, {str(cell["id"]): cell for cell in lecture}, base)
    _, cells = read_cells(content)
    return submission_of(cells, base)


def submission_of(cells: Sequence[Cell], base: Mapping[str, str]) -> Submission:
    """Return a notebook's cells as a submission."""
    _refuse_many(cells)
    pieces = [
        Piece(name, kind_of(cell), text_of(cell), not name or digest_of(cell) != base[name])
        for name, cell in zip(names(cells, base), cells, strict=True)
    ]
    return Submission(_bounded(pieces), *_guesses_and_results(cells))


def as_handin(submission: Submission, lecture: str) -> bytes:
    """Return the small file: her own cells whole, untouched ones by name only."""
    cells = [
        {"id": p.name, "kind": p.kind, "source": p.text} if p.hers else {"id": p.name}
        for p in submission.pieces
    ]
    versions = {"course": course_utils.__version__, "python": platform.python_version()}
    said = {
        "handin": FORMAT,
        "lecture": lecture,
        "cells": cells,
        "predictions": dict(submission.predictions),
        "results": dict(submission.results),
        "versions": versions,
    }
    return (json.dumps(said, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _from_handin(
    content: bytes, lecture: Mapping[str, Cell], base: Mapping[str, str]
) -> Submission:
    try:
        said = json.loads(content)
        known = said["handin"] == FORMAT
        _refuse_many(said["cells"])
        cells = [cell for cell in said["cells"] if "source" in cell or cell["id"] in lecture]
        pieces = [_piece(cell, lecture, base) for cell in cells]  # without what is taken away now
        guesses, results = (
            {str(k): str(v) for k, v in said.get(part, {}).items()}
            for part in ("predictions", "results")
        )
    except NoNotebook:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise NoNotebook(f"the hand-in is damaged ({type(error).__name__})") from error
    if not known:
        raise NoNotebook("the hand-in was written by a newer version of the course")
    return Submission(_bounded(pieces), guesses, results)


def _piece(
    cell: Mapping[str, object], lecture: Mapping[str, Cell], base: Mapping[str, str]
) -> Piece:
    name = str(cell["id"]) if cell["id"] in lecture else ""
    if "source" not in cell:
        original = lecture[str(cell["id"])]
        return Piece(name, kind_of(original), text_of(original), False)
    kind, text = str(cell["kind"]), str(cell["source"])
    return Piece(name, kind, text, not name or digest(kind, text) != base[name])


def _refuse_many(cells: Sequence[object]) -> None:
    """Refuse a page of millions of cells before anything is made of each."""
    if len(cells) > MOST_CELLS:
        raise NoNotebook(f"{len(cells):,} cells: more than {MOST_CELLS:,} are not read")


def _bounded(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    letters = [len(piece.text) for piece in pieces]
    if sum(letters) > MOST_IN_ALL or max(letters, default=0) > MOST_LETTERS:
        raise NoNotebook(f"more than {MOST_LETTERS:,} letters in a cell, or {MOST_IN_ALL:,} in all")
    return tuple(pieces)


def _guesses_and_results(cells: Sequence[Cell]) -> tuple[dict[str, str], dict[str, str]]:
    """Return what was written for predictions and what came out, as the notebook shows both."""
    guesses: dict[str, str] = {}
    results: dict[str, str] = {}
    for cell in cells:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else []:
            data = output.get("data") if isinstance(output, dict) else None
            shown = data.get("text/plain", "") if isinstance(data, dict) else ""
            text = text_of({"source": shown})
            for found in GUESS.finditer(text):
                said = text[found.end() : found.end() + MOST_OF_A_RESULT].partition("\n")[0]
                results[found[1]] = said.partition(". (")[0].removesuffix(".")
                if found[2] is not None:
                    guesses[found[1]] = found[2]
    return guesses, results
