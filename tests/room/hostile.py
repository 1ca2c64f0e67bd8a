"""Clients who wish a room ill: floods, slow bodies, large votes, markup, replays, garbage."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

TEN_MEGABYTES = b"turn=1&answer=" + bytes(10_000_000)
HURT = (OSError, asyncio.IncompleteReadError, ValueError, KeyError, TypeError)


async def flood(reach, drawn):
    """Ask for pages as fast as they come."""
    phone = await reach(joined=False)
    while True:
        await phone.say("GET", f"/{phone.code}")


async def slow_lines(reach, drawn):
    """Begin a request and never end it."""
    phone = await reach(joined=False)
    for letter in "GET / HTTP/1.1\r\nX: " + "x" * 1000:
        phone.writer.write(letter.encode())
        await phone.writer.drain()
        await asyncio.sleep(0.05)


async def slow_body(reach, drawn):
    """Promise a body and send a letter now and then."""
    phone = await reach(joined=False)
    way = f"POST /{phone.code}/vote HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n"
    phone.writer.write(way.encode())
    while True:
        phone.writer.write(b"x")
        await phone.writer.drain()
        await asyncio.sleep(0.05)


async def large_votes(reach, drawn):
    """Send ten megabytes as a vote."""
    phone = await reach()
    while True:
        with suppress(*HURT):  # the room hangs up
            await phone.say("POST", f"/{phone.code}/vote", TEN_MEGABYTES)
        phone.writer.close()
        await phone.connect()
        await asyncio.sleep(0.05)


async def markup(reach, drawn):
    """Answer with markup, with other people's fields, with nothing."""
    phone = await reach()
    while True:
        for answer in ("<script>alert(1)</script>", "#0&answer=#1", "", "\0", "#999", "'; --", "𝕏"):
            status, _ = await phone.vote(answer)
            assert status in (409, 422, 429)


async def replays(reach, drawn):
    """Send one right vote of one's own for the question before, again and again."""
    phone = await reach()
    phone.turn -= 1
    while True:
        status, _ = await phone.vote("#3")
        assert status in (409, 429)


async def forged_cookies(reach, drawn):
    """Vote under cookies that one has made up."""
    phone = await reach()
    name = phone.cookie.split("=")[0]
    while True:
        phone.cookie = f"{name}={drawn.randbytes(24).hex()}"
        status, _ = await phone.vote("#3")
        assert status == 403


async def forged_codes(reach, drawn):
    """Try other rooms, and this room's desk."""
    phone = await reach(joined=False)
    while True:
        code = "".join(drawn.choices("BCDFGHJKLMNPQRSTVWXZ", k=4))
        way = drawn.choice([f"/{code}", f"/{phone.code}/desk", f"/{code}/desk", "/rooms"])
        status, _, _ = await phone.say("GET", way, Authorization=f"Bearer {drawn.random()}")
        assert status in (404, 405) or code == phone.code


async def garbage(reach, drawn):
    """Speak WebSocket, HTTP/0, bytes."""
    while True:
        phone = await reach(joined=False)
        opening = f"GET /{phone.code}/now?seen=0 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\n"
        websocket = (
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n\r\n"
        )
        phone.writer.write(drawn.choice([
            drawn.randbytes(300), (opening + websocket).encode() + drawn.randbytes(300),
            b"GET\r\n\r\n", b"\r\n" * 100, b"POST / HTTP/9.9\r\nContent-Length: -1\r\n\r\n",
            b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 5000 + b"\r\n",
        ]))  # fmt: skip
        with suppress(*HURT):
            async with asyncio.timeout(0.3):
                await phone.reader.read()
        phone.writer.close()


async def leaves(reach, drawn):
    """Wait for a question and go away."""
    while True:
        phone = await reach(joined=False)
        phone.writer.write(f"GET /{phone.code}/now?seen=2 HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        await asyncio.sleep(0.02)
        phone.writer.close()


KINDS = [flood, slow_lines, slow_body, large_votes, markup, replays, forged_cookies, forged_codes,
         garbage, leaves]  # fmt: skip


async def again_and_again(kind, reach, seed):
    """Be hostile until the test is over; what a room refuses to talk to begins anew."""
    drawn = random.Random(seed)
    while True:
        with suppress(*HURT):
            await kind(reach, drawn)
        await asyncio.sleep(0.01)


@asynccontextmanager
async def a_hostile_crowd(reach) -> AsyncIterator[None]:
    """Let forty be hostile meanwhile, each to the end; `reach` brings them a phone."""
    crowd = [
        asyncio.create_task(again_and_again(kind, reach, seed))
        for seed in range(4)
        for kind in KINDS
    ]
    yield
    at_work = [client for client in crowd if not client.done()]
    for client in crowd:
        client.cancel()
    await asyncio.gather(*crowd, return_exceptions=True)
    assert len(at_work) == len(crowd) == 40
