"""Say where strings, comments, brackets, blocks and conditions begin and end in Python source.

Only the standard library is used here, so that any Python can be asked for its opinion.
"""

from __future__ import annotations

import token
import tokenize
from io import StringIO

LABELLED = ("string", "docstring", "comment", "depth", "indentation", "condition")
Spans = dict[str, tuple[list[int], list[int]]]  # per kind: where one begins, where one ends

OPENING, CLOSING = frozenset("([{"), frozenset(")]}")
DEFINITIONS = frozenset(("def", "class", "async"))
SILENT = frozenset((tokenize.COMMENT, tokenize.NL, tokenize.ENCODING))
LAYOUT = frozenset((tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER))
# From 3.12 on, an f-string arrives in pieces: here it is one string, as it was before.
PIECES_BEGIN = frozenset(getattr(token, f"{kind}STRING_START", -1) for kind in "FT")
PIECES_END = frozenset(getattr(token, f"{kind}STRING_END", -1) for kind in "FT")


def find_spans(text: str) -> Spans:
    """Return where each kind begins and ends; how many are open at a character is its label."""
    return _Finder(text).spans


class _Finder:
    """Walk over the tokens once and note what begins and ends."""

    def __init__(self, text: str):
        self.spans: Spans = {kind: ([], []) for kind in LABELLED}
        self.lines = [0]
        for line in text.split("\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.length = len(text)
        self.depth = self.pieces = self.lambdas = 0
        self.piece_start = 0
        self.first: str | None = None  # the statement's first word, None between statements
        self.condition_start: int | None = None
        self.header_done = False  # the colon of a def or class has passed
        self.docstring_may_follow = True  # nothing has been said in this block yet
        self.docstring: list[tuple[int, int]] | None = None  # strings of a statement of strings
        for item in tokenize.generate_tokens(StringIO(text).readline):
            self._see(item)

    def _at(self, place: tuple[int, int]) -> int:
        row, column = place
        return min(self.length, self.lines[min(row, len(self.lines)) - 1] + column)

    def _note(self, kind: str, start: int, end: int) -> None:
        self.spans[kind][0].append(start)
        self.spans[kind][1].append(end)

    def _see(self, item: tokenize.TokenInfo) -> None:
        start, end = self._at(item.start), self._at(item.end)
        if item.type in PIECES_BEGIN:
            self.piece_start = self.piece_start if self.pieces else start
            self.pieces += 1
        elif item.type in PIECES_END:
            self.pieces -= 1
            if not self.pieces:
                self._string(self.piece_start, end, plain=False)
        elif self.pieces:
            return
        elif item.type == tokenize.COMMENT:
            self._note("comment", start, end)
        elif item.type == tokenize.STRING:
            prefix = item.string.rstrip("\"'").split(item.string[-1])[0].lower()
            self._string(start, end, plain=not set(prefix) & set("bf"))
        elif item.type in LAYOUT:
            self._layout(item)
        elif item.type not in SILENT:
            self._word(item, start, end)

    def _string(self, start: int, end: int, plain: bool) -> None:
        self._note("string", start, end)
        begins = self.first is None or (self.header_done and self.docstring is None)
        if begins and plain and (self.docstring_may_follow or self.header_done):
            self.docstring = [(start, end)]
        elif self.docstring is not None and plain:
            self.docstring.append((start, end))
        else:
            self.docstring = None
        self._begin_statement("a string")

    def _begin_statement(self, word: str) -> None:
        if self.first is None:
            self.first = word
            self.docstring_may_follow = False
        elif self.header_done and self.first in DEFINITIONS:
            self.first = word  # the body follows on the header's line
            self.header_done = False

    def _word(self, item: tokenize.TokenInfo, start: int, end: int) -> None:
        word = item.string
        if word == ";" and self.depth == 0:
            self._end_statement()
            return
        self.docstring = None
        begins = self.first is None
        self._begin_statement(word)
        if word in OPENING and item.type == tokenize.OP:
            self.depth += 1
            self.spans["depth"][0].append(start)
        elif word in CLOSING and item.type == tokenize.OP:
            self.depth -= 1
            self.spans["depth"][1].append(end)
        elif begins and word in ("if", "elif"):
            self.condition_start = end
        elif self.depth == 0 and word == "lambda":
            self.lambdas += 1
        elif self.depth == 0 and word == ":":
            self._colon(start)

    def _colon(self, start: int) -> None:
        if self.lambdas:
            self.lambdas -= 1
        elif self.condition_start is not None:
            self._note("condition", self.condition_start, start)
            self.condition_start = None
        elif self.first in DEFINITIONS:
            self.header_done = True

    def _end_statement(self) -> None:
        for start, end in self.docstring or []:
            self._note("docstring", start, end)
        self.docstring, self.first, self.condition_start, self.lambdas = None, None, None, 0

    def _layout(self, item: tokenize.TokenInfo) -> None:
        if item.type == tokenize.NEWLINE:
            self._end_statement()
        elif item.type == tokenize.INDENT:
            self.spans["indentation"][0].append(self._at((item.start[0], 0)))
            self.docstring_may_follow = self.header_done
        elif item.type == tokenize.DEDENT:
            self.spans["indentation"][1].append(self._at((item.start[0], 0)))
        if item.type != tokenize.NEWLINE:
            self.header_done = False
