"""Lecture 01: the embedding layer, one Elman step, BPTT for one matrix, perplexity."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception


def embed_both_ways(table: Tensor, ids: Tensor, upstream: Tensor) -> tuple[Tensor, Tensor]:
    """Return the rows of `ids`, and the gradient of the table, given that of the rows."""
    return table[ids], torch.zeros_like(table).index_add(0, ids, upstream)


def next_state(x_t: Tensor, h_before: Tensor, W: Tensor, U: Tensor, b: Tensor) -> Tensor:
    """Return h_t = tanh(W x_t + U h_{t-1} + b)."""
    return torch.tanh(W @ x_t + U @ h_before + b)


def gradient_of_U(h: Tensor, U: Tensor, from_losses: Tensor) -> Tensor:
    """Return dJ/dU of tanh steps; h is (T + 1, H) with h[0] first, from_losses (T, H) dJ_t/dh_t."""
    total, back = torch.zeros_like(U), torch.zeros_like(h[0])
    for t in range(len(from_losses), 0, -1):
        d_a = (from_losses[t - 1] + back) * (1 - h[t] ** 2)
        total = total + torch.outer(d_a, h[t - 1])
        back = U.T @ d_a
    return total


def perplexity(log_probs: Tensor) -> Tensor:
    """Return the perplexity of a text from log p (natural) of each of its tokens."""
    return log_probs.mean().neg().exp()


def _embedding_cases() -> list[tuple]:
    return [
        (some(7, 3, seed=1), torch.tensor([2, 5, 2, 2, 6]), some(5, 3, seed=2)),
        (some(5, 11, seed=3), torch.tensor([4, 0, 4]), some(3, 11, seed=4)),
    ]


def _step_cases() -> list[tuple]:
    sizes = ((3, 5), (7, 2))
    return [
        (some(D, seed=D), some(H, seed=H), some(H, D, seed=11), some(H, H, seed=12) / 2,
         some(H, seed=13))
        for D, H in sizes
    ]  # fmt: skip


def _bptt_cases() -> list[tuple]:
    sizes = ((5, 3), (7, 2))
    return [
        (some(T + 1, H, seed=T).tanh(), some(H, H, seed=H), some(T, H, seed=T * H))
        for T, H in sizes
    ]


def _bptt(h: Tensor, U: Tensor, from_losses: Tensor, wrong: str) -> Tensor:
    total, back = torch.zeros_like(U), torch.zeros_like(h[0])
    for t in range(len(from_losses), 0, -1):
        d_h = from_losses[t - 1] + (0 if wrong == "no way back" else back)
        d_a = d_h * (1 - h[t] ** 2) if wrong != "no slope" else d_h
        total = total + torch.outer(d_a, h[t] if wrong == "h_t" else h[t - 1])
        back = (U if wrong == "not transposed" else U.T) @ d_a
    return total.T if wrong == "outer turned" else total


EXERCISES = (
    Exercise(
        number="1.1",
        task="the embedding layer, forward and backward",
        reference=embed_both_ways,
        cases=_embedding_cases,
        misconceptions=(
            Misconception(
                "assigned, not added",
                lambda table, ids, upstream: (
                    table[ids],
                    torch.zeros_like(table).index_copy(0, ids, upstream),
                ),
                "A word that occurs twice keeps only one of its gradients: you assign where you "
                "must add. `gradient[ids] += upstream` assigns too; index_add adds.",
            ),
            Misconception(
                "averaged",
                lambda table, ids, upstream: (
                    table[ids],
                    torch.zeros_like(table).index_add(0, ids, upstream)
                    / ids.bincount(minlength=len(table)).clamp(min=1).unsqueeze(1),
                ),
                "You average the gradients of a repeated word. Each occurrence adds its own: the "
                "loss feels the word at every place where it stands.",
            ),
            Misconception(
                "columns",
                lambda table, ids, upstream: (
                    table.T[ids % table.shape[1]],
                    torch.zeros_like(table).index_add(0, ids, upstream),
                ),
                "You looked up columns. The table has the shape (V, D): row i is word i.",
            ),
            Misconception(
                "every row",
                lambda table, ids, upstream: (
                    table[ids],
                    torch.zeros_like(table) + upstream.sum(dim=0),
                ),
                "Every row gets a gradient here, also of words that did not occur. Only the rows "
                "that were looked up took part.",
            ),
        ),
        hints=(
            "The forward pass is one indexing. Who is responsible for row 5 of the output?",
            "The gradient has the table's shape, zero except in rows that were looked up. "
            "What if a row was looked up twice?",
            "torch.zeros_like(table).index_add(0, ids, upstream)",
        ),
        gradients=False,
    ),
    Exercise(
        number="1.2",
        task="one Elman step",
        reference=next_state,
        cases=_step_cases,
        misconceptions=(
            Misconception(
                "no memory",
                lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t + b),
                "The old state is missing: without U h_{t-1} this is a feed-forward layer.",
            ),
            Misconception(
                "transposed U",
                lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t + U.T @ h_before + b),
                "U is transposed. Row i of U holds what unit i hears: U @ h_before.",
            ),
            Misconception(
                "bias forgotten",
                lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t + U @ h_before),
                "The bias b is missing.",
            ),
            Misconception(
                "no squashing",
                lambda x_t, h_before, W, U, b: W @ x_t + U @ h_before + b,
                "This is a_t, the sum before the activation. Put tanh around it.",
            ),
            Misconception(
                "bias outside",
                lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t + U @ h_before) + b,
                "The bias belongs inside the tanh; outside, states can leave (-1, 1).",
            ),
        ),
        hints=(
            "Three things are added up before the tanh: which?",
            "W meets the input, U meets the old state; both are matrix times vector.",
            "torch.tanh(W @ x_t + U @ h_before + b)",
        ),
    ),
    Exercise(
        number="1.3",
        task="BPTT for one matrix",
        reference=gradient_of_U,
        cases=_bptt_cases,
        misconceptions=(
            Misconception(
                "h_t for h_{t-1}",
                lambda h, U, from_losses: _bptt(h, U, from_losses, "h_t"),
                "You multiply with h_t. U met the state before, so its gradient holds h_{t-1}.",
            ),
            Misconception(
                "no way back",
                lambda h, U, from_losses: _bptt(h, U, from_losses, "no way back"),
                "Every step counts only its own loss here. What later losses say of h_t comes "
                "back through U and has to be added.",
            ),
            Misconception(
                "no slope",
                lambda h, U, from_losses: _bptt(h, U, from_losses, "no slope"),
                "The slope of the tanh is missing: dJ/da_t = dJ/dh_t times 1 - h_t^2.",
            ),
            Misconception(
                "not transposed",
                lambda h, U, from_losses: _bptt(h, U, from_losses, "not transposed"),
                "On the way back U is transposed: what unit i said to all others, it now hears.",
            ),
            Misconception(
                "outer product turned round",
                lambda h, U, from_losses: _bptt(h, U, from_losses, "outer turned"),
                "This is the transposed gradient. U[i, j] leads from unit j to unit i: "
                "outer(d_a, h_{t-1}), in this order.",
            ),
        ),
        hints=(
            "Walk from the last step to the first and carry one vector: dJ/dh_t from later steps.",
            "At step t: d_a = (from_losses[t-1] + back) * (1 - h[t]**2). What does U get of it, "
            "and what goes on to step t-1?",
            "total += torch.outer(d_a, h[t-1]) and then back = U.T @ d_a.",
        ),
        gradients=False,
    ),
    Exercise(
        number="1.4",
        task="perplexity",
        reference=perplexity,
        cases=lambda: [(-some(T, seed=T).abs() - 0.1,) for T in (3, 7, 11)],
        misconceptions=(
            Misconception(
                "sum for mean",
                lambda log_probs: log_probs.sum().neg().exp(),
                "You took the sum over the text. Perplexity is per token: use the mean.",
            ),
            Misconception(
                "base two",
                lambda log_probs: 2 ** log_probs.mean().neg(),
                "These are natural logarithms, so raise e to them, not 2.",
            ),
            Misconception(
                "mean of the inverse probabilities",
                lambda log_probs: log_probs.neg().exp().mean(),
                "You averaged 1/p. Average the logarithms first and take exp last: a geometric "
                "mean, which one impossible word cannot dominate so easily.",
            ),
            Misconception(
                "sign",
                lambda log_probs: log_probs.mean().exp(),
                "The minus sign is missing: this is the typical probability, its inverse is asked.",
            ),
        ),
        hints=(
            "What is the perplexity of a fair die, and what are its log probabilities?",
            "exp of the mean of -log p.",
            "torch.exp(-log_probs.mean())",
        ),
    ),
)
