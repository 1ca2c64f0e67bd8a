"""Languages that a counter recognises: a^n b^n, a^n b^n c^n, brackets of one kind and of two.

A language says which symbols may follow each prefix. That defines it completely: a text belongs to
it when each of its letters was allowed, and so was END after the last one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch

END = "⊣"  # the end of a text, and what a network reads before the first letter


class Language:
    """A set of texts, defined by what may follow each prefix."""

    letters: str

    @property
    def symbols(self) -> str:
        """Return END and the letters: a network's inputs and outputs, in this order."""
        return END + self.letters

    def allowed(self, text: str) -> list[frozenset[str]]:
        """Return what may come next after each prefix of a text, the empty one first.

        After a letter that was not allowed, nothing is allowed.
        """
        found: list[frozenset[str]] = []
        for may in self._after_each(text):
            broken = found and (not found[-1] or text[len(found) - 1] not in found[-1])
            found.append(frozenset() if broken else may)
        return found

    def accepts(self, text: str) -> bool:
        """Return whether a text belongs to the language."""
        may = self.allowed(text)
        return all(symbol in allowed for symbol, allowed in zip((*text, END), may, strict=True))

    def member(self, n: int) -> str:
        """Return the text that counts to n, and down again."""
        raise NotImplementedError

    def _after_each(self, text: str) -> Iterator[frozenset[str]]:
        """Yield what may follow each prefix, as if all letters so far were allowed."""
        raise NotImplementedError

    def _refuse_strangers(self, text: str) -> None:
        if strangers := sorted(set(text) - set(self.letters)):
            known = " ".join(self.letters)
            raise ValueError(
                f"{strangers[0]!r} is not a letter of this language ({known}): leave it out"
            )


@dataclass(frozen=True)
class Powers(Language):
    """Each letter n times, one after the other: a^n b^n with "ab", a^n b^n c^n with "abc"."""

    letters: str

    def member(self, n: int) -> str:
        """Return every letter n times."""
        if n < 1:
            raise ValueError(f"n is {n}: the shortest text of this language has n = 1")
        return "".join(n * letter for letter in self.letters)

    def _after_each(self, text: str) -> Iterator[frozenset[str]]:
        self._refuse_strangers(text)
        first, rest = self.letters[0], self.letters[1:] + END
        counts = dict.fromkeys(self.letters, 0)
        yield frozenset(first)
        for letter in text:
            counts[letter] += 1
            follows = rest[self.letters.index(letter)]
            if letter == first:
                yield frozenset({first, follows})
            else:
                yield frozenset(letter if counts[letter] < counts[first] else follows)


@dataclass(frozen=True)
class Brackets(Language):
    """Balanced brackets; of several kinds, each balanced on its own: a shuffle, not a nesting.

    One kind is the Dyck language and needs one counter; k kinds need k counters at once.
    """

    pairs: tuple[str, ...]

    @property
    def letters(self) -> str:  # type: ignore[override]  # the others store it
        """Return all brackets, pair after pair."""
        return "".join(self.pairs)

    def member(self, n: int) -> str:
        """Return n brackets of every kind opened, then closed in the order of their opening."""
        return "".join(n * pair[side] for side in (0, 1) for pair in self.pairs)

    def draw(self, length: int, generator: torch.Generator) -> str:
        """Return a text of an even length: at each step, open or close something at random."""
        if length % 2 or length < 0:
            raise ValueError(f"no balanced text has {length} letters: pass an even number")
        text, depths = "", [0] * len(self.pairs)
        while len(text) < length:
            must_close = length - len(text) == sum(depths)
            choices = [] if must_close else [(k, 0) for k in range(len(self.pairs))]
            choices += [(k, 1) for k, depth in enumerate(depths) if depth]
            k, side = choices[int(torch.randint(len(choices), (), generator=generator))]
            depths[k] += 1 - 2 * side
            text += self.pairs[k][side]
        return text

    def _after_each(self, text: str) -> Iterator[frozenset[str]]:
        self._refuse_strangers(text)
        depths = dict.fromkeys(self.pairs, 0)
        yield self._at(depths)
        for letter in text:
            (pair,) = (pair for pair in self.pairs if letter in pair)
            depths[pair] += 1 if letter == pair[0] else -1
            yield self._at(depths)

    def _at(self, depths: dict[str, int]) -> frozenset[str]:
        closings = {pair[1] for pair, depth in depths.items() if depth > 0}
        end = set() if any(depths.values()) else {END}
        return frozenset({pair[0] for pair in self.pairs} | closings | end)


@dataclass(frozen=True)
class Nested(Language):
    """Brackets of several kinds that close in the reverse order of their opening: Dyck-2 and up.

    What may close depends on which bracket was opened last, and what before it: on a stack.
    """

    pairs: tuple[str, ...]

    @property
    def letters(self) -> str:  # type: ignore[override]  # the others store it
        """Return all brackets, pair after pair."""
        return "".join(self.pairs)

    def member(self, n: int) -> str:
        """Return n brackets of every kind opened, and closed again from the last to the first."""
        opened = [pair for pair in self.pairs for _ in range(n)]
        return "".join(pair[0] for pair in opened) + "".join(pair[1] for pair in opened[::-1])

    def _after_each(self, text: str) -> Iterator[frozenset[str]]:
        self._refuse_strangers(text)
        openings, closing = {pair[0] for pair in self.pairs}, {p[0]: p[1] for p in self.pairs}
        stack: list[str] = []
        yield frozenset(openings | {END})
        for letter in text:
            if letter in closing:
                stack.append(closing[letter])
            elif stack:
                stack.pop()
            yield frozenset(openings | {stack[-1] if stack else END})


POWERS_OF_TWO, POWERS_OF_THREE = Powers("ab"), Powers("abc")
DYCK, SHUFFLE = Brackets(("()",)), Brackets(("()", "[]"))
NESTED = Nested(("()", "[]"))


def near_misses(language: Language, text: str) -> list[str]:
    """Return texts one slip away from a text that do not belong to the language.

    A slip drops, doubles or swaps letters where a run of one letter begins or ends: the mistakes
    that a network lets pass if it counts badly or not at all.
    """
    borders = [p for p in range(1, len(text)) if text[p] != text[p - 1]]
    last = len(text) - 1
    places = sorted({0, last} | {p for border in borders for p in (border - 1, border)})
    slips = []
    for p in places:
        slips += [text[:p] + text[p + 1 :], text[:p] + text[p] + text[p:]]
        if p < last:
            slips.append(text[:p] + text[p + 1] + text[p] + text[p + 2 :])
    return [slip for slip in dict.fromkeys(slips) if slip != text and not language.accepts(slip)]
