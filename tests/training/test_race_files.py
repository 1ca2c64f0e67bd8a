"""The file of every race: whole, of one number of steps, refused when damaged."""

from __future__ import annotations

import pytest

from course_utils.cli.train import INTERRUPTED
from course_utils.results.files import FOLDER, load_results, load_rows, shipped_file
from course_utils.training.race.race import all_races
from course_utils.training.race.rows import begun, write_rows
from course_utils.training.race.words import SHARES
from tests.command_line import course_train
from tests.training.quick_words import quick_words

RACES = all_races()


def test_every_shipped_file_is_of_a_race_that_makes_it():
    """Catches results that nobody can make again, and a race whose results were left out."""
    asked = {"agreement_released"}  # shipped models on published sets: nothing is trained
    assert {path.stem for path in FOLDER.glob("*.json")} == {*RACES} | asked


@pytest.fixture
def quick_race(tmp_path, monkeypatch):
    """Return a command whose third run of a network is interrupted, and the file of that race."""
    quick_words(monkeypatch, stop_at=3)

    def command(*more):
        return course_train(["word_race", "--out", str(tmp_path), *more])

    return command, tmp_path / "word_race.json"


OWN = "the race's own steps"


@pytest.mark.parametrize(
    ("first", "said", "others"),
    [
        (["--steps", "2"], "--steps 2", {"--steps 3": ["--steps", "3"], OWN: []}),
        ([], OWN, {"--steps 2": ["--steps", "2"]}),
    ],
)
def test_a_race_goes_on_with_the_steps_it_began_with(quick_race, capsys, first, said, others):
    """Catches rows of two and of three steps in one file, and a file that says nothing of it."""
    command, path = quick_race
    unfinished = path.with_name("word_race.unfinished.json")
    assert command(*first) == INTERRUPTED
    for at in (unfinished, path):  # first while it waits to go on, then when it is finished
        before = at.read_bytes()
        for now, other in others.items():
            capsys.readouterr()
            assert command(*other, "--resume") == 1
            answer = f"{at} was begun with {said}, and now it is {now}: "
            assert answer in capsys.readouterr().err
            assert [found.read_bytes() for found in path.parent.iterdir()] == [before]
        assert command(*first, "--resume") == 0
    about = {key: found for key, found in load_results(path).items() if key == "steps"}
    assert about == ({"steps": 2} if first else {})
    assert len(load_rows(path)) == 2 * len(SHARES)


def test_a_damaged_race_is_named_and_stays(quick_race, capsys):
    """Catches a traceback, an error that does not say which file, and one that is overwritten."""
    command, path = quick_race
    head = '{"made_with": "", "rows": '
    texts = ["", "[]", "null", "{}", '{"rows": []}', "[" * 100_000, "9" * 5000, head]
    for text in (*texts, head + "{}}", head + "[[]]}", head + "null}"):
        for at in (path.with_name("word_race.unfinished.json"), path):
            at.write_text(text)
            assert command("--resume") == 1
            said = capsys.readouterr().err
            assert said.startswith(f"course train: {at} is damaged (")
            assert "put a whole copy back, choose another folder, or delete it" in said
            assert said.count("\n") == 1
            assert [found.read_text() for found in path.parent.iterdir()] == [text]
            at.unlink()


@pytest.mark.parametrize("name", RACES)
def test_every_race_goes_on_with_its_own_steps_only(tmp_path, name):
    """Catches a race that keeps its steps to itself, and a shipped file that can grow by others."""
    path = tmp_path / f"{name}.json"
    for source, steps in ((b'{"made_with": "", "steps": 2, "rows": []}', 3),
                          (shipped_file(name).read_bytes(), 2)):  # fmt: skip
        path.write_bytes(source)
        with pytest.raises(ValueError, match=f"and now it is --steps {steps}"):
            RACES[name].run(path, steps=steps)
        assert path.read_bytes() == source


@pytest.mark.parametrize("name", RACES)
def test_the_shipped_files_would_be_written_as_they_are(tmp_path, name):
    """Catches a head that gains or loses a word: every shipped file would change with it."""
    shipped, again = shipped_file(name), tmp_path / "again.json"
    write_rows(begun(shipped, None), again)
    assert again.read_bytes() == shipped.read_bytes()
