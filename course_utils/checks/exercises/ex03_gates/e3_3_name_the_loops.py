"""Exercise 3.3: read four loops: which is the fused layer, and what is wrong with the others?"""

from __future__ import annotations

from course_utils.checks.statements import about_statements


def name_the_loops() -> dict[str, str]:
    """Return what each of the loops A to D is."""
    return {
        "A": "gates hear the memory",
        "B": "h shows the old memory",
        "C": "the fused layer",
        "D": "c is squashed and stored",
    }


EXERCISE = about_statements(
    "3.3",
    "read four loops: which is the fused layer, and what is wrong with the others?",
    name_the_loops,
    reasons="""
        A the fused layer: look at what `gates` is given. In (3.1) the gates hear h, the part of the
            memory that was shown.
        A h shows the old memory: c is renewed before h is made of it. The trouble stands one line
            above.
        A c is squashed and stored: tanh makes h, and c keeps its size. The trouble stands in
            another line.
        B the fused layer: read the last two lines in the order in which they run. Which memory is
            in c when h is made?
        B gates hear the memory: the gates get h, as they should. Compare the order of the lines
            with (3.4) and (3.6).
        B c is squashed and stored: tanh makes h, and c keeps its size. Look at the order of the
            lines.
        C gates hear the memory: the gates get h. A product does not mind the order of its factors:
            compare again with (3.4) and (3.6).
        C h shows the old memory: c is renewed first, then h is made of it, as in (3.4) and (3.6).
            Only the factors stand in another order.
        C c is squashed and stored: tanh makes h, and c keeps its size: (3.6).
        D the fused layer: after one step its h is right, so a test with one step finds nothing.
            What does the second step find in c?
        D gates hear the memory: the gates get h, as they should. What does c hold after the step?
        D h shows the old memory: h is made of the new c. What does c hold for the next step?
        A the forget gate is missing: f multiplies the old c in each of the four.
        B the forget gate is missing: f multiplies the old c in each of the four.
        C the forget gate is missing: f multiplies the old c in each of the four.
        D the forget gate is missing: f multiplies the old c in each of the four.
    """,
    hints=(
        "Take each line of a loop and find its equation: what does `gates` hear, which c does h "
        "show, what is kept for the next step?",
        "The order of factors does not matter, the order of lines does. One loop is right.",
        "A: look at the call of gates. B: at the order of its lines. D: at where tanh stands.",
    ),
    kind="read",
    choices=(
        "the fused layer",
        "gates hear the memory",
        "h shows the old memory",
        "c is squashed and stored",
        "the forget gate is missing",
    ),
)
