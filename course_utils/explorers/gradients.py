"""Lecture 02: gradient norm against lag, the iterated map, the cliff, the BPTT heat map."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import torch

from course_utils.analysis.gradients import (
    ACTIVATIONS,
    ElmanWeights,
    Path,
    descend,
    gradient_norms_by_lag,
    gradient_norms_by_pair,
    iterate_map,
    jacobian_bound,
    loss_cliff,
    random_network,
)
from course_utils.explorers.machinery.controls import choice, log_slider, slider
from course_utils.explorers.machinery.explorer import Explorer, Table
from course_utils.plots.gradients.bptt import BpttDrawing
from course_utils.plots.gradients.cliff import CliffDrawing
from course_utils.plots.gradients.iterated_map import IteratedMapDrawing
from course_utils.plots.gradients.norms import GradientNormDrawing

UNITS, INPUTS = 64, 16
CLIFF_STEPS = 50


class NormProfile(NamedTuple):
    """Gradient norms over lags, and the largest that theory allows."""

    lags: np.ndarray
    norms: np.ndarray
    bound: np.ndarray


def explore_gradient_norms() -> Explorer:
    """Let the reader decide how far back a random network's gradient reaches."""
    return Explorer(
        "How far back does the gradient reach?",
        {
            "radius": slider("spectral radius of U", 0.1, 2.0, 0.9, 0.05),
            "activation": choice("activation g", list(ACTIVATIONS), "tanh"),
            "kind": choice("recurrent matrix U", ["gaussian", "orthogonal"]),
            "gain": slider("size of the inputs", 0.0, 3.0, 1.0, 0.1),
            "length": slider("steps", 10, 200, 60, 10),
        },
        profile_of_a_random_network,
        GradientNormDrawing(),
        lambda p: Table(("lag", "gradient norm", "bound"), list(zip(*p, strict=True))),
    )


def profile_of_a_random_network(
    radius: float, activation: str, kind: str, gain: float, length: int
) -> NormProfile:
    """Measure one network on random inputs: the same seeds whatever the controls say."""
    network = _network(round(radius, 4), activation, round(gain, 4), kind)
    norms = gradient_norms_by_lag(network, _inputs(length)).mean(dim=1)
    lags = torch.arange(length)
    bound = jacobian_bound(network.U, ACTIVATIONS[activation].max_slope, lags)
    return NormProfile(lags.numpy(), norms.numpy(), bound.numpy())


class Maps(NamedTuple):
    """One step of a unit, all its steps together, and one walk through them."""

    points: np.ndarray
    one_step: np.ndarray
    network: np.ndarray
    slopes: np.ndarray
    walk: np.ndarray


def explore_iterated_map() -> Explorer:
    """Show one step as a map, and what the same step does when it is taken again and again."""
    return Explorer(
        "One map, taken again and again",
        {
            "activation": choice("activation g", list(ACTIVATIONS), "tanh"),
            "weight": slider("weight w", -3.0, 3.0, 0.8, 0.1),
            "bias": slider("bias b", -2.0, 2.0, 0.0, 0.1),
            "depth": slider("depth: steps taken", 1, 50, 5, 1),
            "start": slider("the walk starts at", -2.0, 2.0, 1.5, 0.1),
        },
        maps_of_a_unit,
        IteratedMapDrawing(),
        tabulate_maps,
    )


def tabulate_maps(maps: Maps) -> Table:
    """Return every tenth point of both maps."""
    columns = (maps.points, maps.one_step, maps.network, maps.slopes)
    headers = ("h_0", "after one step", "after all steps", "slope of all steps")
    return Table(headers, list(zip(*(column[::10] for column in columns), strict=True)))


def maps_of_a_unit(activation: str, weight: float, bias: float, depth: int, start: float) -> Maps:
    """Iterate h -> g(w h + b) over a line of starts, and once from the chosen start."""
    points = torch.linspace(-2, 2, 401, dtype=torch.float64)
    maps = iterate_map(points, weight, bias, depth, activation)
    walk = iterate_map(torch.tensor([start], dtype=torch.float64), weight, bias, depth, activation)
    return Maps(
        points.numpy(),
        maps.values[1].numpy(),
        maps.values[-1].numpy(),
        maps.slopes[-1].numpy(),
        walk.values[:, 0].numpy(),
    )


