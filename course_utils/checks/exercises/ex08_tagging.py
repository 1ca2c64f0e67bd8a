"""Lecture 08: sequences of different lengths, two directions, and what a curve proves."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception

Step = Callable[[Tensor, Tensor], Tensor]


def reverse_within(x: Tensor, lengths: Tensor) -> Tensor:
    """Return (B, T) with every row turned round within its own length; padding stays behind."""
    rows = [torch.cat([row[:n].flip(0), row[n:]]) for row, n in _rows(x, lengths)]
    return torch.stack(rows)


def pool_words(h: Tensor, scores: Tensor, lengths: Tensor) -> dict[str, Tensor]:
    """Return the mean, the maximum and the attention-weighted sum of every sentence's words."""
    return _pooled(h, scores, lengths)


def both_ways(x: Tensor, ahead: Step, back: Step, h_0: Tensor) -> Tensor:
    """Return [h_t; k_t] (T, 2H): h has read x_1..x_t from the left, k x_T..x_t from the right."""
    h, k = _walk(x, ahead, h_0), _walk(x.flip(0), back, h_0).flip(0)
    return torch.cat([h, k], dim=-1)


def mean_loss(losses: Tensor, lengths: Tensor) -> Tensor:
    """Return the mean over all real words of a batch."""
    return torch.cat([row[:n] for row, n in _rows(losses, lengths)]).mean()


def what_the_curve_allows() -> dict[str, str]:
    """Return what the curve of lecture 08's exercise 8.5 says of each statement."""
    return {"A": "shown", "B": "open", "C": "refuted", "D": "open", "E": "open"}


def _rows(x: Tensor, lengths: Tensor) -> list[tuple[Tensor, int]]:
    return list(zip(x, lengths.tolist(), strict=True))


def _walk(x: Tensor, step: Step, h: Tensor) -> Tensor:
    states = []
    for x_t in x:
        h = step(x_t, h)
        states.append(h)
    return torch.stack(states)


def _pooled(
    h: Tensor,
    scores: Tensor,
    lengths: Tensor,
    *,
    divide: str = "length",
    padding: str = "none",
    attention: str = "masked",
) -> dict[str, Tensor]:
    """Pool row by row; the options are what beginners do instead."""
    found: dict[str, list[Tensor]] = {"mean": [], "max": [], "attention": []}
    T = h.shape[1]
    for (row, n), score in zip(_rows(h, lengths), scores, strict=True):
        words = row[:n]
        found["mean"].append(
            (row if divide == "all" else words).sum(0) / (n if divide == "length" else T)
        )
        zeroed = torch.cat([words, torch.zeros_like(row[n:])])
        seen = {"none": words, "zero": zeroed, "read": row}[padding]
        found["max"].append(seen.amax(0))
        if attention == "masked":
            a = score[:n].softmax(0)
        elif attention == "after":
            a = score.softmax(0)[:n]
        else:
            a = score[:n] / score[:n].sum()
        found["attention"].append(a @ words)
    return {name: torch.stack(rows) for name, rows in found.items()}


def _ways(turn_in: bool = True, turn_out: bool = True, join: str = "cat", carry: bool = False):
    def ways(x: Tensor, ahead: Step, back: Step, h_0: Tensor) -> Tensor:
        h = _walk(x, ahead, h_0)
        k = _walk(x.flip(0) if turn_in else x, back, h[-1] if carry else h_0)
        k = k.flip(0) if turn_out else k
        return h + k if join == "sum" else torch.cat([k, h] if join == "swap" else [h, k], dim=-1)

    return ways


def _mean_of_means(losses: Tensor, lengths: Tensor) -> Tensor:
    return torch.stack([row[:n].mean() for row, n in _rows(losses, lengths)]).mean()


def _sum_over_all(losses: Tensor, lengths: Tensor) -> Tensor:
    return mean_loss(losses, lengths) * lengths.sum() / losses.numel()


def _sum_over_batch(losses: Tensor, lengths: Tensor) -> Tensor:
    return mean_loss(losses, lengths) * lengths.sum() / len(losses)


def _pool_cases() -> list[tuple[Tensor, Tensor, Tensor]]:
    """Return words all below zero in one feature, so that a zero of padding would win."""
    cases = []
    for B, T, H in ((2, 3, 2), (3, 7, 5)):
        h, scores = some(B, T, H, seed=T), some(B, T, seed=T + 1)
        h[..., 0] = -h[..., 0].abs() - 0.1
        lengths = torch.tensor([T, max(1, T - 2), 1][:B])
        cases.append((h, scores, lengths))
    return cases


def _way_cases() -> list[tuple[Tensor, Step, Step, Tensor]]:
    def cell(seed: int, D: int, H: int) -> Step:
        W, U = some(H, D, seed=seed), some(H, H, seed=seed + 1) / 2
        return lambda x_t, h: torch.tanh(W @ torch.as_tensor(x_t) + U @ torch.as_tensor(h))

    return [
        (some(T, D, seed=T), cell(T, D, H), cell(T + 30, D, H), some(H, seed=9) / 3)
        for T, D, H in ((2, 1, 1), (5, 3, 2), (4, 2, 3))
    ]


