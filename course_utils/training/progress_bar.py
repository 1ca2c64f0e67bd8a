"""A one-line progress display for a run, in notebooks and terminals."""

from __future__ import annotations

import time

from tqdm.auto import tqdm

from course_utils.training.history import History

SECONDS_BETWEEN = 0.2  # redrawing more often costs more than the step of a small model


class ProgressBar:
    """Show a history's loss, speed and time left; cheap to call at every step."""

    def __init__(self, history: History, steps: int, shown: bool = True, label: str = "training"):
        self.history = history
        self.bar = tqdm(total=steps, initial=len(history), desc=label, unit="step",
                        disable=not shown)  # fmt: skip
        self._begun = self._drawn = time.perf_counter()
        self._targets_before = history.total("targets")

    def __enter__(self) -> ProgressBar:
        return self

    def step(self) -> None:
        """Redraw if the last redraw is old enough."""
        now = time.perf_counter()
        if now - self._drawn >= SECONDS_BETWEEN and not self.bar.disable:
            self._drawn = now
            self._draw()

    def _draw(self, ending: str = "") -> None:
        targets = self.history.total("targets") - self._targets_before
        speed = targets / (time.perf_counter() - self._begun)
        self.bar.set_postfix_str(
            f"loss {self.history.last('loss'):.3f}, {speed:,.0f} targets/s{ending}", refresh=False
        )
        self.bar.update(len(self.history) - self.bar.n)

    def __exit__(self, kind: type | None, *_: object) -> None:
        if not self.bar.disable:
            self._draw(f", {'failed' if kind else self.history.stopped}")
        self.bar.close()
