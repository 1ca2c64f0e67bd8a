"""Number the words: a list of tokens, and what to do with a token that is not in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import torch
from torch import Tensor

from course_utils.settings import UNKNOWN

BEGIN, END = "<s>", "</s>"


class Vocabulary:
    """Tokens and their numbers; a token not listed becomes `unknown`, or an error without one."""

    def __init__(self, tokens: Sequence[str], unknown: str | None = UNKNOWN):
        self.tokens = list(tokens)
        self.number = {token: number for number, token in enumerate(self.tokens)}
        self.unknown = unknown
        if len(self.number) != len(self.tokens):
            twice = [token for token, count in Counter(self.tokens).items() if count > 1]
            raise ValueError(f"a vocabulary lists every token once; these come twice: {twice[:5]}")
        if unknown is not None and unknown not in self.number:
            raise ValueError(f"the unknown word {unknown!r} must be one of the tokens, or None")

    @classmethod
    def of(
        cls,
        tokens: Iterable[str],
        size: int | None = None,
        min_count: int = 1,
        special: Sequence[str] = (UNKNOWN, BEGIN, END),
    ) -> Vocabulary:
        """Take the most frequent tokens, `special` first; ties go in alphabetical order.

        Without UNKNOWN among the special tokens, an unknown token is an error.
        """
        counts = Counter(tokens)
        if not counts:
            raise ValueError("there are no tokens to make a vocabulary of")
        for token in special:
            counts.pop(token, None)
        ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        kept = [token for token, count in ranked if count >= min_count]
        room = None if size is None else size - len(special)
        if room is not None and room < 1:
            raise ValueError(f"size={size} leaves no room beside {len(special)} special tokens")
        return cls([*special, *kept[:room]], UNKNOWN if UNKNOWN in special else None)

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: str) -> bool:
        return token in self.number

    def encode(self, tokens: Iterable[str]) -> Tensor:
        """Return the numbers of the tokens."""
        tokens = list(tokens)
        if self.unknown is None:
            missing = sorted({token for token in tokens if token not in self.number})
            if missing:
                raise ValueError(
                    f"not in this vocabulary of {len(self)}: {missing[:5]}; leave them out, or "
                    f"build it with {UNKNOWN!r} among its special tokens"
                )
        other = 0 if self.unknown is None else self.number[self.unknown]
        return torch.tensor([self.number.get(token, other) for token in tokens], dtype=torch.long)

    def decode(self, numbers: Iterable[int] | Tensor) -> list[str]:
        """Return the tokens of the numbers."""
        numbers = numbers.tolist() if isinstance(numbers, Tensor) else list(numbers)
        wrong = [number for number in numbers if not 0 <= number < len(self)]
        if wrong:
            raise ValueError(f"no token has number {wrong[0]}: there are {len(self)}")
        return [self.tokens[number] for number in numbers]


def words_of(model: object) -> Vocabulary:
    """Return the vocabulary of a language model that knows words by name."""
    words = getattr(model, "vocabulary", None)
    if not isinstance(words, Vocabulary):
        raise TypeError("a model is asked about words: build it with a Vocabulary, not a number")
    return words
