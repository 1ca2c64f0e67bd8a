"""What is true of every character of a Python text, as a search asks units for it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from course_utils.analysis.characters.closing import QUOTES, string_ends
from course_utils.analysis.units.search import Label, Labelled
from course_utils.data.source_code import Labels, label_characters, source_labels, source_text


@dataclass(frozen=True)
class Asked:
    """A label by name: how a reader would say it, and whether it is a mark or a number."""

    name: str
    says: str
    is_mark: bool = True


ASKED = (
    Asked("string", "inside a string"),
    Asked("docstring", "inside a docstring"),
    Asked("quoted", "inside '…' or \"…\""),
    Asked("which", "there: it is \", not '"),
    Asked("comment", "inside a comment"),
    Asked("silent", "inside a string or a comment"),
    Asked("condition", "in the condition of an if"),
    Asked("bracket", "inside a bracket"),
    Asked("ending", "at the last character of a line"),
    Asked("depth", "brackets that are open", is_mark=False),
    Asked("indentation", "blocks that the line is in", is_mark=False),
    Asked("column", "characters since the line began", is_mark=False),
    Asked("since", "characters since the string began", is_mark=False),
)
SAYS = {asked.name: asked.says for asked in ASKED}


def python_text(text: str) -> Labelled:
    """Return any Python source with its labels; what is no Python raises ValueError."""
    return labelled(text, label_characters(text))


def source_part(part: str, characters: int | None = None, first: int = 0) -> Labelled:
    """Return a stretch of a part of the standard library with its labels."""
    text, labels = source_text(part), source_labels(part)
    stretch = slice(first, None if characters is None else first + characters)
    return labelled(text[stretch], Labels(*(field[stretch] for field in labels)))


def labelled(text: str, labels: Labels) -> Labelled:
    """Return a text with every label of `ASKED`.

    A unit is asked after the character has been read. So the quote that closes a string counts as
    outside: nothing is open any more.
    """
    string, docstring = (_still_open(flags(field)) for field in (labels.string, labels.docstring))
    depth = numbers(labels.depth)
    quoted = _inside_quotes(text, labels)
    values = {
        "string": string,
        "docstring": docstring,
        "quoted": quoted["'"] | quoted['"'],
        "comment": flags(labels.comment),
        "silent": string | flags(labels.comment),
        "condition": flags(labels.condition),
        "bracket": depth > 0,
        "ending": _before_a_line_end(text),
        "depth": depth,
        "indentation": numbers(labels.indentation),
        "column": numbers(labels.column),
    }
    found = {name: Label(value) for name, value in values.items()}
    found["which"] = Label(quoted['"'], quoted["'"] | quoted['"'])
    found["since"] = Label(_since_it_began(string), string)
    return Labelled(text, {asked.name: found[asked.name] for asked in ASKED})


def flags(field: np.ndarray) -> Tensor:
    """Return marks as a tensor."""
    return torch.as_tensor(field).bool()


def numbers(field: np.ndarray) -> Tensor:
    """Return whole numbers as a tensor that a correlation takes."""
    return torch.as_tensor(field.astype("float32"))


def _inside_quotes(text: str, labels: Labels) -> dict[str, Tensor]:
    """Mark, for each kind of quote, what is inside a string of one line between two of them."""
    marks = {quote: torch.zeros(len(text), dtype=torch.bool) for quote in QUOTES}
    for place, distance, kind in string_ends(text, labels):
        marks[QUOTES[kind]][place - distance : place] = True
    return marks


def _still_open(inside: Tensor) -> Tensor:
    """Take the last character of every span away."""
    return inside & torch.cat([inside[1:], inside.new_zeros(1)])


def _before_a_line_end(text: str) -> Tensor:
    ends = torch.tensor([sign == "\n" for sign in text])
    return torch.cat([ends[1:], ends.new_zeros(1)])


def _since_it_began(inside: Tensor) -> Tensor:
    """Return how many characters before this one belong to its span, 0 outside."""
    place = torch.arange(1, len(inside) + 1)
    before = torch.where(inside, 0, place).cummax(dim=0).values
    return torch.where(inside, place - before - 1, 0).float()
