"""`course data` and `course train` say what they did, and fail with a sentence, not a traceback."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from course_utils.cli import app
from course_utils.data.sets.catalogue import Entry
from course_utils.data.sets.digests import RemoteFile
from tests.command_line import course_data
from tests.data.sets.copies import COPIES, needs_copies


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    return tmp_path


def course(*arguments: str):
    """Run the command as a user types it."""
    return CliRunner().invoke(app, arguments, prog_name="course")


def test_course_passes_everything_on():
    """Catches: a sub-command whose options the outer command eats, and a lost exit code."""
    listed = course("data", "list")
    assert listed.exit_code == 0
    assert "tiny_shakespeare" in listed.output
    assert "CC BY-SA 4.0; Silveira et al. 2014" in listed.output
    assert "fetch" in course("data", "--help").output
    assert course("data", "verify", "wikitext2").exit_code == 1
    assert "counting_lstm" in course("train", "--list").output
    assert "--resume" in course("train", "--help").output
    assert course("train", "no_such_recipe").exit_code == 1


def test_a_file_that_is_known_by_less_than_a_sha256_is_named(capsys):
    """Catches: a SHA-1 that passes for as good as the rest, and no hash for any."""
    assert course_data(["list"]) == 0
    listed = capsys.readouterr().out
    assert listed.count("train.txt: known by git's SHA-1 only") == 1
    assert listed.count("every file: no published hash") == 3
    small = Entry("thing", "", "", "", (RemoteFile("a", "https://x", 1, "0" * 64),), str)
    assert small.weakness == ""


COMMANDS = {
    (): ("lab", "doctor", "train", "data"),
    ("train",): ("--list", "--out", "--device", "--steps", "--resume", "torchrun"),
    ("data",): ("list", "fetch", "add", "verify", "remove", "COURSE_OFFLINE"),
    ("data", "add"): ("FILE", "gzipped"),
    ("lab",): ("--port=9000",),
}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_help_is_complete_and_looks_alike(command):
    """Catches: a sub-command with a library of its own, and an option without a word of help."""
    told = course(*command, "--help")
    assert told.exit_code == 0
    assert f"Usage: course {' '.join(command)}".strip() in " ".join(told.output.split())
    assert "\nOptions:\n" in told.output
    for word in COMMANDS[command]:
        assert word in told.output


def test_torchrun_has_the_options_of_the_command():
    """Catches: a second list of options."""
    told = subprocess.run([sys.executable, "-m", "course_utils.training", "--help"],
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert told.stdout.split() == course("train", "--help").output.split()


def test_what_cannot_be_done_is_said_in_one_sentence(capsys):
    """Catches: a traceback, and an exit code of 0 for what was not done."""
    assert course_data(["fetch", "tiny_shakespeare"]) == 1
    assert "COURSE_OFFLINE forbids" in capsys.readouterr().err
    assert course_data(["fetch", "no_such_set"]) == 1
    assert "no set is called 'no_such_set'" in capsys.readouterr().err
    assert course_data(["fetch", "wikitxt2"]) == 1
    said = capsys.readouterr().err
    assert "did you mean wikitext2? `course data list` shows them all" in said
    assert said.count("\n") == 1
    assert course_data(["fetch", "course_elmo"]) == 1
    assert "`course train course_elmo` makes it" in capsys.readouterr().err
    assert course_data(["verify"]) == 0
    assert "nothing to verify: no set has been fetched" in capsys.readouterr().out
    assert course_data(["add", "wikitext2", __file__]) == 1
    assert "is not a file of wikitext2" in capsys.readouterr().err
    assert course_data(["remove", "wikitext2"]) == 0
    assert "was not here" in capsys.readouterr().out
    assert course_data(["dance"]) == 2
    assert course_data(["add", "wikitext2"]) == 2, "no file was named"


@needs_copies
def test_a_set_is_added_seen_verified_spoiled_and_removed(cache, capsys):
    """Catches: a set that is listed as here before it is whole."""
    folder = COPIES / "agreement_english"
    assert course_data(["add", "agreement_nonsense", str(folder / "generated.text")]) == 1
    assert "still missing generated.gold" in capsys.readouterr().out
    assert course_data(["verify"]) == 0, "a part of a set is not a set"
    assert course_data(["add", "agreement_nonsense", str(folder / "generated.gold")]) == 0
    assert course_data(["verify"]) == 0
    assert "every byte is right" in capsys.readouterr().out
    (cache / "agreement_nonsense" / "generated.gold").write_text("changed")
    assert course_data(["verify", "agreement_nonsense"]) == 1
    assert "is not the published file" in capsys.readouterr().out
    assert course_data(["remove", "agreement_nonsense"]) == 0
    assert not (cache / "agreement_nonsense").exists()
