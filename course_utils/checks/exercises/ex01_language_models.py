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
    T = len(from_losses)
    for t in range(1, T + 1) if wrong == "forwards" else range(T, 0, -1):
        loss = 0 * back if wrong == "last loss" and t == T else from_losses[t - 1]
        slope = {
            "no slope": torch.ones_like(back),
            "slope of h_{t-1}": 1 - h[t - 1] ** 2,
            "tanh twice": 1 - torch.tanh(h[t]) ** 2,
            "not squared": 1 - h[t],
        }.get(wrong, 1 - h[t] ** 2)
        d_h = loss + (0 if wrong == "no way back" else back)
        d_a = d_h * slope
        if wrong == "slope on what comes back":
            d_a = loss + back * slope
        if wrong == "slope on the loss":
            d_a = loss * slope + back
        part = torch.outer(d_a, h[t] if wrong == "h_t" else h[t - 1])
        total = part if wrong == "overwritten" else total + part
        step = (U if wrong == "not transposed" else U.T) @ (d_h if wrong == "d_h" else d_a)
        back = back + step if wrong == "summed" else step
        if wrong == "returned early":
            break
    total = total / T if wrong == "mean" else total
    return total.T if wrong == "outer turned" else total


def _in_bptt(wrong: str):
    return lambda h, U, from_losses: _bptt(h, U, from_losses, wrong)


def _rows_and(gradient):
    """Return an answer that looks rows up rightly and makes another gradient of the table."""
    return lambda table, ids, upstream: (table[ids], gradient(table, ids, upstream))


def _scattered(table: Tensor, ids: Tensor, upstream: Tensor) -> Tensor:
    return torch.zeros_like(table).index_add(0, ids, upstream)


def _first_places(ids: Tensor, upstream: Tensor) -> tuple[Tensor, Tensor]:
    first = [b for b, word in enumerate(ids.tolist()) if word not in ids[:b].tolist()]
    return ids[first], upstream[first]


