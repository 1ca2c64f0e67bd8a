"""What `course train` and `torchrun -m course_utils.training` understand."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

RACE = "race"  # not one model: many small runs and one file of results
ABOUT_RACE = "Elman, GRU and LSTM on the memory tasks of lecture 04, three seeds each"
WORD_RACE = "word_race"
ABOUT_WORD_RACE = "n-grams, Elman and LSTM on more and more of the English corpus, lecture 01"
INTERRUPTED = 130  # what a shell reports for a program that Ctrl-C ended


def parser() -> argparse.ArgumentParser:
    """Return the description of every option."""
    parser = argparse.ArgumentParser(
        prog="course train",
        description="Make a trained model of the course again from its recipe.",
        epilog="On many processes: torchrun --nproc-per-node 2 -m course_utils.training NAME",
    )
    parser.add_argument("name", nargs="?", help="the recipe; --list shows them all")
    parser.add_argument("--list", action="store_true", help="show every recipe and end")
    parser.add_argument("--out", default="trained", help="folder for the model and its card")
    parser.add_argument("--device", help="cuda, mps or cpu (default: the best one here)")
    parser.add_argument("--steps", type=int, help="instead of what the recipe says")
    parser.add_argument("--resume", action="store_true", help="go on where a run stopped")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments say; return the exit code."""
    options = parser().parse_args(arguments)
    if options.list:
        print(listing())
        return 0
    if options.name is None:
        parser().print_usage(sys.stderr)
        return 2

    from course_utils.training.distributed import LostProcess
    from course_utils.training.recipes.run_recipe import train
    from course_utils.training.step import Diverged

    try:
        if options.name == RACE:
            return compare_all(options)
        if options.name.replace("-", "_") == WORD_RACE:
            return compare_word_models(options)
        outcome = train(options.name, options.out, options.device, options.steps, options.resume)
    except (ValueError, OSError, Diverged, LostProcess) as error:
        print(f"course train: {error}", file=sys.stderr)
        return 1
    print(outcome)
    return INTERRUPTED if outcome.was_interrupted else 0


def compare_all(options: argparse.Namespace) -> int:
    """Run lecture 04's comparison and write OUT/race.json; return the exit code."""
    from course_utils.training.race.results import RESULTS, run_races, save_results

    if options.resume:
        raise ValueError("a race runs as a whole and has nothing to resume")
    if options.steps is not None and options.steps < 1:
        raise ValueError(f"steps must be at least 1, not {options.steps}")
    try:
        results = run_races(steps=options.steps, device=options.device)
    except KeyboardInterrupt as stop:
        print(f"course train: {stop}; nothing was written", file=sys.stderr)
        return INTERRUPTED
    print(save_results(results, Path(options.out) / RESULTS.name))
    return 0


def compare_word_models(options: argparse.Namespace) -> int:
    """Run lecture 01's race and write OUT/word_race.json; return the exit code."""
    from course_utils.training.race.words import RESULTS, race_words

    if options.steps is not None and options.steps < 1:
        raise ValueError(f"steps must be at least 1, not {options.steps}")
    path = Path(options.out) / RESULTS.name
    if not options.resume:
        path.unlink(missing_ok=True)
    try:
        race_words(path, steps=options.steps, device=options.device)
    except KeyboardInterrupt as stop:
        print(f"course train: {stop}; --resume goes on after what is finished", file=sys.stderr)
        return INTERRUPTED
    print(path)
    return 0


def listing() -> str:
    """Return one line for every recipe, and one more where its model comes with the course."""
    from course_utils.models.model_file import shipped_cards
    from course_utils.training.recipes.recipe import all_recipes

    lines, shipped = [], shipped_cards()
    for name, recipe in all_recipes().items():
        lines.append(f"{name:<14} {recipe.config.steps:>7,} steps  {recipe.about}")
        if name in shipped:
            lines.append(f"{'':<30}{_of_shipped(shipped[name])}")
    races = {RACE: ABOUT_RACE, WORD_RACE: ABOUT_WORD_RACE}
    return "\n".join([*lines, *(f"{name:<14} {'':>13}  {about}" for name, about in races.items())])


def _of_shipped(card: dict) -> str:
    """Say what the shipped model reached, and how long that took."""
    numbers = ", ".join(f"{name} {value:.1f}" for name, value in card["metrics"].items())
    return f"comes with the course: {numbers}; made in {card['seconds'] / 60:.0f} min"
