"""Forty who wish a room ill change no count and stop nobody; no route meets a fault of ours."""

from __future__ import annotations

import asyncio
import random
import time

from course_utils.room import server
from tests.room.hostile import HURT, a_hostile_crowd
from tests.room.phones import CHOICE, Phone, in_a_loop
from tests.room.served import served


@in_a_loop
async def test_forty_hostile_clients_change_no_count_and_stop_nobody(capfd):
    """Catches a vote that counts without a right, or one that has to wait for a flood to end."""
    async with served() as here:
        presenter = await here.presenter()
        await presenter.ask(do="open", asked=CHOICE)
        await presenter.ask(do="open", asked=CHOICE)
        waited = []
        async with a_hostile_crowd(here.phone):
            await asyncio.sleep(0.3)
            for at in range(20):
                began = time.monotonic()
                phone = await here.phone()
                status, _ = await phone.vote(f"#{at % 2}")
                waited.append(time.monotonic() - began)
                assert status == 200
        closed = await presenter.ask(do="close")
        assert 20 <= here.room.people <= 20 + 40, "a page that was only loaded is nobody"
    assert closed == {"round": {"counts": [10, 10, 0, 0]}}
    assert max(waited) < 5  # on a busy machine; alone some 0.1 s
    assert "Traceback" not in capfd.readouterr().err


@in_a_loop
async def test_who_sends_too_slowly_is_let_go(monkeypatch):
    """Catches connections that stay open for ever, a letter at a time."""
    monkeypatch.setattr(server, "SLOWEST", 0.2)
    post = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nx"
    async with served() as here:
        for begun in (b"GET / HTTP/1.1\r\nHost: x\r\nX: ", post, b""):
            phone = await here.phone(joined=False)
            phone.writer.write(begun)
            async with asyncio.timeout(20):
                await phone.reader.read()


@in_a_loop
async def test_nobody_waits_for_who_has_gone():
    """Catches a task for each phone that was closed, until the next question."""
    async with served() as here:
        before = len(asyncio.all_tasks())
        for _ in range(20):
            phone = await here.phone()
            way = f"GET /{phone.code}/now?seen={phone.turn} HTTP/1.1\r\nHost: x\r\n\r\n"
            phone.writer.write(way.encode())
            await phone.writer.drain()
            phone.writer.close()
        async with asyncio.timeout(10):
            while len(asyncio.all_tasks()) > before + 2:
                await asyncio.sleep(0.01)


# fmt: off
WAYS = ("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH", "TRACE", "X")
PIECES = ("", "/", "now", "vote", "question", "desk", "rooms", "..", "%2e%2e", "%00", "?seen=%ff",
          "?seen=" + "9" * 500, "?code=%00", "\\", ";", "etc/passwd", "é", "?" + "a=b&" * 300)
BODIES = (b"", b"{}", b"[]", b"null", b'{"do": "open"}', b'{"do": "open", "asked": []}', b"\xff",
          b"turn=1&answer=%ff", b"a=b&" * 2000, b'{"do": "drop", "id": {}}')
HEADERS = ({}, {"Cookie": "voter=\x01\x02; ;=;"},
           {"Content_Type": "multipart/form-data; boundary=x"},
           {"Content_Type": "application/x-www-form-urlencoded"}, {"Accept": "text/html"},
           {"Transfer_Encoding": "chunked"}, {"Content_Encoding": "gzip"},
           {"X_Forwarded_For": "1.2.3.4"})
# fmt: on


@in_a_loop
async def test_no_request_meets_a_fault_of_ours(capfd, record_property):
    """Catches a 500, a file by way of "..", a room that a request has brought to its end."""
    drawn = random.Random(0)
    async with served() as here:
        await (await here.presenter()).ask(do="open", asked=CHOICE)
        phone = await here.phone()
        for _ in range(300):
            code = drawn.choice([here.room.code, "", "....", "BCDF"])
            path = "/" + "/".join([code, *drawn.choices(PIECES, k=drawn.randrange(3))])
            headers = dict(drawn.choice(HEADERS))
            if drawn.random() < 0.3:
                headers["Authorization"] = f"Bearer {here.room.key}"
            status = await answered(phone, drawn.choice(WAYS), path, drawn.choice(BODIES), headers)
            assert status < 500, (path, headers)
        assert (await (await here.phone()).now(-1))["turn"] == here.room.turn
    record_property("drawn_cases", 300)
    assert "Traceback" not in capfd.readouterr().err


async def answered(phone: Phone, way: str, path: str, body: bytes, headers: dict[str, str]) -> int:
    """Return the status of an answer; 0 where the room ends the conversation, or waits."""
    try:
        async with asyncio.timeout(0.1):
            status, _, _ = await phone.say(way, path, body, **headers)
    except (*HURT, TimeoutError):
        phone.writer.close()
        await phone.connect()
        return 0
    if way == "HEAD":
        phone.writer.close()
        await phone.connect()
    return status
