"""How the deck hears of a room through its own server, run by node with a server of the test's."""

from __future__ import annotations

import pytest

from tests.pages.in_node import in_node

STATE = {"room": {"seen": "1", "people": 3, "open": True}, "away": False}
LATER = {"room": {"seen": "2", "people": 4, "open": True}, "away": False}
AWAY = {"room": None, "away": True}
CLOSED = {"room": None, "away": False}
FAILS = None  # the server itself

SCRIPT = """
const asked = [];
globalThis.setTimeout = (go) => queueMicrotask(go);
const connection = {
  makeSettings: () => ({ baseUrl: "/" }),
  makeRequest: async (address) => {
    asked.push(address);
    const answer = given.shift();
    if (!answer) throw new Error("no network");
    return { ok: true, json: async () => answer };
  },
};
const heard = [];
const there = new room.Room(connection, (state) => heard.push(state && state.people));
await there.look();
const queries = asked.map((address) => address.slice("/course/room".length));
console.log(JSON.stringify({ asked: queries, heard }));
"""


@pytest.mark.parametrize(
    ("answers", "asked", "heard"),
    [
        ([CLOSED], [""], []),
        ([FAILS], [""], []),
        ([STATE, CLOSED], ["", "?seen=1"], [3, None]),
        ([STATE, AWAY, AWAY, LATER, CLOSED], ["", "?seen=1", "", "", "?seen=2"], [3, 4, None]),
        ([STATE, *[AWAY] * 11], ["", "?seen=1", *[""] * 10], [3, None]),
    ],
)
def test_a_room_that_is_away_for_a_moment_is_found_again(answers, asked, heard):
    """Catches a lost vote after one lost packet, a deck that asks for ever, or where no room is."""
    assert in_node(SCRIPT, answers) == {"asked": asked, "heard": heard}
