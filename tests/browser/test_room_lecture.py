"""A whole lecture with a room: thirty phones answer its predictions, from the first to the last."""

from __future__ import annotations

import asyncio
import random
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from tests.browser.deck import Deck
from tests.room.phones import Phone, RoomProcess, in_a_loop

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LECTURE = "03_lstm.ipynb"
PHONES = 30
ASKS = re.compile(r'^predict\(\s*"([\w.]+)"', re.MULTILINE)
TELLS = re.compile(r'^predicted\(\s*"([\w.]+)"', re.MULTILINE)


@pytest.fixture(scope="module")
def lecture(lab):
    """Return the lecture, run from top to bottom."""
    yield lab.open(LECTURE).run_all()
    lab.shut()


@contextmanager
def a_hall(room: RoomProcess) -> Iterator[None]:
    """Let phones answer whatever is asked meanwhile, beside Playwright's own loop."""
    ready = threading.Event()
    ends: list = []

    @in_a_loop
    async def sit():
        phones = [await Phone.reach(room.port, room.where.code) for _ in range(PHONES)]
        for phone in phones:
            await phone.join()
        listening = asyncio.gather(*(listen(phone, seed) for seed, phone in enumerate(phones)))
        ends.append((asyncio.get_running_loop(), listening))
        ready.set()
        with suppress(asyncio.CancelledError):
            await listening

    hall = threading.Thread(target=sit)
    hall.start()
    try:
        assert ready.wait(60)
        yield
    finally:
        for loop, listening in ends:
            loop.call_soon_threadsafe(listening.cancel)
        hall.join(60)


async def listen(phone: Phone, seed: int) -> None:
    """Answer each question once, as somebody might."""
    drawn = random.Random(seed)
    while True:
        asked = await phone.now()
        if asked["open"]:
            at_random = f"{10 ** drawn.uniform(-3, 8):.1e}"
            choice = f"#{drawn.randrange(len(asked['options']) or 1)}"
            answer = {"choice": choice, "number": at_random, "words": "because"}[asked["kind"]]
            status, said = await phone.vote(answer)
            assert status == 200, said


def names(lecture, pattern: re.Pattern[str]) -> dict[int, str]:
    """Return which cells ask for a prediction, or tell its result."""
    found = {}
    for index, cell in enumerate(lecture.cells()):
        if said := pattern.search(cell["source"]):
            found[index] = said[1]
    return found


def test_a_room_predicts_through_a_whole_lecture(lecture, server, tmp_path):
    """Catches a prediction that a room cannot be asked, or whose answers do not meet the result."""
    asks, tells = names(lecture, ASKS), names(lecture, TELLS)
    assert len(asks) >= 3
    assert sorted(asks.values()) == sorted(tells.values())
    room = RoomProcess(tmp_path, note=server.private / "room.json")
    asked, met = [], []
    with room, a_hall(room), Deck(lecture) as deck:
        screen, before = deck.press("Home"), None
        while (screen.slide, screen.later) != before:
            name = next((asks[cell] for cell in screen.cells if cell in asks), None)
            if name and name not in asked:
                ask(deck)
                asked.append(name)
            before = (screen.slide, screen.later)
            screen = deck.press("PageDown")
            if name := shown_beside(deck):
                assert name == next(tells[cell] for cell in screen.cells if cell in tells)
                met.append(name)
    assert asked == met == [*asks.values()]
    assert lecture.problems() == []


def ask(deck: Deck) -> None:
    """Let the room vote; the wall says only how many until Page Down, then how, and no result."""
    panel = deck.lab.page.locator(".course-vote")
    deck.press("v")
    panel.locator(".course-vote-count").get_by_text(f"{PHONES} of {PHONES}").wait_for()
    assert not re.search(r"%|guess", panel.inner_text())
    deck.press("PageDown")
    panel.get_by_text(re.compile(rf"{PHONES} guesses|\(\d+%\)")).first.wait_for()
    assert panel.locator(".course-vote-result").count() == 0
    deck.press("PageDown")
    assert panel.is_hidden()


def shown_beside(deck: Deck) -> str:
    """Return which prediction's answers stand beside its result, and go on from there."""
    panel = deck.lab.page.locator(".course-vote")
    if not panel.is_visible():
        return ""
    name = panel.locator(".course-vote-question b").inner_text().split()[-1]
    assert panel.locator(".course-vote-result").inner_text().startswith("It is ")
    assert panel.locator(".course-vote-line, .course-vote-right").count() == 1
    deck.press("PageDown")
    return name
