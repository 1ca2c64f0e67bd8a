"""A lecture hall at `course room`: 300 phones on loopback, each with its own cookie."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from tests.benchmarks.measure import Row
from tests.room.hostile import a_hostile_crowd
from tests.room.phones import CHOICE, Phone, RoomProcess, in_a_loop

PHONES = 300
THINKING = 2.0  # seconds in which the votes come


@dataclass
class Found:
    """What a vote was like: seconds, bytes of pages, answers."""

    seen: list[float] = field(default_factory=list)
    voted: list[float] = field(default_factory=list)
    pages: list[int] = field(default_factory=list)
    counted: int = 0


def rows() -> list[Row]:
    """Measure how soon a question is seen, a vote answered, and whether all are counted.

    And once more while forty clients flood, dawdle and forge in the same room.
    """
    with tempfile.TemporaryDirectory() as folder, RoomProcess(Path(folder)) as room:
        quiet, beset = Found(), Found()
        in_a_loop(hall)(room, quiet, nullcontext())
        memory = room.memory / 1e6
        in_a_loop(hall)(room, beset, a_hostile_crowd(room.phone))
        memory_beset = room.memory / 1e6
    return [
        Row(f"a new question is seen by {PHONES} phones", 1e3 * max(quiet.seen), "<= 1000",
            f"half of them after {1e3 * share(quiet.seen, 0.5):.0f} ms", "ms"),
        Row("a vote is answered, 99th percentile", 1e3 * share(quiet.voted, 0.99), "<= 200",
            f"half of them within {1e3 * share(quiet.voted, 0.5):.1f} ms", "ms"),
        Row(f"votes counted of {PHONES}", quiet.counted, f">= {PHONES}", "", ""),
        Row("memory of the room", memory, "<= 100", "at most, since it began", "MB"),
        Row("the page", max(quiet.pages) / 1000, "<= 15", "as it is sent", "kB"),
        Row(f"votes counted of {PHONES} beside 40 hostile clients", beset.counted,
            f">= {PHONES}", f"99 of 100 within {1e3 * share(beset.voted, 0.99):.0f} ms", ""),
        Row("memory of the room, after them", memory_beset, "<= 100", "at most", "MB"),
    ]  # fmt: skip


def share(values: list[float], part: float) -> float:
    """Return the value that a part of all does not exceed."""
    return sorted(values)[int(part * (len(values) - 1))]


async def hall(room: RoomProcess, found: Found, beside: AbstractAsyncContextManager[None]) -> None:
    """Let a hall join, wait, see, think and vote."""
    presenter = await room.presenter()
    phones = [await Phone.reach(room.port, room.where.code) for _ in range(PHONES)]
    for phone in phones:
        found.pages.append(len(await phone.join()))
        await phone.now(-1)
    began: list[float] = []
    async with beside:
        waiting = [asyncio.create_task(one(phone, began, found)) for phone in phones]
        await asyncio.sleep(0.5)  # until all of them wait
        began.append(time.perf_counter())
        await presenter.ask(do="open", asked=CHOICE)
        await asyncio.gather(*waiting)
    found.counted = sum((await presenter.ask(do="close"))["round"]["counts"])


async def one(phone: Phone, began: list[float], found: Found) -> None:
    """Wait for the question, think, vote."""
    await phone.now()
    found.seen.append(time.perf_counter() - began[0])
    await asyncio.sleep(random.random() * THINKING)
    start = time.perf_counter()
    await phone.vote(f"#{random.randrange(4)}")
    found.voted.append(time.perf_counter() - start)
