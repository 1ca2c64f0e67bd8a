"""Exercise 4.6: a start for the Elman network with which a signal at rest keeps its length."""

from __future__ import annotations

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise

NEAR = 1e-4  # of a length, so that float32 will do


def elman_start(H: int) -> tuple[Tensor, Tensor]:
    """Return U (H, H) and b (H,) with which a signal at rest keeps its length."""
    return torch.linalg.qr(some(H, H, seed=H)).Q, torch.zeros(H, dtype=torch.float64)


def _what_the_start_does(start: Arguments, H: int) -> str:
    """Return what a start does to signals at rest: `as asked`, or its first fault."""
    U, b = (torch.tensor(p.tolist() if hasattr(p, "tolist") else p).double() for p in start)
    if not (U.isfinite().all() and b.isfinite().all()):
        return "no numbers"
    if b.abs().max() > NEAR:
        return "not at rest"
    stretch = torch.linalg.svdvals(U)  # what becomes of a signal of length 1
    longest, shortest = stretch.max().item(), stretch.min().item()
    if max(abs(longest - 1), abs(shortest - 1)) < NEAR:
        return "as asked"
    if longest < NEAR:
        return "nothing passes"
    if longest - shortest < NEAR:
        return "all shorter" if longest < 1 else "all longer"
    if abs(longest - 1) < NEAR:
        return "norm 1"
    if abs(torch.linalg.eigvals(U).abs().max().item() - 1) < NEAR:
        return "radius 1"
    if (U.norm(dim=1) - 1).abs().max() < NEAR or (U.norm(dim=0) - 1).abs().max() < NEAR:
        return "rows of length 1"
    if longest < 1:
        return "all shorter"
    return "some lost" if shortest < NEAR else "some longer, some shorter"


EXERCISE = Exercise(
    number="4.6",
    task="a start for the Elman network with which a signal at rest keeps its length",
    kind="set",
    reference=elman_start,
    takes="H: a whole number",
    gives="U, a matrix (H, H), and b, a vector (H,)",
    cases=lambda: [(3,), (7,), (11,)],
    effect=_what_the_start_does,
    reasons={
        "no numbers": "There is infinity or NaN in your weights.",
        "not at rest": "With a bias the units do not rest at 0: they sit where the slope of "
        "tanh is below 1, and every signal shrinks. Which bias leaves them at 0?",
        "nothing passes": "Your U lets nothing through: each signal is 0 after one step.",
        "all shorter": "Every signal shrinks at every step. Between states the slope of tanh "
        "at rest is 1, so U itself must keep lengths.",
        "all longer": "Every signal grows at every step: at rest nothing holds it back.",
        "norm 1": "The largest singular value is 1, so one direction keeps its length, and all "
        "others shrink. Every singular value has to be 1.",
        "radius 1": "The spectral radius is 1, and that says what happens to eigenvectors in "
        "the long run. Other signals are stretched or shrunk: lengths ask for singular values.",
        "rows of length 1": "Rows (or columns) of length 1 are half of it. They must also "
        "stand at right angles, or signals are stretched one way and lost another.",
        "some lost": "Some signals vanish in one step: your U has directions that it sends to "
        "0. (All rows alike is the usual way to get there.)",
        "some longer, some shorter": "Some signals grow and others shrink, as with every "
        "matrix of independent random numbers, however it is scaled.",
    },
    hints=(
        "At rest a step is U times the slope of tanh at 0, which is 1. Which matrices change no "
        "length at all?",
        "Rotations and reflections: U.T @ U is the identity. The simplest one has ones on its "
        "diagonal. And b?",
        "torch.linalg.qr(torch.randn(H, H)).Q is a random one; b is torch.zeros(H).",
    ),
    misconceptions=(),
)