EXERCISES = (
    Exercise(
        number="1.1",
        task="the embedding layer, forward and backward",
        reference=embed_both_ways,
        takes="table (V, D), ids (B,) whole numbers, upstream (B, D)",
        gives="two tensors, (B, D) and (V, D)",
        example=(torch.tensor([[1.0], [2.0], [3.0]]), torch.tensor([2, 0, 2]), torch.ones(3, 1)),
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
            Misconception(
                "the first of a repeated word",
                _rows_and(
                    lambda table, ids, upstream: _scattered(table, *_first_places(ids, upstream))
                ),
                "Of a word that occurs twice only the first gradient is kept. Each occurrence adds "
                "its own.",
            ),
            Misconception(
                "upstream as the gradient",
                _rows_and(lambda table, ids, upstream: upstream),
                "You return the rows' gradient itself, (B, D). The table's gradient has the "
                "table's shape: who wrote which row of it?",
            ),
            Misconception(
                "added to the table",
                _rows_and(lambda table, ids, upstream: table + _scattered(table, ids, upstream)),
                "You added the gradient to the table. Asked for is the gradient alone: start from "
                "zeros.",
            ),
            Misconception(
                "results swapped",
                lambda table, ids, upstream: (_scattered(table, ids, upstream), table[ids]),
                "You return the gradient first. The order asked for is rows, then gradient.",
            ),
            Misconception(
                "upstream times the rows",
                _rows_and(
                    lambda table, ids, upstream: _scattered(table, ids, upstream * table[ids])
                ),
                "You multiplied by the rows. A row is copied, not multiplied: its slope is 1, and "
                "upstream passes as it is.",
            ),
            Misconception(
                "rows instead of upstream",
                _rows_and(lambda table, ids, upstream: _scattered(table, ids, table[ids])),
                "You added the rows themselves up. What arrives at a row is `upstream`.",
            ),
            Misconception(
                "counts",
                _rows_and(
                    lambda table, ids, upstream: _scattered(table, ids, torch.ones_like(upstream))
                ),
                "You counted how often each word occurs. Its gradient is the sum of what arrives "
                "there, `upstream`.",
            ),
            Misconception(
                "a step downhill",
                _rows_and(lambda table, ids, upstream: -_scattered(table, ids, upstream)),
                "The sign is turned: that is the direction of a training step. Asked for is the "
                "gradient.",
            ),
            Misconception(
                "mean over the batch",
                _rows_and(lambda table, ids, upstream: _scattered(table, ids, upstream) / len(ids)),
                "You divided by the number of rows. Whether a loss is a mean is already in "
                "`upstream`.",
            ),
            Misconception(
                "no gradient",
                _rows_and(lambda table, ids, upstream: torch.zeros_like(table)),
                "The gradient is zero everywhere: upstream has not been added to the rows of "
                "`ids`.",
            ),
            Misconception(
                "numbered from one",
                lambda table, ids, upstream: (
                    table[ids - 1],
                    _scattered(table, (ids - 1) % len(table), upstream),
                ),
                "Your rows are one off: words are numbered from 0.",
            ),
            Misconception(
                "the whole batch in each row",
                _rows_and(
                    lambda table, ids, upstream: _scattered(
                        table, ids, upstream.sum(0).expand_as(upstream)
                    )
                ),
                "Every word gets the sum over the whole batch. Row b of upstream belongs to word "
                "ids[b] alone.",
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
        takes="x_t (D,), h_before (H,), W (H, D), U (H, H), b (H,)",
        gives="a tensor (H,)",
        example=(
            torch.tensor([1.0]),
            torch.tensor([0.5, 0.0]),
            torch.tensor([[1.0], [-1.0]]),
            torch.eye(2),
            torch.zeros(2),
        ),
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
            Misconception(
                "a sigmoid",
                lambda x_t, h_before, W, U, b: torch.sigmoid(W @ x_t + U @ h_before + b),
                "This is a sigmoid, between 0 and 1. Line (4) squashes with tanh.",
            ),
            Misconception(
                "tanh around the input only",
                lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t) + U @ h_before + b,
                "The tanh stands around the input alone. It goes around the whole sum.",
            ),
            Misconception(
                "two tanh",
                lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t) + torch.tanh(U @ h_before) + b,
                "You squash the two parts one by one. They are added first, with the bias, then "
                "squashed together.",
            ),
            Misconception(
                "bias twice",
                lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t + U @ h_before + 2 * b),
                "The bias is added twice. PyTorch keeps two biases; line (4) has one.",
            ),
            Misconception(
                "relu",
                lambda x_t, h_before, W, U, b: torch.relu(W @ x_t + U @ h_before + b),
                "This cuts negative sums off (relu). Line (4) squashes with tanh.",
            ),
            Misconception(
                "the old state squashed again",
                lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t + U @ torch.tanh(h_before) + b),
                "You squash the old state once more. It is a state already: U meets it as it is.",
            ),
            Misconception(
                "U left out",
                lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t + h_before + b),
                "U is missing: the old state is added unit by unit, so no unit hears another.",
            ),
            Misconception(
                "U entry by entry",
                lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t + U * h_before + b),
                "You multiplied U entry by entry with *. It is a matrix times a vector: U @ "
                "h_before.",
            ),
            Misconception(
                "added to the old state",
                lambda x_t, h_before, W, U, b: h_before + torch.tanh(W @ x_t + U @ h_before + b),
                "You add the result to the old state. An Elman network computes its whole state "
                "anew.",
            ),
            Misconception(
                "no input",
                lambda x_t, h_before, W, U, b: torch.tanh(U @ h_before + b),
                "The input is missing: W @ x_t.",
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
        takes="h (T + 1, H) with h[0] first, U (H, H), from_losses (T, H)",
        gives="a tensor (H, H)",
        example=(torch.tensor([[1.0], [0.5]]), torch.tensor([[1.0]]), torch.tensor([[2.0]])),
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
            Misconception(
                "slope not on the way back",
                _in_bptt("d_h"),
                "What goes on to the step before is U.T times dJ/dh_t. The slope belongs there "
                "too: U.T @ d_a, for the way back leads through the tanh.",
            ),
            Misconception(
                "slope on what comes back only",
                _in_bptt("slope on what comes back"),
                "You multiply only what comes back by the slope. This step's own loss reaches a_t "
                "through the same tanh: slope times the sum of both.",
            ),
            Misconception(
                "slope on the loss only",
                _in_bptt("slope on the loss"),
                "You multiply only this step's loss by the slope. What comes back from later steps "
                "goes through the same tanh: slope times the sum of both.",
            ),
            Misconception(
                "carried and added up",
                _in_bptt("summed"),
                "You add to what you carry, step after step (back += ...). Each step hands on one "
                "vector, which replaces the one before: back = U.T @ d_a.",
            ),
            Misconception(
                "overwritten, not added",
                _in_bptt("overwritten"),
                "Only one step's part is left: you overwrite the gradient where you must add. All "
                "steps share U.",
            ),
            Misconception(
                "returned inside the loop",
                _in_bptt("returned early"),
                "Your function returns after the first turn of the loop: the `return` is indented "
                "too far.",
            ),
            Misconception(
                "mean over time",
                _in_bptt("mean"),
                "You divided by T. Whether J is a mean is already in `from_losses`; the steps' "
                "parts are added.",
            ),
            Misconception(
                "walked forwards",
                _in_bptt("forwards"),
                "You walk from the first step to the last. What later losses say must be known "
                "first: begin at T.",
            ),
            Misconception(
                "slope of the state before",
                _in_bptt("slope of h_{t-1}"),
                "Your slope is that of h_{t-1}. The tanh at step t gave h_t: 1 - h[t]**2.",
            ),
            Misconception(
                "tanh of a state",
                _in_bptt("tanh twice"),
                "You put h_t through tanh again. h_t = tanh(a_t) already, so the slope is 1 - "
                "h[t]**2.",
            ),
            Misconception(
                "slope not squared",
                _in_bptt("not squared"),
                "The slope of tanh is 1 - h_t^2: the square is missing.",
            ),
            Misconception(
                "last loss left out",
                _in_bptt("last loss"),
                "The last step's own loss is missing: from_losses[T-1] belongs to h[T].",
            ),
            Misconception(
                "sign turned",
                lambda h, U, from_losses: -gradient_of_U(h, U, from_losses),
                "The sign is turned: that is the direction of a training step. Asked for is the "
                "gradient.",
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
        takes="log_probs (T,): natural logarithms of probabilities",
        gives="one number, at least 1",
        example=(torch.tensor([0.5, 0.125]).log(),),
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
            Misconception(
                "no exp",
                lambda log_probs: log_probs.mean().neg(),
                "This is the mean surprise in nats, the cross-entropy. Perplexity is exp of it.",
            ),
            Misconception(
                "inverse of the mean probability",
                lambda log_probs: 1 / log_probs.exp().mean(),
                "You averaged the probabilities. Average their logarithms: one word that the model "
                "held impossible must hurt.",
            ),
            Misconception(
                "one word too many",
                lambda log_probs: (log_probs.sum() / (len(log_probs) + 1)).neg().exp(),
                "You divide by one word more than there is. Every entry of log_probs is one "
                "predicted word.",
            ),
            Misconception(
                "one word too few",
                lambda log_probs: (log_probs.sum() / (len(log_probs) - 1)).neg().exp(),
                "You divide by one word too few. Every entry of log_probs is one predicted word, "
                "the first included.",
            ),
            Misconception(
                "base ten",
                lambda log_probs: 10 ** log_probs.mean().neg(),
                "These are natural logarithms, so raise e to them, not 10.",
            ),
            Misconception(
                "one for each word",
                lambda log_probs: log_probs.neg().exp(),
                "This is 1/p of each word. Perplexity is one number for the text: take the mean of "
                "the logarithms first.",
            ),
            Misconception(
                "minus outside",
                lambda log_probs: log_probs.mean().exp().neg(),
                "The minus sign stands outside the exp. It belongs to the logarithm: exp(-mean).",
            ),
            Misconception(
                "the median",
                lambda log_probs: log_probs.median().neg().exp(),
                "You took the median. Perplexity rests on the mean: every word counts.",
            ),
            Misconception(
                "a sum without exp",
                lambda log_probs: log_probs.sum().neg(),
                "This is the surprise of the whole text in nats. Divide by the number of words, "
                "then take exp.",
            ),
            Misconception(
                "probability of the text",
                lambda log_probs: log_probs.sum().exp(),
                "This is the probability of the whole text. Perplexity is per word, and its "
                "inverse: exp of minus the mean.",
            ),
        ),
        hints=(
            "What is the perplexity of a fair die, and what are its log probabilities?",
            "exp of the mean of -log p.",
            "torch.exp(-log_probs.mean())",
        ),
    ),
)
