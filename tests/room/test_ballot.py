"""One cookie one vote; whoever sends nonsense, too much or too often changes nothing."""

from __future__ import annotations

import json

import pytest

from course_utils.room import ballot
from course_utils.room.asked import Asked, Refused
from course_utils.room.ballot import Room
from course_utils.room.counts import counts_of, note_counts

CHOICE = Asked("02.b", "Which?", ["linear", "3", "tanh"], "choice", "")
NUMBER = Asked("02.a", "How much?", [], "number", "")
WORDS = Asked("03.d", "Why?", [], "words", "")


class Clock:
    """A clock that a test moves."""

    now = 1000.0

    def __call__(self) -> float:
        """Return the time; it has gone on a little."""
        self.now += 1e-6
        return self.now


@pytest.fixture
def room():
    """Return a room that is asked nothing yet, with a clock of its own."""
    return Room(clock=Clock())


def voted(room: Room, *answers: str) -> list[str]:
    """Let new people answer; return their cookies."""
    people = [room.new_person() for _ in answers]
    for person, answer in zip(people, answers, strict=True):
        room.vote(person, str(room.turn), answer)
    return people


def test_the_last_answer_of_each_counts(room):
    """Catches somebody who counts twice, or cannot change their mind."""
    room.open(CHOICE)
    one, other = voted(room, "#0", "tanh")
    room.vote(one, str(room.turn), "#2")
    assert room.for_phones(one)["mine"] == 2
    assert room.close() == {"counts": [0, 0, 2]}
    assert room.answers == {}, "the owners of answers are forgotten"
    with pytest.raises(Refused, match="closed"):
        room.vote(other, str(room.turn), "#0")


def test_a_second_vote_stands_beside_the_first(room):
    """Catches a vote after the discussion that replaces the one before it, or a third that adds."""
    for answers in (["#0", "#0"], ["#1", "#0"], ["#2"], []):
        room.open(CHOICE)
        voted(room, *answers)
        room.close()
    assert room.rounds["02.b"] == (CHOICE, [{"counts": [2, 0, 0]}, {"counts": [0, 0, 1]}])


@pytest.mark.parametrize(
    ("asked", "text", "means"),
    [
        (CHOICE, "#1", 1), (CHOICE, "3", 1), (CHOICE, "tanh", 2), (NUMBER, "1/1000", 0.001),
        (NUMBER, " 1e-3 ", 0.001), (NUMBER, "20 %", 20), (WORDS, " because ", "because"),
    ],
)  # fmt: skip
def test_what_is_meant_is_understood(room, asked, text, means):
    """Catches an option called 3 taken for the fourth one, and a number in one notation only."""
    assert asked.answer(text) == means


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        *((CHOICE, text) for text in ("#3", "#-1", "0", "", "#1.0", "<b>", "linear tanh")),
        *((NUMBER, text) for text in ("", "much", "1 2", "nan", "inf", "1e101", "9" * 5000, "1/0")),
        *((WORDS, text) for text in ("", "  ", "x" * 201)),
    ],
)
def test_nonsense_is_refused_and_keeps_the_answer_before(room, asked, text):
    """Catches infinity on the wall's axis, an index from the end, a page of text."""
    room.open(asked)
    right = {"choice": "#0", "number": "7", "words": "so"}[asked.kind]
    (person,) = voted(room, right)
    with pytest.raises(Refused) as refused:
        room.vote(person, str(room.turn), text)
    assert refused.value.status == 422
    assert room.answers == {person: asked.answer(right)}


@pytest.mark.parametrize("forge", [
    lambda word: "", lambda word: word[:24], lambda word: word[:-1] + "x", lambda word: word + "x",
    lambda word: "f" * 48, lambda word: "é" * 48, lambda word: Room().new_person(),
])  # fmt: skip
def test_a_made_up_cookie_does_not_vote(room, forge):
    """Catches one vote for each word that somebody thinks of."""
    room.open(CHOICE)
    with pytest.raises(Refused, match="load this page again"):
        room.vote(forge(room.new_person()), str(room.turn), "#0")
    assert room.answers == {}


def test_a_vote_is_for_the_question_that_was_seen(room):
    """Catches a replayed request that answers the next question."""
    room.open(CHOICE)
    seen = str(room.turn)
    (person,) = voted(room, "#0")
    room.close()
    room.open(CHOICE)
    for turn in (seen, "", "-1", "None"):
        with pytest.raises(Refused, match="closed"):
            room.vote(person, turn, "#0")
    assert room.answers == {}


def test_a_flood_from_one_cookie_is_braked_and_forgiven(room):
    """Catches thousands of votes a second, and a phone that is shut out for good."""
    room.open(CHOICE)
    person = room.new_person()
    for _ in range(ballot.VOTES_AT_ONCE):
        room.vote(person, str(room.turn), "#0")
    for _ in range(100):
        with pytest.raises(Refused, match="a moment"):
            room.vote(person, str(room.turn), "#2")
    room.clock.now += 1
    room.vote(person, str(room.turn), "#1")
    assert room.close() == {"counts": [0, 1, 0]}


