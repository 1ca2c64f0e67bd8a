"""Exercise 8.1: turn every sentence round within its length."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def reverse_within(x: Tensor, lengths: Tensor) -> Tensor:
    """Return (B, T) with every row turned round within its own length; padding stays behind."""
    rows = zip(x, lengths.tolist(), strict=True)
    return torch.stack([torch.cat([row[:n].flip(0), row[n:]]) for row, n in rows])


EXERCISE = Exercise(
    number="8.1",
    task="turn every sentence round within its length",
    reference=reverse_within,
    takes="x: (B, T), padding behind each sentence; lengths: (B,)",
    gives="(B, T)",
    example=(torch.tensor([[1, 2, 3, 4], [5, 6, 0, 0]]), torch.tensor([4, 2])),
    cases=lambda: [
        (torch.tensor([[1, 2, 3, 4], [5, 6, 0, 0]]), torch.tensor([4, 2])),
        (
            torch.tensor([[7, 8, 9, 1, 2], [3, 4, 5, 0, 0], [6, 0, 0, 0, 0]]),
            torch.tensor([5, 3, 1]),
        ),
        # words that are 0, and padding that is not
        (torch.tensor([[4, 0, 3, 9, 8], [1, 2, 0, 5, 6]]), torch.tensor([3, 5])),
    ],
    hints=(
        "Which part of row b holds words?",
        "Take the first lengths[b] entries, turn them, and put the rest behind.",
        "torch.cat([row[:n].flip(0), row[n:]]) for every row, then torch.stack.",
    ),
    misconceptions=(
        Misconception(
            "zeros are padding",
            Change("lengths.tolist()", "(x != 0).sum(1).tolist()"),
            "You took zeros for padding. A word's number may be 0, and padding another: how long a "
            "sentence is, `lengths` says.",
        ),
        Misconception(
            "the padding comes first",
            lambda x, lengths: x.flip(1),
            "You turned the padded rows: now every shorter sentence begins with its padding, and "
            "the backward direction would read that first.",
        ),
        Misconception(
            "the batch is turned",
            lambda x, lengths: x.flip(0),
            "You swapped the sentences, not their words: time is the second dimension.",
        ),
        *mistakes("""
            one word too few
                row[:n].flip(0), row[n:] => row[: n - 1].flip(0), row[n - 1 :]
                The last word of each sentence stays where it was: a slice up to n has n words.
            padding moved to the front
                row[:n].flip(0), row[n:] => row[n:], row[:n].flip(0)
                The words are turned, but now they stand behind their padding. Padding stays at the
                end.
            padding wiped out
                row[n:] => 0 * row[n:]
                The words are right. The padding has become 0: it stays as it is, whatever it is.
        """),
        Misconception(
            "unchanged",
            lambda x, lengths: x,
            "Nothing has moved.",
        ),
    ),
)
