"""A prediction on the wall: what the presenter writes, and what a room says, beside the result."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from course_utils.room.whereabouts import Whereabouts
from tests.browser import axe
from tests.browser.deck import Deck
from tests.room.phones import CHOICE, NUMBER, Phone, RoomProcess, in_a_loop

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GUESS, GUESSED = 2, 3  # cells
PATIENCE = 20_000  # milliseconds, half of what a phone has for an answer that never comes
RESTART = "() => window.course.panel.sessionContext.session.kernel.restart()"


@pytest.fixture(scope="module")
def lecture(lab):
    """Open the notebook that asks, once for all tests below."""
    yield lab.open("asking.ipynb").run_all()
    lab.shut()


@pytest.fixture
def deck(lecture):
    """Return its slides, on the first, before anybody has voted."""
    lecture.page.evaluate("() => sessionStorage.clear()")
    with Deck(lecture) as started:
        started.press("Home")
        yield started


def test_a_guess_on_the_wall_is_answered_also_after_a_restart(deck):
    """Catches "you wrote nothing down" on the wall, where the page has run before the guess."""
    page = deck.lab.page
    page.locator(".course-on input").fill("about one half")
    deck.press("Enter", "PageDown")
    said = "you wrote “about one half”; the result is 6\u00a0×\u00a010⁻¹³ at lag 50."
    page.locator(".course-on").get_by_text(said).wait_for()
    page.evaluate(RESTART)
    page.wait_for_function("() => document.querySelector('.course-deck-banner').textContent")
    deck.press("r")
    page.wait_for_function("() => !document.querySelector('.course-deck-banner').textContent")
    deck.lab.settle()
    assert said.replace("\u00a0", " ") in deck.lab.output_of(GUESSED)
    deck.press("PageUp")
    assert page.locator(".course-on input").input_value() == "about one half"
    assert page.locator(".course-on .course-guess").is_hidden()


def spoken(deck) -> str:
    """Return what the panel of a vote says, empty where none covers the slide."""
    panel = deck.lab.page.locator(".course-vote")
    return " ".join(panel.inner_text().split()) if panel.is_visible() else ""


def test_hands_for_choices_stand_beside_the_result(deck):
    """Catches counts that are lost, shown with the answer too early, or not beside the result.

    And a second vote in the place of the first, and a key that leaves the slide under a vote.
    """
    keyboard = deck.lab.page.keyboard
    deck.press("3", "Enter", "v")
    for count in ("3", "12", "5", "10"):
        keyboard.type(count)
        keyboard.press("Enter")
    assert "B ReLU 12 (40%)" in spoken(deck)
    assert "It is" not in spoken(deck)
    assert "✓" not in spoken(deck)
    deck.press("v")  # after they have talked to their neighbours
    for count in ("1", "2", "3"):
        keyboard.type(count)
        keyboard.press("Enter")
    keyboard.type("24")
    deck.press("PageDown")
    assert "D sigmoid 10 (33%), first vote 24 (80%), second vote" in spoken(deck)
    deck.press("PageUp")  # somebody miscounted
    keyboard.press("Shift+Tab")
    deck.lab.page.locator(".course-vote input").last.fill("14")
    deck.press("PageDown")
    deck.press("PageDown")
    assert not spoken(deck)
    assert deck.screen().later == 1
    deck.press("PageDown")
    assert "D sigmoid ✓ 10 (33%), first vote 14 (70%), second vote" in spoken(deck)
    assert "It is the sigmoid, whose slope" in spoken(deck)
    deck.press("PageDown")
    assert not spoken(deck)
    assert deck.screen().later == 0


def test_numbers_of_a_room_stand_beside_the_measured_one(deck):
    """Catches a word taken for a number, a vote that a reload of the page loses, a lost line."""
    keyboard = deck.lab.page.keyboard
    deck.press("v")
    keyboard.type("0.5 x12 0.1 x9 1e-3 x5 1/1000000 x2 4e-13 many")
    assert "not a number: many" in spoken(deck)
    deck.press("PageDown")
    assert "29 guesses, median 0.1" in spoken(deck)
    assert "measured" not in spoken(deck)
    deck.press("PageDown")
    deck.press("PageDown")
    assert "measured: 6 × 10⁻¹³" in spoken(deck)
    assert "29 guesses, median 0.1, 1 within a factor of ten" in spoken(deck)
    deck.press("Escape", "Home")
    assert not spoken(deck)


def test_a_slide_without_a_prediction_says_so(deck):
    """Catches a key that does nothing and says nothing."""
    deck.press("End", "v")
    assert deck.text("banner") == "This slide asks for no prediction."
    assert not spoken(deck)


def test_the_slides_server_tells_a_room_that_is_away_from_none(server):
    """Catches a deck that gives a vote up after one lost packet, and a door without a lock."""
    note, door = server.private / "room.json", f"{server.url}course/room"

    def says():
        with urlopen(Request(door, headers={"Authorization": f"token {server.token}"})) as answer:
            return json.loads(answer.read())

    assert says() == {"room": None, "away": False}
    nobody = Whereabouts("http://127.0.0.1:9", "http://192.0.2.2:9", "BCDF", "k")
    note.write_text(json.dumps(nobody._asdict()))
    assert says() == {"room": None, "away": True}
    note.unlink()
    with pytest.raises(HTTPError) as refused:
        urlopen(door)
    with refused.value as answer:
        assert answer.code == 403


@pytest.fixture
def room(server, tmp_path):
    """Open a room that this JupyterLab's slides find."""
    with RoomProcess(tmp_path, note=server.private / "room.json") as process:
        yield process


