"""The process of `course room`: open a room, show how to reach it, close it at Ctrl-C."""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path

from course_utils.room.address import own_addresses
from course_utils.room.asked import Asked
from course_utils.room.ballot import Room
from course_utils.room.calls import Unreachable, ask
from course_utils.room.counts import note_counts
from course_utils.room.qr import as_text, qr_code
from course_utils.room.rooms import Rooms
from course_utils.room.server import listen
from course_utils.room.whereabouts import Whereabouts, leave_note, take_away

TRIAL = Asked("try", "Do you see this page?", ["yes", "no"], "choice", "")
FAILED = """No phone has come. If one is on this network and sees no page:
- the network keeps its guests apart (eduroam and most campus networks do). Then
  - open an access point of your own, a travel router or, for ten phones, this laptop's hotspot;
    phones must be told to stay on a network without internet
  - or use a relay: course room --relay https://... (docs/room.md)
- or this laptop's firewall refuses port {port}: allow it for private networks
- or count hands: the key v in the slides, and `course cards`; no network is needed"""
FAILED_AT = """No phone has come to the relay. If one shows another page, or none:
- is it online, and does its address begin like the one above?
- or count hands: the key v in the slides, and `course cards`; no network is needed"""
LOOPBACK = ("127.0.0.1", "::1")
LOOK_AGAIN = 1.0  # seconds
BEYOND_REACH = (
    "This laptop is on no network. Open a hotspot, use a relay, or count hands: the key v."
)


async def run_here(
    port: int, address: str, per_address: int, counts: Path | None, trying: bool
) -> None:
    """Serve a room to the phones of this network until Ctrl-C."""
    _prepare()
    rooms = Rooms()
    room = rooms.add(Room(per_address))
    port = listen(rooms, port).port
    if counts:
        room.closed = partial(note_counts, counts)
    own = own_addresses()
    seen = address or next(iter(own), "")
    trial = Trial({*own, *LOOPBACK, address})
    if trying:
        rooms.arrived = trial.note
        room.open(TRIAL)
    if not seen:
        print(BEYOND_REACH)
    where = Whereabouts(
        f"http://127.0.0.1:{port}", f"http://{seen or '127.0.0.1'}:{port}", room.code, room.key
    )
    await _hold_open(
        where, tell_of_phones(trial.reached.wait(), FAILED.format(port=port)) if trying else None
    )


async def run_relay(port: int, password: str) -> None:
    """Serve rooms of laptops elsewhere, behind a proxy on this machine, until Ctrl-C."""
    _prepare()
    port = listen(Rooms(password), port, address="127.0.0.1", behind_proxy=True).port
    print(f"relay on 127.0.0.1:{port}; Ctrl-C ends it", flush=True)
    await _interrupted()


async def run_at(relay: str, password: str, trying: bool) -> None:
    """Have a room opened at a relay, and closed there at Ctrl-C."""
    said = await asyncio.to_thread(ask, f"{relay}/rooms", password, {})
    where = Whereabouts(relay, relay, said["code"], said["key"])
    desk = partial(ask, f"{relay}/{where.code}/desk", where.key)
    try:
        if trying:
            await asyncio.to_thread(desk, {"do": "open", "asked": TRIAL._asdict()})
        await _hold_open(where, tell_of_phones(_first_at(desk), FAILED_AT) if trying else None)
    finally:
        await asyncio.to_thread(desk, {"do": "end"})


async def _first_at(desk: Callable[[], dict[str, object]]) -> None:
    """Wait until somebody is in a room elsewhere."""
    while not (await asyncio.to_thread(desk))["people"]:
        await asyncio.sleep(LOOK_AGAIN)


async def _hold_open(
    where: Whereabouts, meanwhile: Coroutine[object, object, None] | None = None
) -> None:
    """Say how to reach the room; lead this person's JupyterLab to it until Ctrl-C."""
    link = f"{where.address}/{where.code}"
    leave_note(where)
    print(
        f"{as_text(qr_code(link))}\n\n{link}\n\nRoom {where.code}. In the slides press v; ", end=""
    )
    print("in a student's notebook: COURSE_ROOM=" + link + "\nCtrl-C closes the room.", flush=True)
    telling = asyncio.ensure_future(meanwhile) if meanwhile else None
    try:
        await _interrupted()
    finally:
        take_away(where)
        if telling:
            telling.cancel()
    print("The room is closed.")


class Trial:
    """Whether a phone comes; this laptop's own browser always gets through, and proves nothing."""

    def __init__(self, own: set[str]) -> None:
        self.own = own
        self.reached = asyncio.Event()

    def note(self, address: str) -> None:
        """Note a visitor."""
        if address not in self.own:
            self.reached.set()
        elif not self.reached.is_set():
            print("That was this laptop itself; now try a phone.", flush=True)


async def tell_of_phones(
    coming: Coroutine[object, object, object], advice: str, patience: float = 60.0
) -> None:
    """Say when a phone has come, or what to do when none has."""
    print("Open this address with a phone ...", flush=True)
    phone = asyncio.ensure_future(coming)
    try:
        await asyncio.wait([phone], timeout=patience)
        if not phone.done():
            print(advice, flush=True)
        await phone
    except Unreachable as problem:
        print(problem, flush=True)
    else:
        print("A phone has reached the room: this way works.", flush=True)
    finally:
        phone.cancel()


async def _interrupted() -> None:
    """Wait for Ctrl-C, or for the system's word to end."""
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(sign, over.set)
        except NotImplementedError:  # Windows: Ctrl-C cancels us instead
            signal.signal(sign, lambda *_: loop.call_soon_threadsafe(over.set))
    await over.wait()


def _prepare() -> None:
    """Raise the number of open files to what this user may have; print no address."""
    logging.getLogger("tornado").setLevel(logging.CRITICAL)
    if sys.platform != "win32":
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = 8192 if most == resource.RLIM_INFINITY else min(most, 8192)
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
