"""Exercise 9.6: count the parameters."""

from __future__ import annotations

from collections.abc import Sequence

from course_utils.checks.exercise import Exercise
from course_utils.checks.mistakes import mistakes

Filters = Sequence[tuple[int, int]]  # (width in letters, how many)


OFFICIAL_FILTERS = [(1, 32), (2, 32), (3, 64), (4, 128), (5, 256), (6, 512), (7, 1024)]


def count_bilm_parameters(D: int, filters: Filters, H: int, P: int, C: int, L: int) -> int:
    """Return how many numbers a biLM without its softmax has."""
    F = sum(count for _, count in filters)
    letters = 261 * D + sum(count * (width * D + 1) for width, count in filters)
    highways = H * 2 * (F * F + F)
    projection = F * P + P
    lstm = 4 * C * (P + P + 1) + C * P
    return letters + highways + projection + 2 * L * lstm


EXERCISE = Exercise(
    number="9.6",
    task="count the parameters",
    kind="derive",
    reference=count_bilm_parameters,
    takes="D: width of a letter; filters: pairs (width in letters, how many); H highway layers;"
    " P: projection; C cells; L layers in each direction",
    gives="a whole number",
    example=(2, [(1, 3)], 1, 2, 3, 1),
    cases=lambda: [
        (3, [(1, 2), (2, 3)], 1, 4, 7, 1),
        (4, [(1, 3), (2, 5), (3, 6)], 2, 5, 11, 2),
        (16, OFFICIAL_FILTERS, 2, 512, 4096, 2),
    ],
    hints=(
        "Go along the way of a word: letters, filters, highway, projection, LSTMs.",
        "Letters 261 D; filters width D + 1 each; highway 2 (F F + F) each; projection F P + P.",
        "Each of 2 L LSTMs has 4 C (P + P + 1) for its gates and C P for its projection.",
    ),
    misconceptions=mistakes("""
        one direction
            2 * L * lstm => L * lstm
            There are two directions, and each has LSTMs of its own.
        no highway gate
            H * 2 * => H *
            A highway layer has two matrices: one transforms, one is the gate.
        no bias of the filters
            width * D + 1 => width * D
            Every filter has a bias.
        no bias of the highway
            F * F + F => F * F
            The highway's matrices have biases, F numbers each.
        no width of the filters
            count * (width * D + 1) => count * (D + 1)
            A filter of width w looks at w letters at once: w D numbers, and its bias.
        one filter of each width
            count * (width * D + 1) => (width * D + 1)
            There are `count` filters of each width, not one.
        no letters
            261 * D + sum => sum
            The letters' own embeddings are missing: 261 of them, D numbers each.
        features counted by widths
            F = sum(count for _, count in filters) => F = len(filters)
            F is the number of features, one for each filter: add up how many there are of each
            width.
        one highway layer
            H * 2 * => 2 *
            There are H highway layers, of two matrices each.
        no bias of the projection
            F * P + P => F * P
            The projection from F features to P has a bias, P numbers.
        a bias of the cells' projection
            + C * P => + C * P + P
            The projection after the cells has no bias: C P numbers.
        three gates
            4 * C => 3 * C
            An LSTM has four blocks of rows: i, f, o and the candidate.
        one projection for all LSTMs
            2 * L * lstm => 2 * L * (lstm - C * P) + C * P
            Every one of the 2 L LSTMs has a projection of its own.
        no projection of the characters
            highways + projection => highways
            Between the highway and the LSTMs F features become P numbers: F P + P.
        no projection of the cells
            (P + P + 1) + C * P => (P + P + 1)
            Each LSTM projects its C cells to P: another C P, without a bias.
        state as wide as the cells
            P + P + 1 => P + C + 1
            What an LSTM feeds back is the projected state, P wide, not C.
        PyTorch's two biases
            P + P + 1 => P + P + 2
            PyTorch's LSTM has two biases where one does. ELMo's has one, 4 C.
        no bias of the LSTM
            P + P + 1 => P + P
            The four gates have a bias: 4 C numbers in each LSTM.
        no bias of filters and highway
            width * D + 1 => width * D &&
            F * F + F => F * F
            Filters and highway layers have biases: one a filter, F for each matrix.
        256 letters
            261 => 256
            To the 256 bytes come five marks: begin and end of a sentence and of a word, and
            padding.
        262 rows
            261 => 262
            The row of zeros for absent tokens is not learned: 261 rows are.
    """),
)
