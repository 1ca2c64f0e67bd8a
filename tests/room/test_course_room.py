"""`course room` as a process of its own: here, as a relay, and through one."""

from __future__ import annotations

import asyncio
import json
import stat
import sys

import pytest

from course_utils.room import whereabouts
from course_utils.room.qr import as_text, qr_code
from course_utils.room.serve import FAILED, Trial, tell_of_phones
from course_utils.room.whereabouts import NotOurs, Whereabouts, leave_note, read_note, take_away
from tests.command_line import course
from tests.room.phones import CHOICE, Phone, RoomProcess, in_a_loop

PASSWORD = "sixteen letters and more"
posix = pytest.mark.skipif(sys.platform == "win32", reason="ends a process by a signal")


async def one_vote(room, source="127.0.0.1"):
    """Ask a room, let one phone answer, close; return the counts."""
    presenter = await room.presenter()
    phone = await Phone.reach(room.port, room.where.code, source=source)
    await phone.join()
    await phone.now(-1)
    await presenter.ask(do="open", asked=CHOICE)
    await phone.now(-1)
    assert (await phone.vote("#1"))[0] == 200
    return (await presenter.ask(do="close"))["round"]["counts"]


@posix
@in_a_loop
async def test_a_room_opens_says_how_to_come_and_leaves_nothing(tmp_path):
    """Catches a trial that does not notice a phone, a QR code of another address, a note left."""
    with RoomProcess(tmp_path, "--try", f"--counts={tmp_path / 'counts'}") as room:
        link = f"{room.where.address}/{room.where.code}"
        said = room.log.read_text()
        assert as_text(qr_code(link)) in said
        assert f"\n{link}\n" in said
        assert "A phone has reached" not in said
        assert stat.S_IMODE(room.note.stat().st_mode) == 0o600
        assert await one_vote(room) == [0, 1, 0, 0]
        await asyncio.to_thread(room.wait_for, "That was this laptop itself")
        assert "A phone has reached" not in room.log.read_text()
        await one_vote(room, source="127.0.0.5")
        await asyncio.to_thread(room.wait_for, "A phone has reached the room")
    assert room.process.returncode == 0
    assert "The room is closed." in room.log.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["room.log"]


@posix
@in_a_loop
async def test_phones_and_laptop_meet_at_a_relay(tmp_path):
    """Catches a laptop that a relay does not let in, or a room that outlives its lecture there."""
    (tmp_path / "relay").mkdir()
    key = {"COURSE_RELAY_KEY": PASSWORD}
    with RoomProcess(tmp_path / "relay", "--as-relay", **key) as relay:
        port = int(relay.log.read_text().split("127.0.0.1:")[1].split(";")[0])
        with RoomProcess(tmp_path, "--try", f"--relay=http://127.0.0.1:{port}", **key) as room:
            assert room.where.address == f"http://127.0.0.1:{port}"
            assert await one_vote(room) == [0, 1, 0, 0]
            await asyncio.to_thread(room.wait_for, "A phone has reached the room")
            presenter = await room.presenter()
            _, headers, _ = await presenter.say("GET", f"/{room.where.code}", X_Scheme="https")
            assert "Secure" in headers["Set-Cookie"], "as its proxy speaks TLS with the phone"
        status, _, _ = await presenter.say("GET", f"/{room.where.code}")
        assert status == 404, "the room is closed there too"


def test_a_relay_that_is_away_or_a_weak_password_is_told_in_one_line(monkeypatch, capsys):
    """Catches a traceback in front of a class, a relay that anybody may use, a wish ignored."""
    monkeypatch.setenv("COURSE_RELAY_KEY", PASSWORD)
    assert course("room", "--relay", "http://127.0.0.1:9") == 1
    assert "http://127.0.0.1:9/rooms cannot be reached" in capsys.readouterr().err
    monkeypatch.setenv("COURSE_RELAY_KEY", "short")
    for wish in (["--as-relay"], ["--relay", "http://127.0.0.1:9"]):
        assert course("room", *wish) == 2
        assert "16 letters or more" in " ".join(capsys.readouterr().err.split())
    monkeypatch.setenv("COURSE_RELAY_KEY", PASSWORD)
    for wish in (["--per-address", "4"], ["--counts", "votes.jsonl"]):
        assert course("room", "--as-relay", *wish) == 2
        assert "are for a room on this laptop" in " ".join(capsys.readouterr().err.split())


@in_a_loop
async def test_a_trial_says_what_to_do_when_no_phone_comes(capsys):
    """Catches a lecturer who waits for ever, and the laptop's own browser taken for a phone."""
    trial = Trial({"192.0.2.2"})
    telling = asyncio.create_task(
        tell_of_phones(trial.reached.wait(), FAILED.format(port=8877), patience=0)
    )
    trial.note("192.0.2.2")
    async with asyncio.timeout(10):
        while "firewall refuses port 8877" not in (said := capsys.readouterr().out):
            await asyncio.sleep(0)  # until it has printed
    assert "course room --relay" in said
    assert "`course cards`" in said
    trial.note("192.0.2.7")
    await telling
    assert "this way works" in capsys.readouterr().out


def test_what_cannot_be_served_is_told_before_the_lecture(tmp_path, monkeypatch, capsys):
    """Catches counts that have no folder, and a relay that is no address."""
    monkeypatch.setenv("COURSE_RELAY_KEY", PASSWORD)
    missing = ["--counts", str(tmp_path / "no" / "votes.jsonl")]
    for wish, answer in ((missing, "is no folder"), (["--relay", "vote.example.org"], "https://")):
        assert course("room", *wish) == 2
        assert answer in " ".join(capsys.readouterr().err.split())


def test_the_note_is_replaced_only_where_it_is_one(tmp_path, monkeypatch):
    """Catches somebody's file overwritten or deleted, and another room's note taken away."""
    file = tmp_path / "room.json"
    monkeypatch.setenv("COURSE_ROOM_NOTE", str(file))
    one, other = (Whereabouts("http://127.0.0.1:1", "http://x:1", code, "k") for code in "AB")
    assert read_note() is None
    leave_note(one)
    leave_note(other)
    take_away(one)
    assert read_note() == other
    take_away(other)
    assert not file.exists()
    for theirs in (
        b"mine",
        b"{}",
        b"[]",
        b"x" * (whereabouts.LARGEST + 1),
        json.dumps({"a": 1}).encode(),
    ):
        file.write_bytes(theirs)
        assert read_note() is None
        with pytest.raises(NotOurs, match="not the note of a room"):
            leave_note(one)
        take_away(one)
        assert file.read_bytes() == theirs