class Surface(NamedTuple):
    """The loss over a grid of weights and biases."""

    w: np.ndarray
    b: np.ndarray
    loss: np.ndarray


class Walks(NamedTuple):
    """Gradient descent from one start, with clipping and without."""

    clipped: Path
    free: Path


def explore_cliff() -> Explorer:
    """Walk down the loss of a one-unit network, with and without clipping."""
    return Explorer(
        "Gradient descent at the edge of a cliff",
        {
            "threshold": log_slider("clip the norm at", -2, 2, -0.3),
            "learning_rate": log_slider("learning rate", -3, 0, -0.5),
            "w": slider("start: weight w", 3.0, 6.0, 4.9, 0.1),
            "b": slider("start: bias b", -3.0, -1.0, -2.1, 0.05),
            "updates": slider("updates", 5, 80, 40, 5),
        },
        walks_on_the_cliff,
        CliffDrawing(cliff_surface()),
        tabulate_walks,
    )


@lru_cache(maxsize=1)
def cliff_surface() -> Surface:
    """Return the loss over the part of the plane where the cliff lies."""
    w, b = np.linspace(3, 6, 240), np.linspace(-3, -1, 200)
    point = loss_cliff(torch.tensor(w)[None, :], torch.tensor(b)[:, None], steps=CLIFF_STEPS)
    return Surface(w, b, point.loss.numpy())


def walks_on_the_cliff(
    threshold: float, learning_rate: float, w: float, b: float, updates: int
) -> Walks:
    """Descend twice from the same start."""
    thresholds = torch.tensor([threshold, torch.inf])
    both = descend(w, b, learning_rate, updates, thresholds, steps=CLIFF_STEPS)
    return Walks(*(Path(*(values[:, i].numpy() for values in both)) for i in (0, 1)))


def tabulate_walks(walks: Walks) -> Table:
    """Return both walks side by side."""
    c, f = walks
    headers = ("update", "w clipped", "b", "loss", "gradient", "w free", "b", "loss", "gradient")
    return Table(headers, list(zip(range(len(c.w)), *c, *f, strict=True)))


class Pairs(NamedTuple):
    """The norm of dJ_t/dh_k for every pair of steps."""

    norms: np.ndarray  # (T, T)


def explore_bptt() -> Explorer:
    """Show where the loss of every step sends its gradient."""
    return Explorer(
        "Which step hears from which loss?",
        {
            "radius": slider("spectral radius of U", 0.1, 2.0, 0.9, 0.05),
            "activation": choice("activation g", list(ACTIVATIONS), "tanh"),
            "gain": slider("size of the inputs", 0.0, 3.0, 1.0, 0.1),
            "length": slider("steps", 5, 60, 30, 5),
        },
        pairs_of_a_random_network,
        BpttDrawing(),
        tabulate_pairs,
    )


def pairs_of_a_random_network(radius: float, activation: str, gain: float, length: int) -> Pairs:
    """Measure one network whose loss at every step is half the squared length of its state."""
    network = _network(round(radius, 4), activation, round(gain, 4), "gaussian")
    norms = gradient_norms_by_pair(
        network, _inputs(length), lambda states: states.square().sum(dim=-1) / 2
    )
    return Pairs(norms.mean(dim=-1).numpy())


def tabulate_pairs(pairs: Pairs) -> Table:
    """Return what the last loss sends to every step."""
    T = len(pairs.norms)
    rows = [(k, T - k, pairs.norms[-1, k - 1]) for k in range(T, 0, -1)]
    return Table(("step k", "lag", f"gradient of the loss of step {T}"), rows)


@lru_cache(maxsize=64)
def _network(radius: float, activation: str, gain: float, kind: str) -> ElmanWeights:
    return random_network(INPUTS, UNITS, radius, activation, gain, kind)


@lru_cache(maxsize=32)
def _inputs(length: int) -> torch.Tensor:
    generator = torch.Generator().manual_seed(2)
    return torch.randn(length, 4, INPUTS, generator=generator, dtype=torch.float64)
