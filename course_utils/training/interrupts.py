"""Turn Ctrl-C, the notebook's stop button and a scheduler's SIGTERM into a request to stop."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType

Handler = Callable[[int, FrameType | None], object] | int | None  # what Python calls one


class PoliteStop:
    """Remember the first signal instead of raising in the middle of a step; obey the second.

    An exception inside `optimizer.step()` would leave half of the weights updated: a state that no
    uninterrupted run ever passes through.
    """

    def __init__(self, signals: tuple[int, ...] = (signal.SIGINT,)):
        self.signals = signals
        self.wanted = False
        self._before: dict[int, Handler] = {}

    def __enter__(self) -> PoliteStop:
        if threading.current_thread() is threading.main_thread():  # elsewhere none can be caught
            for number in self.signals:
                self._before[number] = signal.signal(number, self._receive)
        return self

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _receive(self, number: int, frame: object) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        self.wanted = True
