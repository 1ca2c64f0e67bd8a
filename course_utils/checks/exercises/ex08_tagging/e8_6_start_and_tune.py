"""Exercise 8.6: start from a language model, and let each part learn at its own rate."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from course_utils.checks.cases import some
from course_utils.checks.exercise import Arguments, Exercise, Misconception
from course_utils.checks.mistakes import mistakes

Weights = dict[str, Tensor]


def start_and_tune(
    classifier: Weights,
    language_model: Weights,
    loss: Callable[[Weights], Tensor],
    rates: dict[str, float],
) -> Weights:
    """Load what the language model has too, and return the weights after one step of descent."""
    weights = {
        name: (language_model.get(name, own)).clone().requires_grad_()
        for name, own in classifier.items()
    }
    loss(weights).backward()
    return {name: (w - rates[name] * _slope(w)).detach() for name, w in weights.items()}


def _slope(weight: Tensor) -> Tensor:
    return torch.zeros_like(weight) if weight.grad is None else weight.grad


def _loss_of(words: list[int], label: int) -> Callable[[Weights], Tensor]:
    """Return the loss of a small recurrent classifier on one sentence."""

    def loss(weights: Weights) -> Tensor:
        vectors, U, V = (torch.as_tensor(w) for w in (weights[n] for n in NAMES))
        h, mean = vectors.new_zeros(len(U)), vectors.new_zeros(len(U))
        for word in words:
            h = torch.tanh(U @ torch.cat([vectors[word], h]))
            mean = mean + h / len(words)
        return cross_entropy((V @ mean)[None], torch.tensor([label]))

    return loss


NAMES = ("embedding", "recurrent", "readout")


def _case(
    sizes: tuple[int, int, int, int], rates: tuple[float, float, float], words: list[int]
) -> Arguments:
    V, D, H, labels = sizes
    shapes = {"embedding": (V, D), "recurrent": (H, D + H), "readout": (labels, H)}
    classifier = {name: some(*shape, seed=sum(shape) + len(name)) for name, shape in shapes.items()}
    read = {
        "embedding": some(V, D, seed=V + 40),
        "recurrent": some(H, D + H, seed=H + 50),
        "softmax": some(V, H, seed=V + 60),
    }
    return classifier, read, _loss_of(words, 1), dict(zip(NAMES, rates, strict=True))


EXERCISE = Exercise(
    number="8.6",
    task="start from a language model, and let each part learn at its own rate",
    kind="build",
    reference=start_and_tune,
    takes="classifier, language_model: dicts of weights by name; loss: takes a dict like "
    "classifier, gives a number; rates: a rate for each name in classifier",
    gives="a dict like classifier, the weights after one step",
    cases=lambda: [
        _case((2, 1, 1, 2), (0.0, 0.25, 1.0), [0, 1]),
        _case((5, 2, 3, 2), (0.1, 0.4, 2.0), [1, 4, 2, 0]),
        _case((4, 3, 2, 3), (0.0, 0.0, 1.5), [3, 1, 2]),
    ],
    hints=(
        "Which names do both dicts have? The readout is the classifier's own, and the language "
        "model's softmax has no place in it.",
        "Load first, then ask for the loss of the loaded weights, then move each weight against "
        "its own gradient. A part is frozen when its rate is 0.",
        "weights = {name: (language_model.get(name, own)).clone().requires_grad_() ...}; "
        "loss(weights).backward(); weight - rates[name] * weight.grad for each.",
    ),
    misconceptions=(
        *mistakes("""
            nothing loaded
                language_model.get(name, own) => own
                You tune the classifier's random weights: what the language model has read is not
                used. Load the weights that both have.
            only the embedding
                get(name, own) => get(name, own) if name == "embedding" else own
                Only the embedding is loaded. The recurrent weights have read the text, too.
            only the recurrent weights
                get(name, own) => get(name, own) if name == "recurrent" else own
                Only the recurrent weights are loaded, and they read vectors that they have never
                seen: they need the embedding that they learned with.
            one rate for all
                rates[name] * => max(rates.values()) *
                Everything moves at one rate. Each part has its own in `rates`, and 0 freezes it.
            the slowest rate for all
                rates[name] * => min(rates.values()) *
                Everything moves at one rate, the smallest. Each part has its own in `rates`.
            what was loaded is frozen
                rates[name] * => (name not in language_model) * rates[name] *
                Only the readout moves. What was loaded is frozen where its rate is 0, and learns
                where it is not.
            the readout is frozen
                rates[name] * => (name in language_model) * rates[name] *
                The readout does not move. It has random weights: it is the one part that must
                learn.
            zero means the usual rate
                rates[name] * => (rates[name] or max(rates.values())) *
                A part with rate 0 has moved. 0 is falsy in Python, and here it means: frozen.
            up the slope
                w - rates => w + rates
                You add the gradient, so the loss grows. Descent subtracts it.
            no step
                (w - rates[name] * _slope(w)) => w
                The weights are loaded, and have not moved: one step of descent is missing.
            no rates at all
                - rates[name] * _slope => - _slope
                Every part goes by its whole gradient, as if each rate were 1. `rates` has one for
                each part, and 0 freezes it.
            the gradient without a rate
                - rates[name] * _slope => - (rates[name] > 0) * _slope
                Every part that may move goes by its whole gradient. Times its rate.
        """),
        Misconception(
            "loaded after the gradient",
            lambda classifier, language_model, loss, rates: _loaded_late(
                classifier, language_model, loss, rates
            ),
            "The gradient is that of the weights before they were loaded. Load first: the slope "
            "is asked for at the place from which you step.",
        ),
        Misconception(
            "loaded after the step",
            lambda classifier, language_model, loss, rates: {
                **start_and_tune(classifier, {}, loss, rates),
                **{n: w for n, w in language_model.items() if n in classifier},
            },
            "You step, and then write the language model's weights over what was learned. Load "
            "first.",
        ),
        Misconception(
            "the softmax too",
            lambda classifier, language_model, loss, rates: {
                **start_and_tune(classifier, language_model, loss, rates),
                "softmax": language_model["softmax"],
            },
            "The language model's softmax is in your answer. It predicts words; the classifier has "
            "a readout of its own, and no place for it.",
        ),
        Misconception(
            "gradients returned",
            lambda classifier, language_model, loss, rates: {
                name: loaded - moved
                for (name, moved), loaded in zip(
                    start_and_tune(
                        classifier, language_model, loss, dict.fromkeys(classifier, 1.0)
                    ).items(),
                    (language_model.get(name, own) for name, own in classifier.items()),
                    strict=True,
                )
            },
            "These are slopes, not weights: return where the weights are after the step.",
        ),
    ),
)


def _loaded_late(
    classifier: Weights,
    language_model: Weights,
    loss: Callable[[Weights], Tensor],
    rates: dict[str, float],
) -> Weights:
    moved = start_and_tune(classifier, {}, loss, rates)
    return {
        name: language_model.get(name, own) + moved[name] - own for name, own in classifier.items()
    }
