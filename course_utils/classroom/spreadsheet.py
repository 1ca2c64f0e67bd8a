"""Read a CSV as spreadsheets write it: with commas, semicolons or tabs, in whatever encoding."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Collection
from pathlib import Path

SEPARATORS = ",;\t"
MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16", codecs.BOM_UTF8: "utf-8-sig"}
SAYS_ITSELF = "sep="  # a first line that is meant for Excel alone


def read_table(file: Path, wanted: Collection[str]) -> tuple[list[str], list[dict[str, str]]]:
    """Return the head of a CSV and its rows; one of the `wanted` columns tells how it is parted."""
    text = _text(file.read_bytes())
    if text.startswith(SAYS_ITSELF):
        text = text.partition("\n")[2]
    separator = max(SEPARATORS, key=lambda one: _fits(text, one, wanted))
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=separator, restval="")
    rows = [{name: value for name, value in row.items() if name} for row in reader]
    return [name for name in reader.fieldnames or () if name], rows


def _text(content: bytes) -> str:
    """Return what a file says: UTF-8 or, as Excel writes in the west of Europe, Windows-1252."""
    marked = next((name for mark, name in MARKS.items() if content.startswith(mark)), "utf-8")
    try:
        return content.decode(marked)
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _fits(text: str, separator: str, wanted: Collection[str]) -> tuple[bool, int]:
    """Return what is larger for the separator that parts the head into known columns."""
    head = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
    names = {name.strip().lower() for name in head}
    return bool(names & set(wanted)), len(head)
