"""The picture of the activations marks how steep each can be."""

from __future__ import annotations

import numpy as np

from course_utils.plots.gradients.activations import plot_activations


def test_the_largest_slopes_are_marked_with_their_names():
    """Catches a mark at a value of g instead of its slope, and one that forgets an activation."""
    a = np.linspace(-4, 4, 201)
    values = {"tanh": np.tanh(a), "sigmoid": 1 / (1 + np.exp(-a)), "relu": np.maximum(a, 0)}
    sigmoid = values["sigmoid"]
    slopes = {"tanh": 1 - values["tanh"] ** 2, "sigmoid": sigmoid * (1 - sigmoid), "relu": a > 0}
    right = plot_activations(a, values, slopes).figure.axes[1]
    marks = {text.get_text(): text.xy[1] for text in right.texts}
    assert marks == {"1: tanh, ReLU": 1.0, "0.25: sigmoid": 0.25}
