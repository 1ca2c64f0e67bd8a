"""Exercise 8.3: find the bug in a loss."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes


def mean_loss(losses: Tensor, lengths: Tensor) -> Tensor:
    """Return the mean over all real words of a batch."""
    real = torch.arange(losses.shape[1]) < lengths[:, None]
    return losses[real].mean()


EXERCISE = Exercise(
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
        # a word that was certain costs 0, and padding may hold anything
        (torch.tensor([[0.5, 0.0, 2.0], [4.0, 0.0, 3.0]]).double(), torch.tensor([3, 1])),
        (torch.tensor([[0.5, 2.0, 3.0, torch.nan]]).double(), torch.tensor([2])),
        (torch.tensor([[0.5, torch.inf]]).double(), torch.tensor([1])),
    ],
    hints=(
        "Add a column of padding to the batch: should the loss move?",
        "Which entries may be in the sum, and how many are these?",
        "mask = torch.arange(T) < lengths[:, None]; losses[mask].mean()",
    ),
    misconceptions=mistakes("""
        unchanged
            losses[real].mean() => losses.mean()
            Unchanged: the mean reads the padding.
        words summed, all counted
            losses[real].mean() => losses[real].sum() / losses.numel()
            You sum the words only, but divide by B times T: with more padding the loss becomes
            smaller, and nothing has been learned.
        words kept by a product, all counted
            losses[real].mean() => (losses * real).mean()
            Your mean counts the padding as zeros: with more padding the loss becomes smaller, and
            nothing has been learned. Divide by the number of real words.
        padding multiplied away
            losses[real].mean() => (losses * real).sum() / real.sum()
            Times 0 takes away numbers, but not infinity or NaN, and -log p of padding may be
            either. Choose the words: losses[real], or torch.where.
        zeros taken for padding
            losses[real].mean() => losses[losses != 0].mean()
            You look for zeros. A word that the model was certain of costs 0, and padding may hold
            any number: only `lengths` knows what is padding.
        numbers above zero
            losses[real].mean() => losses[losses > 0].mean()
            You look for numbers above 0. A word that the model was certain of costs 0, and padding
            may hold any number: only `lengths` knows what is padding.
        NaN taken for padding
            losses[real].mean() => losses.nanmean()
            You leave out NaN. Padding may hold any number: only `lengths` knows what is padding.
        what is finite
            losses[real].mean() => losses[losses.isfinite()].mean()
            You leave out what is not finite. Padding may hold any number: only `lengths` knows what
            is padding.
        one place too many
            < lengths => <= lengths
            One place too many: a sentence of length n has the places 0 to n - 1.
        one place too few
            < lengths[:, None] => < lengths[:, None] - 1
            The last word of each sentence is missing: its places are 0 to length - 1.
        a mean of means
            losses[real].mean() => (losses.masked_fill(~real, 0).sum(dim=1) / lengths).mean()
            A mean of the sentences' means: a word of a short sentence counts for more than one of a
            long sentence. All real words count alike.
        a mean of means, by a product
            losses[real].mean() => ((losses * real).sum(dim=1) / lengths).mean()
            You average the sentences' means: a word of a short sentence counts for more than one of
            a long sentence. All real words count alike.
        divided by sentences
            losses[real].mean() => losses[real].sum() / len(losses)
            You divide by the number of sentences. How many words are there?
        only a sum
            losses[real].mean() => losses[real].sum()
            That is the sum: it grows with the batch.
        everything over the real words
            losses[real].mean() => losses.sum() / real.sum()
            You divide by the real words, but the sum still holds the padding.
    """),
)
