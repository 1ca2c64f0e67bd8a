"""Watch a character LSTM learn: at some steps its bits, its cells, and a page that it writes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from course_utils.analysis.characters.labels import source_part
from course_utils.analysis.characters.ladder import rungs
from course_utils.analysis.characters.statements import (
    judged,
    statement_starts,
    written_statements,
)
from course_utils.analysis.characters.writing import Writer
from course_utils.analysis.units.search import Labelled
from course_utils.data.source_code import source_labels, source_text
from course_utils.models import RecurrentLM
from course_utils.results.files import Row
from course_utils.settings import seed_everything
from course_utils.shipped import load_recurrent_lm
from course_utils.training.cookbook.characters import RECIPE, source_texts, source_vocabulary
from course_utils.training.cookbook.streams import text_plan
from course_utils.training.race.race import Lap, Race, register
from course_utils.training.race.whole_run import finish

# small enough for a minute of one core: this network is watched, not used
CONFIG = replace(
    RECIPE, steps=800, width=32, hidden=128, batch=8, evaluate_every=50, judged_on=10_000
)
FRAMES = (50, 200, 800)
SHIPPED = "source_lstm"
BEGUN, LONG, WARMTH, DRAW = "\n\nclass Reader:\n    def read(self, name):\n", 420, 0.7, 4
STATEMENTS, CHARACTERS, ASKED = 100, 40_000, 20_000


@cache
def parts() -> tuple[Labelled, Labelled]:
    """Return the texts on which cells are chosen and reported."""
    return source_part("valid", CHARACTERS), source_part("test", CHARACTERS)


def frame(model: RecurrentLM, steps: int) -> Row:
    """Return what a network can do by now."""
    asked = source_texts(RECIPE.min_count)[2][:ASKED]
    bits = -model.log_probs(asked).mean().item() / math.log(2)
    starts = statement_starts(source_text("test"), source_labels("test"), STATEMENTS)
    writer = Writer(model)
    (page,) = writer.write(writer.read([BEGUN]), LONG, temperature=WARMTH, seed=DRAW)
    choose, report = (Labelled(text.tokens, {"quoted": text.labels["quoted"]}) for text in parts())
    found = judged(written_statements(model, starts, WARMTH))
    quoted = rungs(model, choose, report)["quoted"]
    shares = {"compiled": found.compiled, "cell": quoted.cell, "readout": quoted.readout}
    short = {name: round(value, 4) for name, value in shares.items()}
    return {"steps": steps, "bits": round(bits, 4), **short, "page": page}


def watched(steps: int | None, device: str | None) -> list[Row]:
    """Train one network and return its frames."""
    config = replace(CONFIG, steps=steps) if steps else CONFIG
    seed_everything(config.seed)
    words, texts = source_vocabulary(config.min_count), source_texts(config.min_count)
    plan = replace(text_plan(config, words, texts), bf16=config.bf16)
    frames, done = [], 0

    def look(model: RecurrentLM) -> float:
        nonlocal done
        done = min(done + config.evaluate_every, config.steps)
        if done in FRAMES:
            frames.append(frame(model, done))
        return plan.evaluate(model)

    finish(replace(plan, evaluate=look), config, device, "film")
    return frames


def last_frame() -> list[Row]:
    """Return the same of the network that is shipped: larger, and trained for much longer."""
    return [frame(load_recurrent_lm(SHIPPED), RECIPE.steps)]


def laps(steps: int | None, device: str | None) -> Iterator[Lap]:
    """Yield the run that is watched, and the shipped network."""
    yield Lap({"network": f"{CONFIG.hidden} units"}, partial(watched, steps, device))
    yield Lap({"network": f"{RECIPE.hidden} units"}, last_frame)


def said(row: Row) -> str:
    """Say what one frame shows."""
    return f"{row['network']}, step {row['steps']}: {row['bits']} bits, {row['compiled']:.0%}"


RACE = register(
    Race("characters_film", "an LSTM that learns to write source code: lecture 07", laps, said)
)
