"""The one training loop of the course."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from course_utils.settings import choose_device
from course_utils.training.batches import BatchSource
from course_utils.training.history import History
from course_utils.training.interrupts import PoliteStop
from course_utils.training.losses import LossOf
from course_utils.training.parallel.distributed import (
    Batches,
    current_world,
    draw_apart,
    local_device,
    same_everywhere,
)
from course_utils.training.parallel.engine import Engine, engine_for
from course_utils.training.progress_bar import ProgressBar
from course_utils.training.resume.run_state import RunState, open_run
from course_utils.training.schedules import Schedule, constant
from course_utils.training.step import TrainingStep


def fit(
    model: torch.nn.Module | Engine,
    batches: Batches,
    loss: LossOf,
    *,
    steps: int,
    optimizer: torch.optim.Optimizer | None = None,
    schedule: Schedule = constant,
    clip: float = 1.0,
    accumulate: int = 1,
    evaluate: Callable[[Any], float] | None = None,
    evaluate_every: int = 100,
    patience: int | None = None,
    folder: str | Path | None = None,
    save_every: int = 500,
    resume: bool = False,
    about: dict[str, Any] | None = None,
    device: str | torch.device | None = None,
    bf16: bool | None = None,
    progress: bool = True,
    label: str = "training",
    stop_on: tuple[int, ...] = (signal.SIGINT,),
) -> History:
    """Train until `steps` are done; end with the best weights if `evaluate` judges them.

    `evaluate` returns a number that is better when lower; `patience` evaluations without a better
    one end the run. Ctrl-C or the stop button ends it after the current step. With a `folder`, the
    run is saved every `save_every` steps and when it stops, and `resume=True` goes on from there,
    if the run was begun with the same `about`.
    """
    _check_counts(steps=steps, accumulate=accumulate, evaluate_every=evaluate_every,
                  save_every=save_every, patience=1 if patience is None else patience)  # fmt: skip
    device = local_device(choose_device(device))
    engine = engine_for(model, device)
    model = engine.model.train()
    optimizer = optimizer or torch.optim.Adam(model.parameters())
    run = RunState(model, optimizer, BatchSource(batches), loss, about)
    take_step = TrainingStep(run, engine, schedule=schedule, clip=clip, accumulate=accumulate,
                             device=device, bf16=bf16)  # fmt: skip
    draw_apart()
    shown = progress and current_world().is_chief

    with open_run(run, folder, resume) as folder:
        history = run.history
        history.stopped = "finished"
        start = time.perf_counter() - history.elapsed
        with ProgressBar(history, steps, shown, label) as bar, PoliteStop(stop_on) as interrupt:
            while len(history) < steps and history.stopped == "finished":
                numbers = take_step(interrupt)
                history.add_step(**numbers, seconds=time.perf_counter() - start)
                bar.step()
                done, last = len(history), len(history) == steps
                if evaluate and (done % evaluate_every == 0 or last):
                    if history.add_evaluation(_judge(engine, evaluate, device)):
                        run.keep_best()
                    if patience is not None and history.evaluations_since_best >= patience:
                        history.stopped = "no longer improving"
                if numbers["stop"]:
                    history.stopped = "interrupted"
                if folder and (done % save_every == 0 or last or history.stopped != "finished"):
                    run.save(folder)

    if run.best_weights is not None:
        model.load_state_dict(run.best_weights)
    return history


def _judge(engine: Engine, evaluate: Callable[[Any], float], device: torch.device) -> float:
    """Return the evaluation that the chief made, on every process."""
    value = engine.ask(evaluate)
    return same_everywhere(float("nan") if value is None else float(value), device)


def _check_counts(**counts: int) -> None:
    for name, count in counts.items():
        if not isinstance(count, int) or count < 1:
            raise ValueError(f"{name} must be a whole number of at least 1, not {count!r}")
