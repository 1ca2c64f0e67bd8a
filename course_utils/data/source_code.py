"""The Python standard library as a text corpus whose every character has gold labels.

Every machine that can run the course has it. It differs a little between Python versions, and its
tokenizer knows what a network can only guess: where strings end and how deep brackets go.
"""

from __future__ import annotations

import hashlib
import sysconfig
import tokenize
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np

from course_utils.data.sets.cache import cache_folder
from course_utils.data.source_labels import LABELLED, Spans, find_spans
from course_utils.files import replacing

PARTS = ("train", "valid", "test")
LABELS_VERSION = 1  # a new one makes labels that were cached under the old one again


class Labels(NamedTuple):
    """What is true of each character of a text: arrays of one length, (C,)."""

    string: np.ndarray  # inside a string, its prefix and quotes included
    docstring: np.ndarray
    comment: np.ndarray
    depth: np.ndarray  # brackets open here, the brackets themselves included
    indentation: np.ndarray  # blocks this line is in
    condition: np.ndarray  # between `if` and its colon
    column: np.ndarray  # characters since the line began


class Module(NamedTuple):
    """One module's name, text and labels."""

    name: str
    text: str
    labels: Labels


def label_characters(text: str) -> Labels:
    """Return the labels of any Python source, as lecture 07 asks a unit for them.

    Text that is not Python raises ValueError.
    """
    try:
        spans = find_spans(text)
    except (tokenize.TokenError, SyntaxError) as error:
        raise ValueError(f"this text is not Python source: {error}") from error
    return _labels(text, spans)


def module_names(part: str) -> list[str]:
    """Return the fixed list of one part: whole packages are held out, never half of one."""
    if part not in PARTS:
        raise ValueError(f"part must be one of {', '.join(PARTS)}, not {part!r}")
    lines = files("course_utils.data").joinpath("source_modules.txt").read_text().split("\n")
    begin = lines.index(f"[{part}]") + 1
    end = next((n for n in range(begin, len(lines)) if lines[n][:1] in ("", "[")), len(lines))
    return lines[begin:end]


@cache
def source_modules(part: str = "train", folder: Path | None = None) -> tuple[Module, ...]:
    """Return the modules of a part that this Python has, with labels; the first call takes 3 s."""
    texts = _texts(part, folder or Path(sysconfig.get_paths()["stdlib"]))
    spans = _cached_spans(texts)
    return tuple(Module(name, text, _labels(text, spans[name])) for name, text in texts.items())


def module_texts(part: str = "train") -> list[str]:
    """Return the texts of a part's modules without labels, at once."""
    return list(_texts(part, Path(sysconfig.get_paths()["stdlib"])).values())


def source_text(part: str = "train") -> str:
    """Return the texts of a part as one, modules in a fixed order."""
    return "".join(module.text for module in source_modules(part))


def source_labels(part: str = "train") -> Labels:
    """Return the labels of `source_text(part)`."""
    return Labels(*map(np.concatenate, zip(*(m.labels for m in source_modules(part)), strict=True)))


def _texts(part: str, folder: Path) -> dict[str, str]:
    """Read the modules of a part that exist; some systems leave some out, and some break one."""
    texts = {}
    for name in module_names(part):
        broken = suppress(FileNotFoundError, UnicodeDecodeError, SyntaxError)
        with broken, tokenize.open(folder / name) as file:
            texts[name] = file.read()
    if not texts:
        raise FileNotFoundError(f"none of the corpus's modules is in {folder}")
    return texts


def _labels(text: str, spans: Spans) -> Labels:
    length = len(text)
    counts = {}
    for kind, (starts, ends) in spans.items():
        change = np.bincount(np.asarray(starts, dtype=np.int64), minlength=length + 1)
        change -= np.bincount(np.asarray(ends, dtype=np.int64), minlength=length + 1)
        counts[kind] = change.cumsum()[:length].astype(np.uint8)
    flags = {
        kind: counts[kind].astype(bool) for kind in LABELLED if kind not in ("depth", "indentation")
    }
    line_starts = np.zeros(length, dtype=np.int64)
    newlines = np.flatnonzero(np.frombuffer(text.encode("utf-32-le"), np.uint32) == ord("\n"))
    line_starts[newlines[newlines < length - 1] + 1] = newlines[newlines < length - 1] + 1
    column = np.arange(length) - np.maximum.accumulate(line_starts)
    return Labels(**{**counts, **flags}, column=column.astype(np.uint16))


def _cached_spans(texts: dict[str, str]) -> dict[str, Spans]:
    """Return the spans of every text, from the cache when these very texts were labelled before."""
    key = hashlib.sha256(repr((LABELS_VERSION, sorted(texts.items()))).encode()).hexdigest()
    kept = f".labels/{key[:32]}.npz"
    try:
        with (cache_folder() / kept).open("rb") as file, np.load(file, allow_pickle=False) as saved:
            return {name: {kind: (saved[f"{name}|{kind}|0"], saved[f"{name}|{kind}|1"])
                           for kind in LABELLED} for name in texts}  # fmt: skip
    except (OSError, EOFError, ValueError, KeyError, BadZipFile):
        spans = {name: find_spans(text) for name, text in texts.items()}
    arrays = {f"{name}|{kind}|{end}": np.asarray(found[kind][end], dtype=np.int32)
              for name, found in spans.items() for kind in LABELLED for end in (0, 1)}  # fmt: skip
    # without a place to cache them, labels are made again every time
    with suppress(OSError), replacing(cache_folder() / kept) as partial, partial.open("xb") as out:
        np.savez(out, allow_pickle=False, **arrays)
    return spans