@pytest.fixture
def phone(browser, room):
    """Return a telephone that has followed the QR code, and looks for the theme that is asked."""
    context = browser.new_context(viewport={"width": 360, "height": 640})
    page = context.new_page()
    page.goto(f"{room.where.desk}/{room.where.code}")
    yield page
    context.close()


def others_answer(room, *answers):
    """Let one phone after another answer, beside Playwright's own loop."""
    with ThreadPoolExecutor(1) as beside:
        beside.submit(answer, room, *answers).result()


@in_a_loop
async def answer(room, *answers):
    """Join, look at the question, answer, and the next."""
    for text in answers:
        phone = await Phone.reach(room.port, room.where.code)
        await phone.join()
        await phone.now(-1)
        status, said = await phone.vote(text)
        assert status == 200, said


def desk(room, *wishes):
    """Do what a presenter may, beside Playwright's own loop; return the last answer."""

    @in_a_loop
    async def do():
        presenter = await room.presenter()
        for wish in wishes:
            told.append(await presenter.ask(**wish))

    told: list = []
    with ThreadPoolExecutor(1) as beside:
        beside.submit(do).result()
    return told[-1]


def test_a_students_own_notebook_votes(lecture, room):
    """Catches a guess in a notebook that never reaches its room, or that its kernel waits for."""
    page = lecture.page
    link = f"{room.where.desk}/{room.where.code}"
    lecture.ask(f"__import__('os').environ.update(COURSE_ROOM={link!r})")
    lecture.run_cell(GUESS)
    field = page.locator(".course-prediction input[type=text]").first
    field.fill("1/1000")
    field.press("Enter")
    asked = {**NUMBER, "name": "00.a"}
    page.get_by_text("It will count once the room asks this question.").wait_for()
    desk(room, {"do": "open", "asked": asked})
    page.get_by_text("Counted. You can change it until it closes.").wait_for()
    field.fill("1e-6")
    field.press("Enter")
    lecture.run_cell(GUESS)  # again, and this time it stands there
    page.get_by_text("Counted. You can change it until it closes.").wait_for()
    assert desk(room, {"do": "close"}) == {"round": {"numbers": [1e-6]}}
    lecture.ask("__import__('os').environ.pop('COURSE_ROOM')")
    lecture.run_cell(GUESS)
    assert page.locator(".course-prediction").first.locator("> *").count() == 2


def says(deck, words) -> None:
    """Wait until the panel says this."""
    deck.lab.page.locator(".course-vote").get_by_text(words).first.wait_for()


