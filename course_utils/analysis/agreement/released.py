"""Results on published test sets: computed if the sets are here, otherwise read from a record."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from course_utils.analysis.agreement.questions import ask
from course_utils.analysis.agreement.rates import Rate, rate, rates_by
from course_utils.data.sets.registry import load, problems
from course_utils.data.vocabulary import END
from course_utils.files import write_whole
from course_utils.models.language import LanguageModel
from course_utils.results.files import load_rows, shipped_file

SETS = {
    "agreement_nonsense": "nonsense (Gulordava et al. 2018)",
    "agreement_wikipedia": "Wikipedia (Linzen et al. 2016)",
}
RECORD = shipped_file("agreement_released")
Makers = Mapping[str, Callable[[], LanguageModel]]  # models are built only if they are needed


class Released(NamedTuple):
    """How one model does on one published set, over the items that its vocabulary covers."""

    set: str
    model: str
    right: Rate
    offered: int
    known: float  # share of the words before the verbs that the model knows
    by_attractors: dict[int, Rate]  # empty where the set does not count them


def ask_released(models: Makers) -> list[Released]:
    """Test every model on the published sets in the cache; nothing is downloaded."""
    found = []
    there = [name for name in SETS if not problems(name)]
    for model_name, make in models.items() if there else ():
        model = make()
        for name in there:
            answers = ask(model, load(name), start=(END,))
            by = rates_by(answers.items, answers.rights, lambda item: item.attractors)
            counted = {number: found for number, found in by.items() if number is not None}
            right = rate(answers.rights, answers.items)
            found.append(Released(name, model_name, right, answers.offered, answers.known, counted))
    return found


def write_record(found: list[Released], path: Path = RECORD) -> None:
    """Write what `ask_released` found, for those who do not have the sets."""
    rows = [
        {
            **row._asdict(),
            "right": row.right._asdict(),
            "by_attractors": {n: r._asdict() for n, r in sorted(row.by_attractors.items())},
        }
        for row in found
    ]
    made = "analysis.agreement.released: write_record(ask_released(models)), lecture 06, section 9"
    write_whole(path, (json.dumps({"made_by": made, "rows": rows}, indent=1) + "\n").encode())


def read_record(path: Path = RECORD) -> list[Released]:
    """Return the results that were recorded where the sets were at hand."""
    return [
        Released(
            row["set"],
            row["model"],
            Rate(**row["right"]),
            row["offered"],
            row["known"],
            {int(number): Rate(**found) for number, found in row["by_attractors"].items()},
        )
        for row in load_rows(path)
    ]
