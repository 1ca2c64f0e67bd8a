"""A term's file: written once, read strictly, and its rules for points and late work."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from course_utils.classroom.term import Term, new_term, read_term
from tests.command_line import course


@pytest.fixture
def term_file(tmp_path):
    """Make a term."""
    return new_term(tmp_path / "rnn-2027", ["2", "03"])


def changed(term_file, old: str, new: str) -> Term:
    """Return the term after a change of its file."""
    text = term_file.read_text(encoding="utf-8")
    assert text.count(old) == 1
    term_file.write_text(text.replace(old, new), encoding="utf-8")
    return read_term(term_file.parent)


def test_a_new_term_can_be_read(term_file):
    """Catches a template that its own reader refuses, and a lecture left without its digits."""
    term = read_term(term_file.parent)
    assert (term.name, term.lectures) == ("rnn-2027", ("02", "03"))
    assert term.counted("02") == [f"2.{k}" for k in range(1, 9)]
    assert (term.worth("2.6"), term.share("ok"), term.share("wrong")) == (1.0, 1.0, 0.0)


def test_every_term_draws_its_own_inputs(tmp_path):
    """Catches one seed for all classes, which last year's students know."""
    seeds = {read_term(new_term(tmp_path / name).parent).seed for name in "abc"}
    assert len(seeds) == 3


def test_a_term_is_never_written_again(tmp_path, term_file, capsys, monkeypatch):
    """Catches a second `term new` that takes away points and the seed."""
    before = term_file.read_bytes()
    monkeypatch.chdir(tmp_path)
    assert course("term", "new", "rnn-2027") == 1
    assert "is a term already" in capsys.readouterr().err
    assert term_file.read_bytes() == before
    assert course("term", "new", "other", "--lectures", "5, 7") == 0
    assert read_term(tmp_path / "other").lectures == ("05", "07")


def test_points_and_choice(term_file):
    """Catches an exercise at 0 points that still counts, and points that everybody gets alike."""
    term = changed(term_file, '# "2.6" = 3\n# "2.4" = 0', '"2.6" = 3\n"2.4" = 0')
    assert "2.4" not in term.counted("02")
    assert term.worth("2.6") == 3


@pytest.mark.parametrize(
    ("hours", "kept"),
    [(-5, 1.0), (0, 1.0), (1, 0.9), (24, 0.9), (25, 0.8), (72, 0.7), (73, 0.0), (10_000, 0.0)],
)
def test_late_work(term_file, hours, kept):
    """Catches a day too many or too few, and late work that is paid for ever."""
    term = read_term(term_file.parent)
    assert term.kept_when_late(timedelta(hours=hours)) == pytest.approx(kept)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('versions = "last"', 'versions = "first"', "'first'"),
        ('"wrong" = 0.0', '"wrong" = 1.5', "between 0 and 1"),
        ('"wrong" = 0.0', '"wrongg" = 0.5', "'wrongg'"),
        ("default = 1", "default = true", "should be a number"),
        ('# "2.4" = 0', '"2.44" = 0', "'2.44'"),
        ("per_day = 0.1", "per_week = 0.1", "'per_week'"),
        ('# "02" = 2027', '"02" = 2027-03-04T23:59:00 #', "time zone"),
        ('lectures = ["02", "03"]', 'lectures = ["2"]', "'2'"),
        ("[late]", "[latte]", "'latte'"),
        ("default = 1", "default = ", "value"),
        ("default = 1", 'default = 1\n[own]\n"2.9" = {lecture = "02"}', "own.1"),
    ],
)
def test_a_slip_is_named(term_file, old, new, says):
    """Catches a misspelt entry that is silently nothing, found when the grades are out."""
    with pytest.raises(ValueError, match=r"term\.toml: ") as raised:
        changed(term_file, old, new)
    assert says in str(raised.value)


def test_a_due_date_and_an_own_exercise(term_file):
    """Catches dates and own exercises that are read and then forgotten."""
    term = changed(
        term_file,
        '# "02" = 2027-03-04T23:59:00+01:00',
        '"02" = 2027-03-04T23:59:00+01:00\n[own]\n"own.1" = {lecture = "02", reserved = true}',
    )
    assert term.due["02"] == datetime(2027, 3, 4, 22, 59, tzinfo=UTC)
    assert term.own["own.1"].reserved
    assert term.counted("02")[-1] == "own.1"
    assert "own.1" not in term.counted("03")


def test_without_a_term_it_says_what_to_do(tmp_path):
    """Catches a traceback where somebody stands in the wrong folder."""
    with pytest.raises(FileNotFoundError, match="course term new NAME"):
        read_term(tmp_path)
