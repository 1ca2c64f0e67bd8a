"""One sentence through a recurrent language model: words in, words expected, gradients back."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_utils.models import RecurrentLM

LIKELIEST = 3


class SentenceRun(NamedTuple):
    """T predictions of a sentence of T + 1 words, and the gradients of their mean loss J."""

    read: Tensor  # (T,) numbers of the words that were read
    asked: Tensor  # (T,) numbers of the words that should come next
    likeliest: Tensor  # (T, LIKELIEST) numbers of the words that were expected
    p_likeliest: Tensor  # (T, LIKELIEST)
    p_asked: Tensor  # (T,)
    loss: Tensor  # (T,) -log p_asked
    d_h: Tensor  # (T,) norm of dJ/dh_t: from this step's loss and from all later ones
    d_x: Tensor  # (T,) norm of dJ/dx_t, the gradient that reaches the word's vector


def run_sentence(
    model: RecurrentLM, numbers: Tensor, own_words: bool = False, never: int | None = None
) -> SentenceRun:
    """Read a sentence step by step and walk back; `own_words` reads what the model expects.

    With teacher forcing, the model reads the sentence, whatever it expected. On its own output, it
    reads the first word and from then on its likeliest word outside `never`. The words it must
    predict are the same both times.
    """
    state = None
    read: list[Tensor] = []
    xs: list[Tensor] = []
    hs: list[tuple[Tensor, ...]] = []
    losses: list[Tensor] = []
    log_ps: list[Tensor] = []
    token = numbers[0]
    with torch.enable_grad():
        for t, asked in enumerate(numbers[1:]):
            token = numbers[t] if t == 0 or not own_words else _best(log_ps[-1], never)
            x_t = model.embedding(token.to(model.device)[None, None])  # (1, 1, D)
            h_t, state = model.recurrent(x_t, state)
            logits = model.output(h_t)[0]  # (1, V)
            losses.append(cross_entropy(logits, asked.to(model.device)[None]))
            log_ps.append(logits[0].log_softmax(dim=0).detach())
            read.append(token.cpu())
            xs.append(x_t)
            hs.append((h_t, state[0] if isinstance(state, tuple) else state))
        J = torch.stack(losses).mean()
        wanted = [*xs, *(half for pair in hs for half in pair)]
        grads = torch.autograd.grad(J, wanted, allow_unused=True)
    T = len(losses)
    found = [0 if g is None else g.flatten() for g in grads[T:]]  # the last state has no later loss
    ups, ons = found[0::2], found[1::2]  # from the step's own softmax; from the steps after it
    log_p = torch.stack(log_ps).cpu()
    top = log_p.topk(LIKELIEST, dim=1)
    return SentenceRun(
        torch.stack(read),
        numbers[1:],
        top.indices,
        top.values.exp(),
        log_p.gather(1, numbers[1:, None])[:, 0].exp(),
        torch.stack(losses).detach().cpu(),
        torch.stack([(up + on).norm() for up, on in zip(ups, ons, strict=True)]).cpu(),
        torch.stack([g.norm() for g in grads[:T]]).cpu(),
    )


def _best(log_p: Tensor, never: int | None) -> Tensor:
    allowed = log_p.clone()
    if never is not None:
        allowed[never] = -torch.inf
    return allowed.argmax()
