"""Lecture 01: count, judge, look up, score, step, walk back, find what is wrong in a loop."""

from __future__ import annotations

from itertools import pairwise

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception


def bigram_probability(tokens: list[int], before: int, word: int, V: int, k: float) -> float:
    """Return p(word | before), counted in a text of whole numbers below V, with add-k."""
    pairs = list(pairwise(tokens))
    contexts = sum(first == before for first, _ in pairs)
    return (pairs.count((before, word)) + k) / (contexts + k * V)


def embed_both_ways(table: Tensor, ids: Tensor, upstream: Tensor) -> tuple[Tensor, Tensor]:
    """Return the rows of `ids`, and the gradient of the table, given that of the rows."""
    return table[ids], torch.zeros_like(table).index_add(0, ids, upstream)


def gradient_of_scores(scores: Tensor, target: int) -> Tensor:
    """Return the gradient of -log softmax(scores)[target] with respect to the scores: p - y."""
    p = scores.softmax(dim=0)
    return p - torch.eye(len(scores), dtype=scores.dtype)[target]


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


def find_the_detach() -> dict[str, int]:
    """Return the line that lacks a detach, and how far a gradient walks without and with it."""
    return {"line": 3, "without": 60, "with": 20}


def find_the_leaks() -> dict[str, bool]:
    """Return which of five ways to train a language model let it see its target."""
    return {"A": False, "B": True, "C": True, "D": True, "E": False}


def tell_apart() -> dict[str, bool]:
    """Return which models can tell two texts apart that share their last four words."""
    return {"5-gram": False, "6-gram": True, "window of 4": False, "Elman": True,
            "Elman, pieces of 2": True, "Elman, reset": False}  # fmt: skip


def _bigram_cases() -> list[tuple]:
    return [
        ([0, 1, 0, 2, 0, 1, 3, 0], 0, 1, 5, 0.5),
        ([4, 2, 2, 4, 2, 6, 2], 2, 4, 7, 2.0),
        ([1, 2, 1], 3, 1, 4, 0.1),
    ]


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


def _bigram(tokens: list[int], before: int, word: int, V: int, k: float, *, wrong: str) -> float:
    pairs = list(pairwise(tokens))
    count, contexts = pairs.count((before, word)), sum(first == before for first, _ in pairs)
    if wrong == "turned round":
        count, contexts = pairs.count((word, before)), sum(last == before for _, last in pairs)
    if wrong == "given the next":
        contexts = sum(last == word for _, last in pairs)
    if wrong == "last word counted":
        contexts = tokens.count(before)
    if wrong == "joint":
        return (count + k) / (len(pairs) + k * V * V)
    if wrong == "all pairs":
        return (count + k) / (len(pairs) + k * V)
    if wrong == "only the pair turned":
        return (pairs.count((word, before)) + k) / (contexts + k * V)
    if wrong == "no smoothing":
        return count / contexts
    if wrong == "one word":
        return (tokens.count(word) + k) / (len(tokens) + k * V)
    spread = {"above only": 0.0, "k once": k}.get(wrong, k * V)
    above, below = (1, V) if wrong == "always one" else (k, spread)
    return (count + above) / (contexts + below)


def _scores_gradient(scores: Tensor, target: int, wrong: str) -> Tensor:
    p, y = scores.softmax(dim=0), torch.eye(len(scores), dtype=scores.dtype)[target]
    return {
        "turned": y - p,
        "p": p,
        "by p": -y / p,
        "target": (p - y) * y,
        "one": p - 1,
        "the number": p - target,
        "sigmoid": scores.sigmoid() - y,
        "slope": p * (1 - p),
        "scores": scores - y,
        "log": scores.log_softmax(dim=0) - y,
        "mean": (p - y) / len(p),
        "loss": -p[target].log(),
        "not normalised": scores.exp() - y,
    }[wrong]


def _where_it_cuts(answer: dict) -> dict:
    """Return the answer; `net(read, h.detach())` in line 4 is the same cut as line 3."""
    return {**answer, "line": 3 if answer["line"] == 4 else answer["line"]}


