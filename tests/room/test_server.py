"""Phones over the wire: they see a question at once, their votes count; nothing else is there."""

from __future__ import annotations

import ast
import asyncio
import re
from pathlib import Path

from course_utils import room as package
from course_utils.room import server
from tests.room.phones import CHOICE, NUMBER, in_a_loop
from tests.room.served import served

PACKAGE = Path(package.__file__).parent
FORM = "application/x-www-form-urlencoded"


@in_a_loop
async def test_a_vote_from_the_first_phone_to_the_wall():
    """Catches a question that phones do not hear of, a lost vote, a count before its time."""
    async with served() as here:
        presenter = await here.presenter()
        phones = [await here.phone() for _ in range(30)]
        waiting = [asyncio.create_task(phone.now()) for phone in phones]
        watching = asyncio.create_task(presenter_sees(here, 30))
        await presenter.ask(do="open", asked=CHOICE)
        async with asyncio.timeout(15):  # sooner than anybody asks again by themselves
            states = await asyncio.gather(*waiting)
        assert {state["question"] for state in states} == {"Which?"}
        told = await asyncio.gather(*(phone.vote(f"#{at % 3}") for at, phone in enumerate(phones)))
        assert {status for status, _ in told} == {200}
        assert (await watching)["round"] == {"counts": [10, 10, 10, 0]}
        waiting = [asyncio.create_task(phone.now()) for phone in phones]
        assert await presenter.ask(do="close") == {"round": {"counts": [10, 10, 10, 0]}}
        assert not any(state["open"] for state in await asyncio.gather(*waiting))
        status, said = await phones[0].vote("#1")
        assert (status, said["says"]) == (409, "this vote is closed")


async def presenter_sees(here, answers):
    """Wait as the deck does until a number of answers is told."""
    presenter = await here.presenter()
    state = await presenter.state()
    while state["answers"] < answers:
        state = await presenter.state(state["seen"])
    return state


@in_a_loop
async def test_the_page_is_small_whole_and_its_own():
    """Catches a page that needs a network beyond the room, or a phone of this year."""
    async with served() as here:
        phone = await here.phone(joined=False)
        page = (await phone.join()).decode()
        assert len(page.encode()) < 15_000
        assert not re.search(r"https?://|src=|@import|url\(", page)
        assert "{" + "script}" not in page
        script = (PACKAGE / "page" / "phone.js").read_text()
        young = r"=>|`|\b(let|const|class|async|await|fetch|Promise)\b|\?\.|\?\?|\.\.\.\w"
        assert not re.search(young, re.sub(r"//.*|/\*[\s\S]*?\*/|\"[^\"]*\"", "", script))


@in_a_loop
async def test_the_presenter_hears_of_who_comes_and_of_no_page_that_was_only_loaded():
    """Catches "12 of 2,000" after one script has loaded a page 2,000 times; a count that stays."""
    async with served() as here:
        presenter = await here.presenter()
        state = await presenter.state()
        watching = asyncio.create_task(presenter.state(state["seen"]))
        for _ in range(5):
            await (await here.phone(joined=False)).join()
        assert here.room.people == 0
        assert not watching.done()
        phone = await here.phone()
        async with asyncio.timeout(15):
            assert (await watching)["people"] == 1
        await phone.now(-1)
        await phone.say("GET", f"/{phone.code}", Accept="text/html")
        assert here.room.people == 1


@in_a_loop
async def test_it_works_without_a_script():
    """Catches a phone whose browser is too old for any script, and one whose cookie is shared."""
    async with served() as here:
        await (await here.presenter()).ask(do="open", asked=CHOICE)
        phone = await here.phone(joined=False)
        page = (await phone.join()).decode()
        assert page.count('name="answer"') == 4
        turn = re.search(r'name="turn" value="(\d+)"', page)[1]
        body = f"turn={turn}&answer=%232".encode()
        way = f"/{phone.code}/vote"
        status, headers, _ = await phone.say(
            "POST", way, body, Accept="text/html", Content_Type=FORM
        )
        assert (status, headers["Location"]) == (303, f"../{phone.code}")
        _, _, page = await phone.say("GET", f"/{phone.code}", Accept="text/html")
        assert re.findall(r'class="choice( chosen)?"', page.decode()) == ["", "", " chosen", ""]
        assert here.room.round() == {"counts": [0, 0, 1, 0]}


