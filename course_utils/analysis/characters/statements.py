"""Let a model write the next statement of held-out code: does Python compile it? Is it a copy?"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from textwrap import indent
from typing import NamedTuple

import torch

from course_utils.analysis.characters.closing import BRACKETS, CONTEXT, QUOTES
from course_utils.analysis.characters.writing import draws
from course_utils.data.source_code import Labels
from course_utils.data.vocabulary import words_of
from course_utils.models import NGramLM, RecurrentLM
from course_utils.models.language.language_model import Memory
from course_utils.models.language.sampling import shaped, without
from course_utils.models.quiet import quiet
from course_utils.settings import SEED

MOST = 160  # characters of a statement
AT_ONCE = 20  # characters that are written before it is asked which statements have ended
LEAST_COPY = 20  # characters of a statement that is looked for in what was read
BEFORE = {"elif": "if x: pass\n", "else": "if x: pass\n", "except": "try: pass\n",
          "finally": "try: pass\n"}  # fmt: skip
# what may have to follow: the block of an `if`, that of a `try`, what a decorator belongs to
AFTER = ("", "\n  pass", "\n  pass\nfinally: pass", "\ndef g(): pass", "\n  case _: pass")
WORD = re.compile(r"\w+")

Model = RecurrentLM | NGramLM


class Judged(NamedTuple):
    """What became of written statements, as shares."""

    compiled: float
    refused: float
    unfinished: float
    copied: float  # of those that compile and are long enough: found in the text that was read
    ways: list[str]  # "compiled", "refused" or "unfinished", of each

    def shares(self) -> dict[str, float]:
        """Return the shares by name."""
        return {name: value for name, value in self._asdict().items() if name != "ways"}


def statement_starts(text: str, labels: Labels, count: int, seed: int = SEED) -> list[str]:
    """Return what stands before statements of code, up to the first character of each."""
    busy = torch.as_tensor(labels.string | labels.comment) | (torch.as_tensor(labels.depth) > 0)
    there, first = [], 0
    for line in text.splitlines(keepends=True):
        code = first + len(line) - len(line.lstrip())
        starts = first >= CONTEXT and line.strip() and not busy[code] and not busy[first - 1]
        if starts and not text[:first].endswith("\\\n"):
            there.append(text[code + 1 - CONTEXT : code + 1])
        first += len(line)
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(there), generator=generator)[:count]
    return [there[number] for number in sorted(order.tolist())]


def written_statements(
    model: Model,
    starts: Sequence[str],
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    seed: int = 0,
) -> list[str]:
    """Return the statements a model writes, their first characters given; at most MOST long."""
    words, count = words_of(model), len(starts)
    never = words.encode([words.unknown] if words.unknown else []).tolist()
    points, going = draws(MOST, count, seed), torch.arange(count)
    written = [start[-1] for start in starts]
    memory: Memory | None = None
    with quiet(model) if isinstance(model, RecurrentLM) else torch.no_grad():
        read = model.order if isinstance(model, NGramLM) else CONTEXT
        for signs in zip(*(start[-read:] for start in starts), strict=True):
            log_p, memory = model.read(words.encode(signs), memory)
        for t, point in enumerate(points, start=1):
            p = shaped(without(log_p.double(), never), temperature, top_k, top_p).cumsum(dim=-1)
            drawn = torch.searchsorted(p, (point[going] * p[:, -1])[:, None], right=True)[:, 0]
            drawn = drawn.clamp(max=p.shape[-1] - 1)
            for place, sign in zip(going.tolist(), words.decode(drawn), strict=True):
                written[place] += sign
            if t % AT_ONCE == 0:
                left = torch.tensor([_ends(written[n]) is None for n in going.tolist()])
                if not left.any():
                    break
                going, drawn = going[left], drawn[left]
                memory = tuple(part[:, left] for part in memory or ())
            log_p, memory = model.read(drawn, memory)
    return [text[: _ends(text)] for text in written]


def judged(statements: Sequence[str], read: str = "") -> Judged:
    """Return what Python says of statements, and how many of them stand in `read` as they are."""
    ways = [how_it_stands(text) for text in statements]
    good = [text.strip() for text, way in zip(statements, ways, strict=True) if way == "compiled"]
    long = [text for text in good if len(text) >= LEAST_COPY]
    copied = sum(text in read for text in long) / max(1, len(long)) if read else float("nan")
    compiled, refused, unfinished = (
        ways.count(way) / len(ways) for way in ("compiled", "refused", "unfinished")
    )
    return Judged(compiled, refused, unfinished, copied, ways)


def how_it_stands(statement: str) -> str:
    """Return "compiled", "refused" or "unfinished" for one statement."""
    if _ends(statement) is None:
        return "unfinished"
    code = statement.strip()
    word = (WORD.match(code) or [""])[0]
    for after in AFTER:
        inside = indent(BEFORE.get(word, "") + code + after, "  ")
        if _parses(f"async def f():\n while x:\n{inside}\n"):
            return "compiled"
    return "refused"


def _parses(program: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as an escape that Python does not know
            compile(program, "<written>", "exec")
    except (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError):
        return False
    return True


def _ends(text: str) -> int | None:
    """Return where the first statement of a text ends, None if it does not.

    Empty lines and comments before it belong to it. A quote that the line leaves open ends it too:
    no Python goes on there.
    """
    place, open_brackets, quote, any_code = 0, 0, "", False
    while place < len(text):
        sign = text[place]
        if quote:
            if sign == "\\":
                place += 1
            elif sign == "\n" and len(quote) == 1:
                return place + 1
            elif text.startswith(quote, place):
                place += len(quote) - 1
                quote = ""
        elif sign in QUOTES:
            any_code = True
            quote = 3 * sign if text.startswith(3 * sign, place) else sign
            place += len(quote) - 1
        elif sign == "#":
            end = text.find("\n", place)
            if end < 0:
                return None
            place = end - 1
        elif sign == "\n" and any_code and open_brackets <= 0 and text[place - 1] != "\\":
            return place + 1
        else:
            open_brackets += (sign in BRACKETS) - (sign in BRACKETS.values())
            any_code = any_code or not sign.isspace()
        place += 1
    return None
