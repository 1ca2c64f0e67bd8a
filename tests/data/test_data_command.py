"""`course data` and `course train` say what they did, and fail with a sentence, not a traceback."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from course_utils.cli import app
from course_utils.data.sets.catalogue import Entry
from course_utils.data.sets.command import main
from course_utils.data.sets.digests import RemoteFile
from tests.data.test_data_sets import COPIES, needs_copies


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    monkeypatch.setenv("COURSE_OFFLINE", "1")
    return tmp_path


def course(*arguments: str):
    """Run the command as a user types it."""
    return CliRunner().invoke(app, arguments)


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
    assert main(["list"]) == 0
    listed = capsys.readouterr().out
    assert listed.count("train.txt: known by git's SHA-1 only") == 1
    assert listed.count("every file: no published hash") == 3
    small = Entry("thing", "", "", "", (RemoteFile("a", "https://x", 1, "0" * 64),), str)
    assert small.weakness == ""


def test_what_cannot_be_done_is_said_in_one_sentence(capsys):
    """Catches: a traceback, and an exit code of 0 for what was not done."""
    assert main(["fetch", "tiny_shakespeare"]) == 1
    assert "COURSE_OFFLINE forbids" in capsys.readouterr().err
    assert main(["fetch", "no_such_set"]) == 1
    assert "no set is called 'no_such_set'" in capsys.readouterr().err
    assert main(["add", "wikitext2", __file__]) == 1
    assert "is not a file of wikitext2" in capsys.readouterr().err
    assert main(["remove", "wikitext2"]) == 0
    assert "was not here" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["dance"])


@needs_copies
def test_a_set_is_added_seen_verified_spoiled_and_removed(cache, capsys):
    """Catches: a set that is listed as here before it is whole."""
    folder = COPIES / "agreement_english"
    assert main(["add", "agreement_nonsense", str(folder / "generated.text")]) == 1
    assert "still missing generated.gold" in capsys.readouterr().out
    assert main(["verify"]) == 0, "a part of a set is not a set"
    assert main(["add", "agreement_nonsense", str(folder / "generated.gold")]) == 0
    assert main(["verify"]) == 0
    assert "every byte is right" in capsys.readouterr().out
    (cache / "agreement_nonsense" / "generated.gold").write_text("changed")
    assert main(["verify", "agreement_nonsense"]) == 1
    assert "is not the published file" in capsys.readouterr().out
    assert main(["remove", "agreement_nonsense"]) == 0
    assert not (cache / "agreement_nonsense").exists()