@in_a_loop
async def test_text_from_outside_stays_text():
    """Catches a question or an answer that becomes part of a page."""
    evil = '"><script>alert(1)</script>{nonce}{style}'
    asked = {**CHOICE, "question": evil, "options": [evil, "</script>"]}
    async with served() as here:
        presenter = await here.presenter()
        await presenter.ask(do="open", asked=asked)
        phone = await here.phone(joined=False)
        page = (await phone.join()).decode()
        assert page.count("<script") == 1
        assert "alert(1)&lt;/script&gt;{nonce}{style}" in page
        _, headers, _ = await phone.say("GET", f"/{phone.code}", Accept="text/html")
        nonce = re.search("script-src 'nonce-(.+?)'", headers["Content-Security-Policy"])[1]
        assert nonce not in page, "each page has its own"
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        await presenter.ask(do="open", asked={**NUMBER, "unit": "<i>"})
        _, _, page = await phone.say("GET", f"/{phone.code}", Accept="text/html")
        assert b"<i>" not in page


@in_a_loop
async def test_only_the_key_opens_the_desk():
    """Catches a student who opens, closes or reads a vote."""
    async with served() as here:
        phone = await here.phone()
        right = f"Bearer {here.room.key}"
        for given in ("", "Bearer ", right[:-1], right + "x", right.lower(), "é", f"Basic {right}"):
            for method, body in (("GET", b""), ("POST", b'{"do": "close"}')):
                way = f"/{phone.code}/desk"
                status, _, _ = await phone.say(method, way, body, Authorization=given)
                assert status == 404, given
        status, _, _ = await phone.say("POST", "/rooms", b"{}", Authorization="Bearer ")
        assert status == 404, "no password: nobody opens rooms here"


@in_a_loop
async def test_a_wrong_code_leads_nowhere_and_says_so():
    """Catches a room that anybody finds without its letters."""
    async with served() as here:
        phone = await here.phone(joined=False)
        other = "BBBB" if here.room.code != "BBBB" else "CCCC"
        for path in (f"/{other}", f"/?code={other}"):
            _, _, page = await phone.say("GET", path, Accept="text/html")
            assert f"There is no room {other}." in page.decode()
        _, headers, _ = await phone.say("GET", f"/?code={phone.code.lower()}", Accept="text/html")
        assert headers["Location"] == phone.code
        status, _, _ = await phone.say("GET", f"/{phone.code.lower()}", Accept="text/html")
        assert status == 200, "letters are typed as they come"


@in_a_loop
async def test_the_greediest_loses_its_oldest_connections(monkeypatch):
    """Catches one student's thousand connections that keep everybody else out."""
    monkeypatch.setattr(server, "MOST_CONNECTIONS", 12)
    async with served() as here:
        early = await here.phone(source="127.0.0.2")
        greedy = [await here.phone(joined=False, source="127.0.0.3") for _ in range(30)]
        late = await here.phone(source="127.0.0.4")
        await early.now(-1)
        await late.now(-1)
        async with asyncio.timeout(5):  # sooner than they would be closed for saying nothing
            for phone in greedy[:5]:
                assert await phone.reader.read() == b""
        assert len(here.server.streams) <= 12


@in_a_loop
async def test_nothing_is_printed_about_who_was_there(capfd, caplog):
    """Catches an address, a cookie or an answer in a log."""
    async with served() as here:
        await (await here.presenter()).ask(do="open", asked=NUMBER)
        phone = await here.phone(source="127.0.0.9")
        await phone.vote("0.125")
        await phone.say("GET", "/nowhere", b"x")
        phone.writer.write(b"\0\0\0\r\n\r\n")
        await phone.reader.read()
    printed = "".join(capfd.readouterr()) + caplog.text.replace("Malformed HTTP", "")
    assert "0.125" not in printed
    assert "voter" not in printed


def test_a_room_has_no_way_to_jupyter():
    """Catches an import by which phones come nearer to kernels, files and tokens."""
    imported = set()
    for path in PACKAGE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add(node.module)
    near = re.compile(
        r"jupyter|notebook|nbformat|ipykernel|IPython|subprocess|zmq|pickle|importlib"
    )
    assert not [name for name in imported if near.match(name)]
    routes = server.application(None).wildcard_router.rules
    paths = sorted(rule.matcher.regex.pattern for rule in routes)
    assert paths == sorted(
        ["/$", "/rooms$", *(rf"/([A-Za-z]{{4}}){part}$" for part in
                            ("", "/now", "/vote", "/question", "/desk"))]
    )  # fmt: skip
