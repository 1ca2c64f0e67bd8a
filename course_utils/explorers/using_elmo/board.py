"""What ELMo is made of: every ingredient on every task, by labels and by steps, looked up."""

from __future__ import annotations

from collections.abc import Iterable

from course_utils.explorers.machinery.controls import choice, stops
from course_utils.explorers.machinery.explorer import Explorer
from course_utils.explorers.machinery.table import Table
from course_utils.plots.picture import Plot
from course_utils.plots.tagging.dots import Panel, plot_runs
from course_utils.plots.using_elmo.board import NAMES, Board, BoardDrawing
from course_utils.results.made_of import INGREDIENTS, SIZES, interval, learned, reached, runs_of

TASKS = {
    "ud_english_ewt": "Tags, web English",
    "grammar": "Tags, ambiguous grammar",
    "era": "Era of a sentence",
    "sentence_polarity": "Film reviews",
}
SHORT = {
    "ud_english_ewt": "web English", "grammar": "grammar", "era": "era",
    "sentence_polarity": "reviews",
}  # fmt: skip
LISTED = {"ud_english_ewt": "list of words", "grammar": "list of words",
          "era": "counts of words", "sentence_polarity": "counts of words"}  # fmt: skip
CHOSEN = 0  # steps: where the validation sentences say stop
STEPS = (25, 50, 100, 200, 400, 800, 1600, 3200)


def explore_made_of() -> Explorer:
    """Let the reader ask what each ingredient is worth, by task, labels and steps."""
    asked = [
        (f"{name}, {size:,} labels", f"{task} {size}")
        for task, name in TASKS.items()
        for size in SIZES[task]
    ]
    until = stops("steps", [("when validation says", CHOSEN), *((f"{n:,}", n) for n in STEPS)])
    return Explorer(
        "What is ELMo made of?",
        {"asked": choice("task", asked), "steps": until},
        board_of,
        BoardDrawing(),
        tabulate_board,
    )


def board_of(asked: str, steps: int = CHOSEN) -> Board:
    """Look up one task at one size, after so many steps."""
    task, said = asked.split()
    size = int(said)
    found = {name: learned(task, size, name) for name in INGREDIENTS}
    if steps == CHOSEN:
        when = "each trained until its validation sentences said stop"
        runs = {name: reached(task, name).at(size) for name in INGREDIENTS}
    else:
        runs = {name: curve.after(steps) for name, curve in found.items()}
        ended = min(steps, max(curve.steps[-1] for curve in found.values()))
        when = f"after {ended:,} steps" + (", where training ended" if ended < steps else "")
    listed = float(reached(task, "list").at(size).mean())
    return Board(TASKS[task], size, when, runs, listed, LISTED[task])


def tabulate_board(board: Board) -> Table:
    """Return every ingredient's mean, and its lead over letters with its 95 % interval."""
    rows = [
        (NAMES[name], seeds.mean(), *interval(seeds - board.runs["letters"]))
        for name, seeds in board.runs.items()
    ]
    return Table(("ingredient", "mean", "over letters", "from", "to"), rows)


def plot_boards(headline: str, asked: Iterable[tuple[str, int]]) -> Plot:
    """Draw some tasks at some sizes beside each other, and what needs no network across."""
    panels = [
        Panel(
            f"{SHORT[task]}, {size:,} labels",
            runs_of(task, size, NAMES),
            float(reached(task, "list").at(size).mean()),
            LISTED[task],
        )
        for task, size in asked
    ]
    return plot_runs(headline, panels, "right, five seeds")
