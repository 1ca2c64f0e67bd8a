"""Exercise 2.4: predict the fate of six networks."""

from __future__ import annotations

from course_utils.checks.statements import about_statements


def fate_of_six() -> dict[str, str]:
    """Return what becomes of the gradients of networks A to F on 50 steps back."""
    return {
        "A": "vanishes",
        "B": "explodes",
        "C": "stays",
        "D": "vanishes",
        "E": "vanishes",
        "F": "stays",
    }


EXERCISE = about_statements(
    "2.4",
    "predict the fate of six networks",
    fate_of_six,
    reasons="""
        A explodes: radius 1.5 lets it explode and does not make it. Inputs of size 1 push tanh
            units onto their flat parts, and the slopes win.
        A stays: nothing balances here. Inputs of size 1 keep tanh units on their flat parts, so a
            step shrinks more than the radius of 1.5 can make good.
        B vanishes: what would shrink it? A linear unit has slope 1 everywhere, so nothing stands
            between the gradient and 1.5 to the power of 50.
        B stays: the slope is 1, so each step multiplies by about the radius: 1.5 to the power of 50
            is some 600 millions.
        C vanishes: an orthogonal U of radius 1 changes no length, and inputs of size 0.01 leave
            tanh where its slope is 1. What is left that could shrink it?
        C explodes: an orthogonal U of radius 1 stretches nothing, and a slope of tanh is never
            above 1. It cannot grow.
        D stays: the orthogonal U keeps lengths, but it is half of the factor. Inputs of size 1 move
            the units, and the slopes of tanh shrink every step.
        D explodes: no factor is above 1: U keeps lengths, the slopes of tanh are at most 1. The
            bound (2.5) is 1.
        E explodes: the bound (2.5) would allow it, for the norm of such a U is 5 to 6 and a slope
            up to 1/4. But inputs of size 1 move sigmoids off their steepest point: 50 steps back
            less than a billionth is left.
        E stays: nothing balances here. The sigmoid's slope is 1/4 at most and less where inputs of
            size 1 put it; a radius of 3 cannot make that good.
        F explodes: large inputs make large states, not large gradients. Linear units have slope 1
            whatever they hear, and this U keeps every length.
        F vanishes: inputs of size 10 would flatten a tanh. A linear unit has no flat part, and this
            U keeps every length.
    """,
    hints=(
        "For each network ask two things: what does U do to a length, and what do the slopes?",
        "Slopes: linear 1 always; sigmoid at most 1/4; tanh 1 only while its sum is near 0, so "
        "look at the size of the inputs. An orthogonal U of radius 1 keeps every length.",
        "One explodes, two stay, three vanish. To measure one: gr.random_network(16, 64, "
        "radius=1.5, activation='linear', gain=1.0).",
    ),
    kind="predict",
    choices=("vanishes", "stays", "explodes"),
)