def test_a_room_answers_on_phones_and_sees_only_how_many(deck, room, phone):
    """Catches herding on the wall, a vote that PageDown does not close, a phone left behind.

    And a presenter who sees no distribution, and a question on the wall that nobody has read.
    """
    page = deck.lab.page
    deck.press("3", "Enter")
    with page.expect_popup() as opened:
        deck.press("s")
    presenter = opened.value
    page.bring_to_front()
    deck.press("v")
    says(deck, room.where.code)
    assert (
        page.locator(".course-vote-join svg")
        .get_attribute("aria-label")
        .endswith(f"/{room.where.code}")
    )
    phone.get_by_role("button", name="D sigmoid").click()
    phone.get_by_text("Counted.").wait_for()
    others_answer(room, "#0", "#3", "#1")
    says(deck, "4")
    assert "%" not in spoken(deck)
    presenter.get_by_text("2 (50%)").wait_for()
    phone.get_by_label("A question for the lecturer").fill("Why <b>so</b>?")
    phone.get_by_role("button", name="Send").click()
    presenter.get_by_text("Why <b>so</b>?").wait_for()
    assert "Why" not in page.locator("body").inner_text()
    deck.press("PageDown")
    says(deck, "2 (50%)")
    phone.get_by_text("Closed. Look at the wall.").wait_for()
    presenter.get_by_role("button", name="On the wall").click()
    says(deck, "Why <b>so</b>?")
    presenter.get_by_role("button", name="Remove").click()
    presenter.get_by_text("Why <b>so</b>?").wait_for(state="detached")
    deck.press("PageDown", "v")
    phone.get_by_role("button", name="B ReLU").click()
    says(deck, "1")
    deck.press("PageDown")
    says(deck, "first vote")
    deck.press("PageDown", "PageDown")
    assert "D sigmoid ✓ 2 (50%), first vote 0 (0%), second vote" in spoken(deck)
    room.process.terminate()
    room.process.wait()
    deck.press("PageDown", "PageUp", "v")
    deck.lab.page.locator(".course-vote input").first.wait_for()  # by hands again
    deck.press("Escape", "Escape")
    presenter.close()


def test_a_vote_goes_on_after_the_page_was_loaded_anew(deck, room, phone):
    """Catches answers thrown away by the key that should only show the vote again.

    And a presenter's button that does nothing, and a phone that slept through the next question.
    """
    page = deck.lab.page
    deck.press("3", "Enter")
    options = ["linear", "ReLU", "tanh", "sigmoid"]
    asked = {**CHOICE, "name": "00.b", "options": options}
    desk(room, {"do": "open", "asked": asked})  # as this page did before it was loaded anew
    others_answer(room, "#0", "#1")
    with page.expect_popup() as opened:
        deck.press("s")
    presenter = opened.value
    page.bring_to_front()
    deck.press("v")
    says(deck, "2")
    assert "2 of 3" in spoken(deck)
    lost: list = []
    phone.route("**/now?*", lambda asks: asks.continue_() if lost else lost.append(asks))
    with phone.expect_request("**/now?*"):  # put away: what it asks next is never answered
        deck.press("PageDown")
    says(deck, "1 (50%)")
    deck.press("PageDown")
    desk(room, {"do": "open", "asked": asked})
    phone.evaluate("() => document.dispatchEvent(new Event('visibilitychange'))")
    phone.get_by_role("button", name="A linear").click(timeout=PATIENCE)
    presenter.get_by_text("1 of 3 have answered").wait_for()
    presenter.get_by_role("button", name="Close and show").click()
    says(deck, "1 (100%), second vote")
    deck.press("Escape")
    presenter.close()


def test_phone_and_wall_can_be_read_by_everybody(deck, room, phone):
    """Catches what axe finds on a phone, the wall and the presenter's screen, in both themes.

    And a picture that has no height there.
    """
    if reason := axe.missing():
        pytest.skip(reason)
    for shade in ("Light", "Dark"):
        deck.lab.use_theme(shade)
        phone.emulate_media(color_scheme=shade.lower())
        deck.press("3", "Enter")
        with deck.lab.page.expect_popup() as opened:
            deck.press("s")
        presenter = opened.value
        deck.lab.page.bring_to_front()
        deck.press("v")
        phone.get_by_role("button", name="D sigmoid").click()
        phone.get_by_text("Counted.").wait_for()
        assert axe.violations_in(phone, "html") == []
        says(deck, "have answered")
        assert axe.violations_in(deck.lab.page, ".course-vote") == []
        deck.press("PageDown")
        says(deck, "D")
        assert axe.violations_in(deck.lab.page, ".course-vote") == []
        deck.press("Home", "v")
        phone.get_by_label("One number").fill("1/1000")
        phone.get_by_role("button", name="Send").first.click()
        phone.get_by_text("Counted.").wait_for()
        assert axe.violations_in(phone, "html") == []
        live = presenter.locator(".course-presenter-room svg")
        live.wait_for()
        assert live.bounding_box()["height"] > 100
        assert axe.violations_in(presenter, ".course-presenter-room") == []
        presenter.close()
        for width, height in ((1024, 768), (1920, 1080), (1280, 720)):
            deck.resized(width, height)
            panel = ".course-vote"
            fits = f"() => {{ const p = document.querySelector('{panel}');"
            fits += " return p.scrollHeight <= p.clientHeight && p.scrollWidth <= p.clientWidth; }"
            assert deck.lab.page.evaluate(fits), (width, height)
        deck.press("PageDown", "PageDown")
    deck.lab.use_theme("Light")