EXERCISES = (
    Exercise(
        number="1.1",
        task="a bigram with add-k",
        reference=bigram_probability,
        kind="code",
        takes="tokens: a list of whole numbers; before, word, V: whole numbers; k: a number",
        gives="a number",
        example=([0, 1, 0, 2, 0, 1], 0, 1, 3, 1.0),
        cases=_bigram_cases,
        misconceptions=(
            Misconception(
                "no smoothing",
                lambda *given: _bigram(*given, wrong="no smoothing"),
                "These are the raw counts: a pair that was never seen gets probability 0, "
                "and a context that was never seen divides by 0. Where is k?",
            ),
            Misconception(
                "above only",
                lambda *given: _bigram(*given, wrong="above only"),
                "k is added above but not below: the probabilities of all words no longer "
                "add up to 1. V words get k each, so below there is k V more.",
            ),
            Misconception(
                "k once",
                lambda *given: _bigram(*given, wrong="k once"),
                "Below the line you add k once. Each of the V words got k above, so below "
                "there is k V more.",
            ),
            Misconception(
                "always one",
                lambda *given: _bigram(*given, wrong="always one"),
                "This is add-one, whatever k is: k above, and k V below.",
            ),
            Misconception(
                "last word counted",
                lambda *given: _bigram(*given, wrong="last word counted"),
                "You count `before` at the end of the text as well. Nothing follows it "
                "there, so it is no context: count it among tokens[:-1].",
            ),
            Misconception(
                "turned round",
                lambda *given: _bigram(*given, wrong="turned round"),
                "The pair is turned round: `before` comes first, then `word`.",
            ),
            Misconception(
                "given the next",
                lambda *given: _bigram(*given, wrong="given the next"),
                "You divide by how often `word` came second. p(word | before) divides by "
                "how often `before` came first.",
            ),
            Misconception(
                "joint",
                lambda *given: _bigram(*given, wrong="joint"),
                "You divide by all pairs: that is the joint probability of the pair. Given "
                "`before`, only the pairs that begin with it count.",
            ),
            Misconception(
                "all pairs",
                lambda *given: _bigram(*given, wrong="all pairs"),
                "You divide by all pairs of the text. Given `before`, only the pairs that begin "
                "with it count.",
            ),
            Misconception(
                "only the pair turned",
                lambda *given: _bigram(*given, wrong="only the pair turned"),
                "Above the line the pair is turned round: `before` comes first, then `word`.",
            ),
            Misconception(
                "one word",
                lambda *given: _bigram(*given, wrong="one word"),
                "This is how common `word` is anywhere. A bigram asks how common it is "
                "after `before`.",
            ),
        ),
        hints=(
            "Which places in the text count for p(word | before)? At how many of them does "
            "`word` follow?",
            "zip(tokens, tokens[1:]) gives all pairs. How often is the first of a pair `before`?",
            "(pairs.count((before, word)) + k) / (tokens[:-1].count(before) + k * V)",
        ),
    ),
    Exercise(
        number="1.2",
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
                "mean probability",
                lambda log_probs: log_probs.exp().mean(),
                "This is the mean probability. Perplexity is exp of minus the mean logarithm: the "
                "better the model, the smaller it is.",
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
    Exercise(
        number="1.3",
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
                "row b, not row ids[b]",
                _rows_and(
                    lambda table, ids, upstream: _scattered(
                        table, torch.arange(len(ids)) % len(table), upstream
                    )
                ),
                "You wrote the gradients into the first rows of the table, one after the other. "
                "Row b of upstream belongs to the word ids[b].",
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
        number="1.4",
        task="the gradient of softmax and cross-entropy",
        reference=gradient_of_scores,
        kind="derive",
        takes="scores: a float64 tensor (V,); target: a whole number",
        gives="a tensor (V,)",
        example=(torch.zeros(2, dtype=torch.float64), 0),
        cases=lambda: [(some(V, seed=V), target) for V, target in ((3, 0), (7, 4), (5, 4))],
        misconceptions=(
            Misconception(
                "y - p",
                lambda scores, target: _scores_gradient(scores, target, "turned"),
                "The sign is turned round: this is the direction in which training walks. "
                "The gradient points uphill.",
            ),
            Misconception(
                "p alone",
                lambda scores, target: _scores_gradient(scores, target, "p"),
                "This is p. The target's entry has to be lower by 1: training must raise "
                "that score.",
            ),
            Misconception(
                "by p, not by the scores",
                lambda scores, target: _scores_gradient(scores, target, "by p"),
                "This is the gradient with respect to the probabilities, -y / p. One more "
                "link of the chain leads through the softmax to the scores.",
            ),
            Misconception(
                "target's entry only",
                lambda scores, target: _scores_gradient(scores, target, "target"),
                "Only the target's entry is there. Every other score stands in the "
                "softmax's denominator: raising it lowers the target's probability.",
            ),
            Misconception(
                "one everywhere",
                lambda scores, target: _scores_gradient(scores, target, "one"),
                "You subtract 1 from every entry. y is 1 at the target and 0 elsewhere.",
            ),
            Misconception(
                "the target's number",
                lambda scores, target: _scores_gradient(scores, target, "the number"),
                "You subtract the number of the target from every entry. y is a vector: 1 at the "
                "place of the target, 0 elsewhere.",
            ),
            Misconception(
                "sigmoid",
                lambda scores, target: _scores_gradient(scores, target, "sigmoid"),
                "You squash each score alone, by a sigmoid. The softmax divides by the sum "
                "over all words.",
            ),
            Misconception(
                "slope of one probability",
                lambda scores, target: _scores_gradient(scores, target, "slope"),
                "p (1 - p) is the slope of one probability in its own score. Follow the "
                "loss, -log p of the target, through all scores.",
            ),
            Misconception(
                "no softmax",
                lambda scores, target: _scores_gradient(scores, target, "scores"),
                "The scores themselves stand where p should: take the softmax first.",
            ),
            Misconception(
                "log p",
                lambda scores, target: _scores_gradient(scores, target, "log"),
                "The logarithm is one link too many: p - y, with p the probabilities themselves.",
            ),
            Misconception(
                "divided by V",
                lambda scores, target: _scores_gradient(scores, target, "mean"),
                "You divide by V. There is one prediction here and one loss: nothing is "
                "averaged over words.",
            ),
            Misconception(
                "the loss",
                lambda scores, target: _scores_gradient(scores, target, "loss"),
                "This is the loss itself, one number. Asked is its gradient, a number for "
                "each score.",
            ),
            Misconception(
                "not normalised",
                lambda scores, target: _scores_gradient(scores, target, "not normalised"),
                "e^s is not a probability yet: divide by the sum over all words.",
            ),
        ),
        hints=(
            "What would p have to be for this gradient to be zero?",
            "Write -log softmax as log(sum of e^s) minus the target's score, and "
            "differentiate both.",
            "p = scores.softmax(0), then subtract 1 from p[target].",
        ),
    ),
    Exercise(
        number="1.5",
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
                "This is a sigmoid, between 0 and 1. Line (1.11) squashes with tanh.",
            ),
            Misconception(
                "tanh around the input only",
                lambda x_t, h_before, W, U, b: torch.tanh(W @ x_t) + U @ h_before + b,
                "The tanh stands around the input alone. It goes around the whole sum.",
            ),
            Misconception(
                "tanh around the memory only",
                lambda x_t, h_before, W, U, b: W @ x_t + torch.tanh(U @ h_before + b),
                "The tanh stands around the memory alone. It goes around the whole sum, with what "
                "the input brings.",
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
                "The bias is added twice. PyTorch keeps two biases; line (1.11) has one.",
            ),
            Misconception(
                "relu",
                lambda x_t, h_before, W, U, b: torch.relu(W @ x_t + U @ h_before + b),
                "This cuts negative sums off (relu). Line (1.11) squashes with tanh.",
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
        number="1.6",
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
        number="1.7",
        task="the missing detach",
        reference=find_the_detach,
        kind="debug",
        gives="a dict of whole numbers: line, without, with",
        cases=lambda: [()],
        effect=_where_it_cuts,
        misconceptions=(
            Misconception(
                "the scores",
                lambda: find_the_detach() | {"line": 5},
                "A detach there cuts the loss off from the network: nothing would be "
                "learned at all. What comes over from the piece before?",
            ),
            Misconception(
                "the loss",
                lambda: find_the_detach() | {"line": 6},
                "Without a gradient the loss teaches nothing. What is it that one piece "
                "hands to the next?",
            ),
            Misconception(
                "the words",
                lambda: find_the_detach() | {"line": 2},
                "The words are whole numbers: no gradient runs through them. What else goes "
                "into line 4?",
            ),
            Misconception(
                "the start",
                lambda: find_the_detach() | {"line": 1},
                "The first state is zeros and has no history. What goes from one round of "
                "the loop into the next?",
            ),
            Misconception(
                "one piece",
                lambda: find_the_detach() | {"without": 20},
                "The line is right. But without the detach the state of piece 3 hangs on "
                "piece 2, and that on piece 1.",
            ),
            Misconception(
                "two pieces",
                lambda: find_the_detach() | {"without": 40},
                "The line is right. The third piece's gradient walks through its own 20 "
                "steps as well.",
            ),
            Misconception(
                "everything cut",
                lambda: find_the_detach() | {"with": 0},
                "The line is right. The detach cuts at the start of the piece: inside it "
                "the gradient walks all 20 steps.",
            ),
            Misconception(
                "nothing cut",
                lambda: find_the_detach() | {"with": 60},
                "The line is right. The numbers of the state go on through all pieces, the "
                "gradient does not: behind the detach there is nothing to walk through.",
            ),
            Misconception(
                "one step",
                lambda: find_the_detach() | {"with": 1},
                "The line is right. The gradient walks back through all steps of its piece, "
                "not just one.",
            ),
        ),
        hints=(
            "What has a history when the second piece begins?",
            "h comes out of one round of the loop and goes into the next, with all that made it.",
            "Line 3, h = h.detach(). Without it a gradient walks through three pieces of 20 "
            "steps, with it through one.",
        ),
    ),
    Exercise(
        number="1.8",
        task="five ways to train, some with a leak",
        reference=find_the_leaks,
        kind="debug",
        gives="a dict of True or False for A to E",
        choices=dict.fromkeys("ABCDE", (True, False)),
        cases=lambda: [()],
        misconceptions=(
            Misconception(
                "both directions are fine",
                lambda: find_the_leaks() | {"B": False},
                "Look at B again: the backward half has read word t + 1 before it helps to "
                "predict it.",
            ),
            Misconception(
                "copying is fine",
                lambda: find_the_leaks() | {"C": False},
                "Look at C again: the word to predict is the word that is read. A network "
                "that only copies has loss 0.",
            ),
            Misconception(
                "a mean is fine",
                lambda: find_the_leaks() | {"D": False},
                "Look at D again: a mean over the whole text, taken before the first step, "
                "has seen the last word.",
            ),
            Misconception(
                "the shift leaks",
                lambda: find_the_leaks() | {"A": True},
                "A is how it should be: x stops one word short, y starts one word late.",
            ),
            Misconception(
                "a strange state leaks",
                lambda: find_the_leaks() | {"E": True},
                "E hands on a state that belongs to another text. That harms, but the state "
                "has read nothing that is still to be predicted.",
            ),
            Misconception(
                "only the copy",
                lambda: find_the_leaks() | {"B": False, "D": False},
                "C copies, that is one leak. Ask of B and D: has anything in the state at "
                "step t read word t + 1?",
            ),
            Misconception(
                "everything leaks",
                lambda: dict.fromkeys("ABCDE", True),
                "Not all of them leak: a leak needs a way from word t + 1 into the "
                "prediction of word t + 1.",
            ),
            Misconception(
                "nothing leaks",
                lambda: dict.fromkeys("ABCDE", False),
                "Some leak. Follow word t + 1 in each: can it reach the scores that should "
                "predict it?",
            ),
        ),
        hints=(
            "A leak is a way from word t + 1 into the scores that should predict word t + 1.",
            "What has the backward half of a bidirectional layer read at step t? And a mean "
            "over time?",
            "B, C and D leak; A and E do not.",
        ),
    ),
    Exercise(
        number="1.9",
        task="who can tell the two texts apart?",
        reference=tell_apart,
        kind="predict",
        gives="a dict of True or False for six models",
        choices=dict.fromkeys(tell_apart(), (True, False)),
        cases=lambda: [()],
        misconceptions=(
            Misconception(
                "a 5-gram sees five back",
                lambda: tell_apart() | {"5-gram": True},
                "A 5-gram is five words with the predicted one: it looks at four. The two "
                "texts share their last four.",
            ),
            Misconception(
                "a 6-gram is blind",
                lambda: tell_apart() | {"6-gram": False},
                "A 6-gram looks at five words, and the fifth from the end differs.",
            ),
            Misconception(
                "the window remembers",
                lambda: tell_apart() | {"window of 4": True},
                "A window of four gets four words and nothing else: no state comes over "
                "from before.",
            ),
            Misconception(
                "pieces are windows",
                lambda: tell_apart() | {"Elman, pieces of 2": False},
                "Pieces of 2 cut the gradient in training. When the network reads, its "
                "state still comes all the way from the first word.",
            ),
            Misconception(
                "a reset harms nothing",
                lambda: tell_apart() | {"Elman, reset": True},
                "With the state reset before the last four words, nothing is left of what differs.",
            ),
            Misconception(
                "all networks",
                lambda: tell_apart() | {"window of 4": True, "Elman, reset": True},
                "To be a network is not enough: is there anything in it that has met the "
                "words that differ?",
            ),
            Misconception(
                "no memory at all",
                lambda: tell_apart() | {"Elman": False, "Elman, pieces of 2": False},
                "The state of an Elman network has read every word since the start, the "
                "ones that differ among them.",
            ),
        ),
        hints=(
            "The texts differ before their last four words. Through what could that reach "
            "the model?",
            "An n-gram looks at n - 1 words. Cutting the gradient in training changes "
            "nothing when the network reads.",
            "True for the 6-gram, the Elman network and the one trained with pieces of 2.",
        ),
    ),
)
