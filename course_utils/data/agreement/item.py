"""One question about number: a sentence, the place of its verb, and the verb's two forms."""

from __future__ import annotations

from typing import NamedTuple


class AgreementItem(NamedTuple):
    """A sentence, the place where a verb must agree, and that verb's two forms.

    Compare the forms at `position` given `words[:position]`; in a nonsense sentence the word that
    stands there may be another verb. `cue` is where the word that it agrees with stands, and
    `attractors` counts nouns of the other number in between: each published set gives one of the
    two. `condition` is the number of every noun in order, such as SP, where the grammar is ours.
    """

    words: list[str]
    position: int
    right: str
    wrong: str
    cue: int | None = None
    attractors: int | None = None
    construction: str = ""
    condition: str = ""

    @property
    def distance(self) -> int | None:
        """Return how many words stand between the word that decides and the verb."""
        return None if self.cue is None else self.position - self.cue - 1
