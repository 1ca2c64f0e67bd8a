"""Exercise 1.12: a window language model reads a text."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise
from course_utils.checks.mistakes import mistakes


def window_scores(
    tokens: Tensor, E: Tensor, W: Tensor, b: Tensor, O: Tensor, c: Tensor, n: int
) -> Tensor:
    """Return the scores (T - n + 1, V) after every n words in a row, line (1.10)."""
    x = E[tokens]  # (T, D)
    windows = [x[t : t + n].flatten() for t in range(len(tokens) - n + 1)]
    hidden = torch.tanh(torch.stack(windows) @ W.T + b)
    return hidden @ O.T + c


def _cases() -> list[Arguments]:
    found = []
    for n, D, H, V, text in ((3, 2, 4, 5, [0, 3, 1, 4, 2, 3]), (2, 3, 3, 4, [1, 1, 3, 0])):
        E, W = some(V, D, seed=n), some(H, n * D, seed=n + 30)
        O, b, c = some(V, H, seed=n + 40), some(H, seed=n + 50), some(V, seed=n + 60)
        found.append((torch.tensor(text), E, W, b, O, c, n))
    return found


EXERCISE = Exercise(
    number="1.12",
    task="a window language model",
    kind="build",
    reference=window_scores,
    takes="tokens (T,), E (V, D), W (H, n D), b (H,), O (V, H), c (V,), n a whole number",
    gives="a tensor (T - n + 1, V)",
    example=(
        torch.tensor([0, 1]),
        torch.tensor([[1.0], [2.0]]),
        torch.tensor([[0.0]]),
        torch.tensor([0.0]),
        torch.tensor([[1.0], [1.0]]),
        torch.tensor([0.5, 0.25]),
        1,
    ),
    cases=_cases,
    hints=(
        "Look all words up at once: x = E[tokens] is (T, D). How many windows of n words are in T?",
        "A window is x[t : t + n], put side by side with .flatten(): n D numbers, oldest first.",
        "torch.tanh(torch.stack(windows) @ W.T + b) @ O.T + c.",
    ),
    misconceptions=mistakes("""
        newest first
            x[t : t + n].flatten() => x[t : t + n].flip(0).flatten()
            Your newest word stands first. (1.10) has the oldest first: each place has weights of
            its own, so the order counts.
        interleaved
            x[t : t + n].flatten() => x[t : t + n].T.flatten()
            The vectors are not side by side: you took the first number of every word, then the
            second of every word. Flatten (n, D), not (D, n).
        one window short
            range(len(tokens) - n + 1) => range(len(tokens) - n)
            The last window is missing: T words hold T - n + 1 of them.
        no tanh
            torch.tanh(torch.stack(windows) @ W.T + b) => torch.stack(windows) @ W.T + b
            Without the tanh two matrices in a row are one matrix: the hidden layer does nothing.
        tanh of the vectors
            torch.tanh(torch.stack(windows) @ W.T + b) => torch.tanh(torch.stack(windows)) @ W.T + b
            The tanh stands around W times the window plus b, not around the words' vectors.
        no b
            @ W.T + b => @ W.T
            The bias b is missing inside the tanh.
        no c
            @ O.T + c => @ O.T
            The scores lack c, which says how frequent each word is.
        b outside
            torch.tanh(torch.stack(windows) @ W.T + b) => torch.tanh(torch.stack(windows) @ W.T) + b
            b belongs inside the tanh.
        probabilities
            return hidden @ O.T + c => return (hidden @ O.T + c).softmax(1)
            These are probabilities; asked for are the scores, before the softmax.
    """),
)
