"""Networks of several seeds and rates as one batched model, against one torch.nn run for each."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch.nn.functional import cross_entropy

from course_utils.results.memory import Entrant
from course_utils.training.race.memory import (
    RACES,
    RATES,
    SEEDS,
    TEST_SEED,
    TEST_SIZE,
    make_network,
    run_together,
)
from tests.benchmarks.measure import Row, speedup

RACE = RACES["recall over 60 steps"]
ENTRANTS = (Entrant("elman", "quiet"), Entrant("gru", "chrono"), Entrant("lstm", "chrono"))
UPDATES = 5
TIMING = {"repeats": 5, "warmup": 1}
AIM = ">= 4"


def rows() -> list[Row]:
    """Return each cell's gain for ten seeds, as in a lecture, and for a race's forty networks.

    PyTorch's own LSTM has a fused kernel on a CPU, so there is less to gain.
    """
    return [
        _gain(who, rates, bar) for who in ENTRANTS for rates, bar in ((RATES[:1], ""), (RATES, AIM))
    ]


def _gain(who: Entrant, rates: tuple[float, ...], bar: str) -> Row:
    def together() -> None:
        run_together(RACE, who, rates, steps=UPDATES, looks=1)

    what = f"{len(rates) * len(SEEDS)} of {who.cell} as one batch / one run each"
    return speedup(what, together, _one_by_one(who, rates), bar, **TIMING)


def _one_by_one(who: Entrant, rates: tuple[float, ...]) -> Callable[[], None]:
    test = RACE.task.draw(TEST_SIZE, torch.Generator().manual_seed(TEST_SEED))

    def run(rate: float, seed: int) -> None:
        layer, readout = make_network(RACE, who, seed)
        generator = torch.Generator().manual_seed(seed)
        parameters = [*layer.parameters(), *readout.parameters()]
        adam = torch.optim.Adam(parameters, lr=rate)
        for _ in range(UPDATES):
            batch = RACE.task.draw(RACE.batch, generator)
            loss = cross_entropy(readout(layer(batch.x)[0][-1]), batch.y.flatten())
            adam.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            adam.step()
        with torch.no_grad():
            readout(layer(test.x)[0][-1]).argmax(-1)

    def all_runs() -> None:
        for rate in rates:
            for seed in SEEDS:
                run(rate, seed)

    return all_runs
