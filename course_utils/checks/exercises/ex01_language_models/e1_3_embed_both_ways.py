"""Exercise 1.3: the embedding layer, forward and backward."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.change import Change
from course_utils.checks.exercise import Arguments, Exercise, Misconception
from course_utils.checks.mistakes import mistakes


def embed_both_ways(table: Tensor, ids: Tensor, upstream: Tensor) -> tuple[Tensor, Tensor]:
    """Return the rows of `ids`, and the gradient of the table, given that of the rows."""
    gradient = torch.zeros_like(table).index_add(0, ids, upstream)
    return table[ids], gradient


def _embedding_cases() -> list[Arguments]:
    return [
        (some(7, 3, seed=1), torch.tensor([2, 5, 2, 2, 6]), some(5, 3, seed=2)),
        (some(5, 11, seed=3), torch.tensor([4, 0, 4]), some(3, 11, seed=4)),
    ]


EXERCISE = Exercise(
    number="1.3",
    task="the embedding layer, forward and backward",
    reference=embed_both_ways,
    takes="table (V, D), ids (B,) whole numbers, upstream (B, D)",
    gives="two tensors, (B, D) and (V, D)",
    example=(torch.tensor([[1.0], [2.0], [3.0]]), torch.tensor([2, 0, 2]), torch.ones(3, 1)),
    cases=_embedding_cases,
    hints=(
        "The forward pass is one indexing. Who is responsible for row 5 of the output?",
        "The gradient has the table's shape, zero except in rows that were looked up. What if a "
        "row was looked up twice?",
        "torch.zeros_like(table).index_add(0, ids, upstream)",
    ),
    misconceptions=(
        Misconception(
            "assigned, not added",
            Change("index_add", "index_copy"),
            "A word that occurs twice keeps only one of its gradients: you assign where you must "
            "add. `gradient[ids] += upstream` assigns too; index_add adds.",
        ),
        Misconception(
            "averaged",
            Change(
                "table[ids], gradient",
                "table[ids], gradient / ids.bincount(minlength=len(table)).clamp(min=1)[:, None]",
            ),
            "You average the gradients of a repeated word. Each occurrence adds its own: the loss "
            "feels the word at every place where it stands.",
        ),
        Misconception(
            "columns",
            Change("table[ids],", "table.T[ids % table.shape[1]],"),
            "You looked up columns. The table has the shape (V, D): row i is word i.",
        ),
        Misconception(
            "every row",
            Change(".index_add(0, ids, upstream)", " + upstream.sum(dim=0)"),
            "Every row gets a gradient here, also of words that did not occur. Only the rows that "
            "were looked up took part.",
        ),
        *mistakes("""
            the first of a repeated word
                index_add(0, ids, upstream) => index_copy(0, ids.flip(0), upstream.flip(0))
                Of a word that occurs twice only the first gradient is kept. Each occurrence adds
                its own.
            upstream as the gradient
                torch.zeros_like(table).index_add(0, ids, upstream) => upstream
                You return the rows' gradient itself, (B, D). The table's gradient has the table's
                shape: who wrote which row of it?
            added to the table
                torch.zeros_like(table). => table.
                You added the gradient to the table. You need the gradient alone: start from
                zeros.
            results swapped
                table[ids], gradient => gradient, table[ids]
                You return the gradient first. The order asked for is rows, then gradient.
            upstream times the rows
                ids, upstream => ids, upstream * table[ids]
                You multiplied by the rows. A row is copied, not multiplied: its slope is 1, and
                upstream passes as it is.
            rows instead of upstream
                ids, upstream => ids, table[ids]
                You added the rows themselves up. What arrives at a row is `upstream`.
            counts
                ids, upstream => ids, torch.ones_like(upstream)
                You counted how often each word occurs. Its gradient is the sum of what arrives
                there, `upstream`.
            a step downhill
                table[ids], gradient => table[ids], -gradient
                The sign is reversed: that is the direction of a training step. You need the
                gradient.
            mean over the batch
                table[ids], gradient => table[ids], gradient / len(ids)
                You divided by the number of rows. Whether a loss is a mean is already in
                `upstream`.
            no gradient
                .index_add(0, ids, upstream) =>
                The gradient is zero everywhere: upstream has not been added to the rows of `ids`.
            numbered from one
                (0, ids, upstream) => (0, (ids - 1) % len(table), upstream) &&
                table[ids] => table[ids - 1]
                Your rows are one off: words are numbered from 0.
            row b, not row ids[b]
                (0, ids, => (0, torch.arange(len(ids)) % len(table),
                You wrote the gradients into the first rows of the table, one after the other. Row b
                of upstream belongs to the word ids[b].
            the whole batch in each row
                ids, upstream => ids, upstream.sum(0).expand_as(upstream)
                Every word gets the sum over the whole batch. Row b of upstream belongs to word
                ids[b] alone.
        """),
    ),
)
