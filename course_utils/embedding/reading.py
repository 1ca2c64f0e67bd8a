"""Read sentences from a file, one a line, without holding more of them than a shard has."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from course_utils.data.sentences import sentences


class Line(NamedTuple):
    """One sentence as it is written, and its tokens."""

    text: str
    tokens: list[str]


def read_lines(path: Path, raw: bool = False) -> Iterator[Line]:
    """Yield the sentence of every line: array n of the output belongs to line n + 1.

    An empty line is a sentence without tokens. In text the tokens stand between spaces, unless it
    is `raw`: then the course's tokenizer cuts it. A line of .jsonl holds a list of tokens, a
    string, or an object with "tokens" or "text". Any of these may be packed as .gz.
    """
    as_json = ".jsonl" in [suffix.lower() for suffix in path.suffixes[-2:]]
    number = 0
    _refuse_other_than_files(path)
    try:
        with gzip.open(path) if path.suffix.lower() == ".gz" else path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                yield _from_json(text, raw) if as_json else _cut(text, raw)
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}, line {number}: this is not UTF-8 ({error.reason})") from error
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{path}: damaged after line {number} ({error})") from error
    except RecursionError as error:
        raise ValueError(f"{path}, line {number}: brackets nested too deeply to read") from error
    except ValueError as error:
        raise ValueError(f"{path}, line {number}: {error}") from error


class Shard(NamedTuple):
    """Part of the sentences, and the file for them."""

    path: Path
    first: int
    lines: list[Line]

    @property
    def sentences(self) -> list[list[str]]:
        return [line.tokens for line in self.lines]


class Source(NamedTuple):
    """The sentences, and how they are shared out."""

    path: Path
    raw: bool
    size: int  # sentences a shard
    kind: str  # how the names of the shards end

    def shards(self, folder: Path) -> Iterator[Shard]:
        """Yield every shard; no more than one is in memory."""
        lines, number = read_lines(self.path, self.raw), 0
        while part := list(islice(lines, self.size)):
            path = folder / f"shard-{number:05}{self.kind}"
            yield Shard(path, number * self.size, part)
            number += 1


def _refuse_other_than_files(path: Path) -> None:
    """Refuse what cannot be read again and again, before opening it waits for ever."""
    if path.is_file():
        return
    if not path.exists():
        raise FileNotFoundError(f"there is no file {path}")
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder: give a file of sentences, one a line")
    raise ValueError(
        f"{path} is a pipe or a device, and sentences are read more than once: write them to a "
        "file first (also packed, as .gz), and give that"
    )


def _cut(text: str, raw: bool) -> Line:
    return Line(text, [t for part in sentences(text) for t in part] if raw else text.split())


def _from_json(line: str, raw: bool) -> Line:
    found: object = json.loads(line) if line else []
    if isinstance(found, dict):
        found = found.get("tokens", found.get("text"))
    if isinstance(found, str):
        return _cut(found.strip(), raw)
    if isinstance(found, list) and all(isinstance(token, str) for token in found):
        return Line(" ".join(found), found)
    raise ValueError('neither tokens, nor a string, nor an object with "tokens" or "text"')
