"""What is solved is kept on disk, whole, over restarts and kernels, and never in the repository."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest
from typer.testing import CliRunner

from course_utils.checks import check, lecture_calls
from course_utils.checks.find_exercise import all_exercises, find
from course_utils.checks.progress import in_short, keep_solved, progress, read_progress
from course_utils.checks.progress_file import BEFORE, progress_file
from course_utils.cli import app


@pytest.fixture
def shown(monkeypatch):
    notes = []
    monkeypatch.setattr(lecture_calls, "display", lambda note: notes.append(repr(note)))
    return notes


def wrong(*arguments):
    return "wrong"


def test_a_right_answer_is_kept_and_told(shown):
    """Catches progress that a wrong answer makes, that a check keeps to itself or counts twice."""
    total = sum(map(len, read_progress().lectures.values()))
    check("0.1", wrong)
    assert f"(0 of {total} solved; 00: 0 of 1)" in shown[-1]
    check("0.1", find("0.1")[1].reference)
    first = progress_file().read_text().replace("20", "19")  # a century earlier
    progress_file().write_text(first)
    check(0.1, find("0.1")[1].reference)
    assert progress_file().read_text() == first
    assert f"1 of {total} solved; 00: 1 of 1)" in shown[-1]
    check("1.1", wrong)
    assert f"1 of {total} solved; 01: 0 of " in shown[-1]
    assert list(json.loads(progress_file().read_text())["solved"]) == ["one_step"]


def test_progress_lies_with_the_user_or_where_it_is_told(monkeypatch, tmp_path, shown):
    """Catches a file in the repository, one that cannot be moved, and a word where none is kept."""
    monkeypatch.delenv("COURSE_PROGRESS")
    usual = progress_file()
    assert usual.name == "progress.json"
    assert Path(__file__).resolve().parents[2] not in usual.parents
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "a" / "b.json"))
    keep_solved("0.1")
    assert (tmp_path / "a" / "b.json").is_file()
    monkeypatch.setenv("COURSE_PROGRESS", "off")
    check("0.1", find("0.1")[1].reference)
    assert shown == ["✓ Exercise 0.1: Correct, values and shapes."]


def test_numbers_of_an_earlier_file_mean_what_they_meant():
    """Catches an exercise that counts as solved because another one once had its number."""
    then = ("0.1", "1.1", "1.9", "2.5", "2.6", "2.8", "3.3", "4.4", "9.9")
    content = {"version": 1, "solved": dict.fromkeys(then, "2026-03-14")}
    progress_file().write_text(json.dumps(content))
    assert [*read_progress().solved] == ["0.1", "1.9", "2.4", "2.7", "2.8", "3.6", "4.2"]
    keep_solved("1.1")
    assert [*read_progress().solved][:3] == ["0.1", "1.1", "1.9"]
    assert json.loads(progress_file().read_text())["solved"]["clip"] == "2026-03-14"


def test_no_two_exercises_have_one_function():
    """Catches an exercise that counts as solved with another one, and a function that none has."""
    functions = [exercise.function for _, exercise in all_exercises().values()]
    assert len({*functions}) == len(functions)
    assert {*BEFORE.values()} <= {*functions, ""}


def test_a_stop_while_writing_leaves_the_old_file_whole(monkeypatch):
    """Catches half a file, and a temporary one left behind."""
    keep_solved("0.1")

    def stop(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", stop)
    assert "No space left" in keep_solved("1.1")
    assert list(read_progress().solved) == ["0.1"]
    assert [path.name for path in progress_file().parent.iterdir()] == [progress_file().name]


def test_threads_of_one_kernel_lose_nothing():
    """Catches a lock that holds between processes only: a page may ask in several threads."""
    numbers = [number for row in read_progress().lectures.values() for number in row]
    threads = [threading.Thread(target=keep_solved, args=[number]) for number in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [*read_progress().solved] == numbers


def test_the_terminal_shows_the_same():
    """Catches `course progress` that counts something else than a lecture does."""
    keep_solved("0.1")
    told = CliRunner().invoke(app, ["progress"])
    assert told.exit_code == 0
    assert told.output.strip() == repr(read_progress())
    assert told.output.startswith("00   ●")
    assert told.output.splitlines()[-1] == f"1 of {len(all_exercises())} solved"
    where = CliRunner().invoke(app, ["progress", "--where"]).output
    assert where.strip() == str(progress_file())


def test_a_lecture_shows_the_same(capsys):
    """Catches `progress()` that shows nothing."""
    keep_solved("0.1")
    progress()
    assert capsys.readouterr().out.strip() == repr(read_progress())


def test_lines_name_what_comes_next():
    """Catches a lecture whose solved exercise is still the next one."""
    keep_solved("1.1")
    (row,) = [line for line in read_progress().lines() if line.startswith("01")]
    assert "●○" in row
    assert "next: 1.2" in row
    assert in_short("1.1").count("of") == 2