def _attention_with_zeros(h: Tensor, scores: Tensor, lengths: Tensor) -> Tensor:
    mask = torch.arange(h.shape[1]) < lengths[:, None]
    return ((scores * mask).softmax(1).unsqueeze(1) @ h).squeeze(1)


EXERCISES = (
    Exercise(
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
        misconceptions=(
            Misconception(
                "zeros are padding",
                lambda x, lengths: reverse_within(x, (x != 0).sum(1)),
                "You took zeros for padding. A word's number may be 0, and padding another: how "
                "long a sentence is, `lengths` says.",
            ),
            Misconception(
                "the padding comes first",
                lambda x, lengths: x.flip(1),
                "You turned the padded rows: now every shorter sentence begins with its padding, "
                "and the backward direction would read that first.",
            ),
            Misconception(
                "the batch is turned",
                lambda x, lengths: x.flip(0),
                "You exchanged the sentences, not their words: time is the second dimension.",
            ),
            Misconception(
                "one word too few",
                lambda x, lengths: torch.stack(
                    [
                        torch.cat([row[: n - 1].flip(0), row[n - 1 :]])
                        for row, n in _rows(x, lengths)
                    ]
                ),
                "The last word of each sentence stays where it was: a slice up to n has n words.",
            ),
            Misconception(
                "unchanged",
                lambda x, lengths: x,
                "Nothing has moved.",
            ),
        ),
        hints=(
            "Which part of row b holds words?",
            "Take the first lengths[b] entries, turn them, and put the rest behind.",
            "torch.cat([row[:n].flip(0), row[n:]]) for every row, then torch.stack.",
        ),
    ),
    Exercise(
        number="8.2",
        task="a bidirectional layer from two cells",
        reference=both_ways,
        takes="x: (T, D); ahead, back: functions (x_t, h) -> h of two cells; h_0: (H,)",
        gives="(T, 2H), row t the forward and the backward state at word t",
        cases=_way_cases,
        misconceptions=(
            Misconception(
                "read from the end, left in that order",
                _ways(turn_out=False),
                "The backward states are in the order in which they were made: row 0 holds what "
                "was read at the last word. Turn them round before you join them.",
            ),
            Misconception(
                "both read forward",
                _ways(turn_in=False, turn_out=False),
                "Both cells read from the left. The second one begins with the last word.",
            ),
            Misconception(
                "only the answer is turned",
                _ways(turn_in=False),
                "The second cell reads from the left, and only its states are turned.",
            ),
            Misconception(
                "states added",
                _ways(join="sum"),
                "You added the two states. They are put side by side: (T, 2H).",
            ),
            Misconception(
                "backward first",
                _ways(join="swap"),
                "The forward state comes first, then the backward one.",
            ),
            Misconception(
                "starts where the other ended",
                _ways(carry=True),
                "The backward cell starts from the forward one's last state. Each starts from "
                "h_0: otherwise the right side would know the left.",
            ),
            Misconception(
                "the last states only",
                lambda x, ahead, back, h_0: torch.cat(
                    [_walk(x, ahead, h_0)[-1], _walk(x.flip(0), back, h_0)[-1]]
                ).expand(len(x), -1),
                "You return the last states at every word. Row t has what was read up to word t, "
                "from both sides.",
            ),
        ),
        hints=(
            "Two loops, each with its own cell and its own h.",
            "The second loop goes over the words from the last to the first.",
            "Collect the second loop's states, turn the list round, then join row by row.",
        ),
    ),
    Exercise(
        number="8.3",
        task="find the bug in a loss",
        kind="debug",
        reference=mean_loss,
        takes="losses: (B, T), anything behind a length; lengths: (B,)",
        gives="a number, the mean over all real words",
        example=(torch.tensor([[1.0, 3.0], [2.0, 9.0]]).double(), torch.tensor([2, 1])),
        cases=lambda: [
            (torch.tensor([[1.0, 3.0], [2.0, 9.0]]).double(), torch.tensor([2, 1])),
            (some(3, 7, seed=3).abs(), torch.tensor([7, 4, 1])),
        ],
        misconceptions=(
            Misconception(
                "unchanged",
                lambda losses, lengths: losses.mean(),
                "Unchanged: the mean reads the padding.",
            ),
            Misconception(
                "words summed, all counted",
                _sum_over_all,
                "You sum the words only, but divide by B times T: with more padding the loss "
                "becomes smaller, and nothing has been learned.",
            ),
            Misconception(
                "a mean of means",
                _mean_of_means,
                "A mean of the sentences' means: a word of a short sentence counts for more than "
                "one of a long sentence. All real words count alike.",
            ),
            Misconception(
                "divided by sentences",
                _sum_over_batch,
                "You divide by the number of sentences. How many words are there?",
            ),
            Misconception(
                "only a sum",
                lambda losses, lengths: mean_loss(losses, lengths) * lengths.sum(),
                "That is the sum: it grows with the batch.",
            ),
            Misconception(
                "everything over the real words",
                lambda losses, lengths: losses.sum() / lengths.sum(),
                "You divide by the real words, but the sum still holds the padding.",
            ),
        ),
        hints=(
            "Add a column of padding to the batch: should the loss move?",
            "Which entries may be in the sum, and how many are these?",
            "mask = torch.arange(T) < lengths[:, None]; losses[mask].mean()",
        ),
    ),
    Exercise(
        number="8.4",
        task="three poolings that do not see padding",
        reference=pool_words,
        takes="h: (B, T, H); scores: (B, T); lengths: (B,)",
        gives='a dict {"mean": (B, H), "max": (B, H), "attention": (B, H)}',
        cases=_pool_cases,
        misconceptions=(
            Misconception(
                "mean over T",
                lambda h, s, n: {**_pooled(h, s, n), "mean": h.mean(1)},
                "Your mean reads the padding and divides by T. Sum the words, divide by the "
                "sentence's own length.",
            ),
            Misconception(
                "divided by T",
                lambda h, s, n: _pooled(h, s, n, divide="T"),
                "Your sum is right, but divided by T: a short sentence's mean becomes small.",
            ),
            Misconception(
                "maximum with zeros",
                lambda h, s, n: _pooled(h, s, n, padding="zero"),
                "Where all words are below 0, your maximum is the padding's 0. Padding must be "
                "-inf before a maximum.",
            ),
            Misconception(
                "maximum of everything",
                lambda h, s, n: _pooled(h, s, n, padding="read"),
                "Your maximum also looks at the padding.",
            ),
            Misconception(
                "nothing masked",
                lambda h, s, n: {
                    "mean": h.mean(1),
                    "max": h.amax(1),
                    "attention": (s.softmax(1).unsqueeze(1) @ h).squeeze(1),
                },
                "All three read the padding: the lengths are not used.",
            ),
            Misconception(
                "attention to padding",
                lambda h, s, n: {
                    **_pooled(h, s, n),
                    "attention": (s.softmax(1).unsqueeze(1) @ h).squeeze(1),
                },
                "Your attention gives the padding a weight: its scores must be -inf before the "
                "softmax.",
            ),
            Misconception(
                "masked after the softmax",
                lambda h, s, n: _pooled(h, s, n, attention="after"),
                "You masked after the softmax: the weights of the words no longer sum to 1, since "
                "the padding has kept its share.",
            ),
            Misconception(
                "scores set to zero",
                lambda h, s, n: {
                    **_pooled(h, s, n),
                    "attention": _attention_with_zeros(h, s, n),
                },
                "A score of 0 is no score of nothing: exp(0) = 1. Set the padding's scores to "
                "-inf.",
            ),
            Misconception(
                "no softmax",
                lambda h, s, n: _pooled(h, s, n, attention="linear"),
                "Scores may be negative: weights are their softmax, not their share of the sum.",
            ),
        ),
        hints=(
            "Pool each sentence alone, at its own length: what would be the answer?",
            "In one go: a mask (B, T) that is True before each length; 0 for a sum, -inf for a "
            "maximum and before a softmax.",
            "mask = torch.arange(T) < lengths[:, None]; scores.masked_fill(~mask, -torch.inf)"
            ".softmax(1)",
        ),
    ),
    Exercise(
        number="8.5",
        task="what does the curve allow?",
        kind="judge",
        gives='a dict {"A": "shown", "B": ...}',
        reference=what_the_curve_allows,
        cases=lambda: [()],
        choices=("shown", "refuted", "open"),
        misconceptions=(),
        reasons={
            ("A", "open"): "A: the intervals at 50 labels lie far apart.",
            ("A", "refuted"): "A: at 50 labels the curve that has read first is the upper one.",
            ("B", "shown"): "B: at 5,000 labels the intervals overlap. That is not a proof that "
            "there is no difference, nor that there is one.",
            ("B", "refuted"): "B: overlapping intervals refute no difference either.",
            ("C", "shown"): "C: compare the upper curve at 200 with the lower one at 1,000.",
            ("C", "open"): "C: it can be read off: the upper curve at 200 labels lies above the "
            "lower one at 1,000.",
            ("D", "shown"): "D: nothing beyond 5,000 was run.",
            ("D", "refuted"): "D: nothing beyond 5,000 was run, so nothing there is refuted.",
            ("E", "shown"): "E: one task was run. Another one may share less with the text that "
            "was read.",
            ("E", "refuted"): "E: one task was run; it cannot speak for another, nor against it.",
        },
        hints=(
            "Which statements are about points of the curve, and which about others?",
            "What was not run is open. Intervals that overlap leave a question open too.",
            "One is shown, one is refuted, three are open.",
        ),
    ),
)
