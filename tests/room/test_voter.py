"""A notebook's prediction votes in the room that COURSE_ROOM names, whenever it asks."""

from __future__ import annotations

import asyncio
import queue

import pytest

from course_utils.room import voter
from course_utils.room.voter import AWAY, LATER, Voter, vote_in_room
from tests.room.phones import CHOICE, NUMBER, in_a_loop
from tests.room.served import served


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Hand in at once what is typed, and in no room but the test's."""
    monkeypatch.setattr(voter, "PAUSE", 0.01)
    monkeypatch.setattr(voter, "AGAIN", 0.05)
    monkeypatch.setattr(voter, "_voters", {})


async def told(says: queue.Queue) -> str:
    """Return what the notebook is told next."""
    return await asyncio.to_thread(says.get, timeout=30)


async def answers(here, wanted):
    """Wait until the presenter sees some answers."""
    presenter = await here.presenter()
    state = await presenter.state()
    while state["round"] != wanted:
        state = await presenter.state(state["seen"])


@in_a_loop
async def test_a_guess_counts_when_the_room_asks_and_when_it_is_changed():
    """Catches a guess that came too early and is lost, one that counts twice or only once.

    And an old guess that replaces a newer one.
    """
    async with served() as here:
        presenter = await here.presenter()
        says: queue.Queue[str] = queue.Queue()
        notebook = Voter(f"http://127.0.0.1:{here.server.port}/{here.room.code}")
        notebook.vote("02.b", "c", says.put)
        assert await told(says) == LATER
        await presenter.ask(do="open", asked=NUMBER)
        await presenter.ask(do="open", asked=CHOICE)
        assert (await told(says)).startswith("Counted.")
        await answers(here, {"counts": [0, 0, 1, 0]})
        notebook.vote("02.b", "a", says.put)
        notebook.vote("02.b", "b", says.put)
        assert (await told(says)).startswith("Counted.")
        await answers(here, {"counts": [0, 1, 0, 0]})
        await presenter.ask(do="open", asked=CHOICE)
        assert (await told(says)).startswith("Counted.")
        await answers(here, {"counts": [0, 1, 0, 0]})
        await presenter.ask(do="open", asked=NUMBER)
        notebook.vote("02.a", "plenty", says.put)
        assert await told(says) == "one number, such as 0.001, 1e-3 or 1/1000"
        notebook.vote("02.a", "1/1000", says.put)
        assert (await told(says)).startswith("Counted.")
        await answers(here, {"numbers": [0.001]})
        assert here.room.people == 1


def test_a_lecture_goes_on_without_its_room(monkeypatch):
    """Catches an error in a lecture whose room is closed, misspelt, or not asked for."""
    says: queue.Queue[str] = queue.Queue()
    for link, answer in (
        ("http://127.0.0.1:9/ABCD", AWAY),
        ("192.168.1.5:8877/ABCD", "COURSE_ROOM should be like http://"),
        ("file:///etc/passwd", "COURSE_ROOM should be like http://"),
    ):
        monkeypatch.setenv("COURSE_ROOM", link)
        vote_in_room("02.a", "7", says.put)
        assert says.get(timeout=30).startswith(answer)
    monkeypatch.delenv("COURSE_ROOM")
    vote_in_room("02.a", "7", says.put)
    assert not voter._voters.keys() - {"http://127.0.0.1:9/ABCD"}