def test_what_is_kept_is_bounded(room, monkeypatch):
    """Catches a room that grows until the laptop stops, and a newcomer who forgets a vote."""
    monkeypatch.setattr(ballot, "MOST_PEOPLE", 20)
    monkeypatch.setattr(ballot, "MOST_QUESTIONS", 5)
    monkeypatch.setattr(ballot, "MOST_PREDICTIONS", 3)
    for at in range(10):
        room.open(NUMBER._replace(name=f"0.{at}"))
        voted(room, *["1"] * 20)
        with pytest.raises(Refused, match="full"):
            voted(room, "2")
        assert room.close() == {"numbers": [1.0] * 20}
    assert [*room.rounds] == ["0.7", "0.8", "0.9"]
    for at in range(9):
        if at < 5:
            room.question(room.new_person(), "why?")
            continue
        with pytest.raises(Refused, match="too many"):
            room.question(room.new_person(), "why?")
    for _ in range(50):
        room.heard_of(room.new_person())
    assert room.people == 20
    sizes = [
        len(x) for x in vars(room).values() if hasattr(x, "__len__") and not isinstance(x, str)
    ]
    assert max(sizes) <= 32


def test_who_has_gone_is_not_waited_for(room):
    """Catches "31 of 150" when the hundred others have left."""
    stays, goes = room.new_person(), room.new_person()
    room.heard_of(goes)
    room.clock.now += ballot.PRESENT - 1
    room.heard_of(stays)
    assert room.people == 2
    room.clock.now += 2
    assert room.people == 1


def test_phones_never_learn_how_others_answer(room):
    """Catches herding: a distribution, or a count, that a phone could read while it is open."""
    room.open(CHOICE)
    one, _ = voted(room, "#0", "#2")
    assert room.for_phones(one) == {**CHOICE._asdict(), "turn": 1, "open": True, "mine": 0}
    assert room.for_phones("")["mine"] is None


def test_answers_are_kept_in_no_order_of_time(room):
    """Catches the first dot being the first phone."""
    room.open(NUMBER)
    voted(room, "3", "1", "2")
    assert room.close() == {"numbers": [1, 2, 3]}
    room.open(WORDS)
    voted(room, "b", "a")
    assert room.close() == {"words": ["a", "b"]}


def test_a_question_is_for_the_presenter_and_one_at_a_time(room):
    """Catches a flood of questions, one for the wall that nobody has read, one that stays."""
    person = room.new_person()
    room.question(person, " why\n so <b>? ")
    for status, who, text in (
        (429, person, "and?"),
        (403, "x", "?"),
        (422, room.new_person(), " "),
    ):
        with pytest.raises(Refused) as refused:
            room.question(who, text)
        assert refused.value.status == status
    assert [asked["text"] for asked in room.questions] == ["why so <b>?"]
    assert "questions" not in room.for_phones(person)
    room.drop_question(room.questions[0]["id"])
    assert room.questions == []
    room.clock.now += ballot.SECONDS_A_QUESTION
    room.question(person, "and now?")
    assert len(room.questions) == 1


def test_an_address_may_be_given_a_number_of_voters():
    """Catches a script that fetches cookie after cookie, where the presenter forbids it."""
    room = Room(per_address=2)
    room.open(CHOICE)
    people = [room.new_person() for _ in range(3)]
    for person in people[:2]:
        room.vote(person, str(room.turn), "#0", "192.0.2.1")
    with pytest.raises(Refused, match="your address"):
        room.vote(people[2], str(room.turn), "#0", "192.0.2.1")
    room.vote(people[0], str(room.turn), "#1", "192.0.2.1")
    room.vote(people[2], str(room.turn), "#1", "192.0.2.2")
    assert "192" not in repr(vars(room)), "the address itself is not kept"
    assert room.close() == {"counts": [1, 2, 0]}


@pytest.mark.parametrize(
    "said",
    [
        {}, {"kind": "choice"}, {"kind": "choice", "options": ["a"]}, {"kind": "x"}, {"kind": 3},
        {"kind": "choice", "options": ["a"] * 27}, {"kind": "number", "options": ["a", "b"]},
        {"kind": "choice", "options": "ab"}, {"kind": "choice", "options": ["a", 3]},
        {"kind": "number", "question": "x" * 1001}, {"kind": "number", "name": None},
    ],
)  # fmt: skip
def test_what_cannot_be_asked_is_refused(said):
    """Catches a question that every phone would stumble over."""
    with pytest.raises(Refused):
        Asked.read(said)


def test_only_counts_of_five_or_more_are_written_down(tmp_path, capsys):
    """Catches an answer on disk, a count that is somebody's, a vote that a full disk ends."""
    file = tmp_path / "counts.jsonl"
    note_counts(file, NUMBER, {"numbers": [1, 2, 3, 4]})
    assert not file.exists()
    note_counts(file, NUMBER, {"numbers": [-1, 0, 0.003, 0.005, 120.5]})
    note_counts(file, CHOICE, {"counts": [3, 0, 2]})
    assert [json.loads(line) for line in file.read_text().splitlines()] == [
        {"prediction": "02.a", "answers": 5,
         "by": {"below 0": 1, "0": 1, "1e-3 to 1e-2": 2, "1e2 to 1e3": 1}},
        {"prediction": "02.b", "answers": 5, "by": {"linear": 3, "3": 0, "tanh": 2}},
    ]  # fmt: skip
    note_counts(tmp_path, CHOICE, {"counts": [3, 0, 2]})  # a folder cannot be written to
    assert "The counts of 02.b were not kept" in capsys.readouterr().out
    words = counts_of(WORDS, {"words": ["my name is Ann"] * 6})
    assert words == {"prediction": "03.d", "answers": 6, "by": {}}
