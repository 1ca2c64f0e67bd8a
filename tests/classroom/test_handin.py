"""A hand-in holds all a student wrote and no name, and says what is in it."""

from __future__ import annotations

import json
import time

import pytest

from course_utils.checks.guesses import Guesses
from course_utils.classroom.cells import NoNotebook
from course_utils.classroom.handin import write_handin
from course_utils.classroom.submission import read_submission
from tests.classroom.conftest import write_into
from tests.command_line import course as typed

CLIP = "def clip(gradients, threshold):\n    return [g / 2 for g in gradients]"


@pytest.fixture
def worked(handed_out, monkeypatch):
    """Return a student's folder with some work in lecture 02."""
    monkeypatch.chdir(handed_out)
    notebook = handed_out / "notebooks" / "02_vanishing_gradients.ipynb"
    write_into(notebook, {
        "ex-2-7-stub": CLIP,
        "ex-2-1-stub": "def jacobian_of_a_step(a_t, U)\n    return 1",
        "questions-answer-3": "*Your answer to question 3: write it here.*\n\nHalf the units.",
        "ex-own-1-stub": "def one_part(x, parts):\n    return x / parts",
    })  # fmt: skip
    content = json.loads(notebook.read_text())
    said = "⚖ Prediction 02.a: you wrote “one half”; the result is 6e-13."
    note = {"output_type": "display_data", "metadata": {}, "data": {"text/plain": [said]}}
    content["cells"].append({"cell_type": "markdown", "source": "My own words, Zoë", "id": "zz"})
    next(c for c in content["cells"] if c["id"] == "s1-measure")["outputs"] = [note]
    notebook.write_text(json.dumps(content))
    return handed_out


def test_all_work_is_in_a_small_file(handed_out, tmp_path, request):
    """Catches work that does not arrive, and a file that carries the whole lecture."""
    clean = (handed_out / "notebooks" / "02_vanishing_gradients.ipynb").read_bytes()
    folder = request.getfixturevalue("worked")
    told = write_handin(folder, "2", tmp_path / "handin")
    content = told.file.read_bytes()
    assert len(content) < len(clean) / 5
    found = read_submission(content, json.loads(clean)["cells"])
    whole = (folder / "notebooks" / "02_vanishing_gradients.ipynb").read_bytes()
    assert found == read_submission(whole, json.loads(clean)["cells"])
    assert found.predictions == {"02.a": "one half"}
    assert found.free_texts == {3: "Half the units."}
    assert {piece.text for piece in found.pieces if piece.hers} >= {CLIP, "My own words, Zoë"}


def test_a_cell_that_is_taken_away_damages_no_hand_in(worked, tmp_path):
    """Catches a correction of the lecture after which every earlier hand-in is worth nothing."""
    content = write_handin(worked, "02", tmp_path / "handin").file.read_bytes()
    (notebook,) = (worked / "notebooks").glob("02_*.ipynb")
    cells = json.loads(notebook.read_bytes())["cells"]
    fewer = [cell for cell in cells if cell["id"] not in ("s1-measure", "questions-answer-1")]
    assert len(fewer) == len(cells) - 2
    whole, found = read_submission(content, cells), read_submission(content, fewer)
    assert found.free_texts == whole.free_texts
    assert len(found.pieces) == len(whole.pieces) - 2


def test_guesses_come_along_when_outputs_are_cleared(handed_out, tmp_path, monkeypatch):
    """Catches a prediction that is lost because nobody sees its result in the file."""
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    Guesses().keep("02.a", "a tenth")
    Guesses().keep("03.a", "of another lecture")
    content = json.loads(write_handin(handed_out, "02", tmp_path / "handin").file.read_bytes())
    assert content["predictions"] == {"02.a": "a tenth"}


def test_it_says_what_is_in_it(worked, tmp_path, capsys, monkeypatch):
    """Catches a broken answer that nobody hears of before the marks, and an own one forgotten."""
    monkeypatch.chdir(worked)
    assert typed("handin", "02") == 0
    said = capsys.readouterr().out
    assert "2.7  handed in" in said
    assert "2.1  no Python, so nobody can judge it: SyntaxError in line 1" in said
    assert "2.6  not attempted" in said
    assert "own.1  handed in" in said
    assert "questions 3" in said
    assert (worked / "handin" / "02.json").is_file()
    assert typed("handin", "02") == 0  # replaces its own file
    (worked / "handin" / "02.json").write_text("somebody's own")
    assert typed("handin", "02") == 1


def test_a_terminal_among_the_notebooks_will_do(worked, capsys, monkeypatch):
    """Catches a refusal where Lab opens a terminal beside the notebook, and a file put there."""
    monkeypatch.chdir(worked / "notebooks")
    assert typed("handin", "02") == 0
    assert "Upload ../handin/02.json" in capsys.readouterr().out
    assert (worked / "handin" / "02.json").is_file()


def test_a_notebook_of_another_name(worked, tmp_path, capsys, monkeypatch):
    """Catches the untouched lecture handed in for the copy that she worked in, unsaid."""
    notebooks = worked / "notebooks"
    lecture = notebooks / "02_vanishing_gradients.ipynb"
    (notebooks / "02_a.ipynb").write_bytes(lecture.read_bytes())
    write_into(notebooks / "02_a.ipynb", {"ex-2-7-stub": "def clip(g, t):\n    return g"})
    monkeypatch.chdir(worked)
    assert typed("handin", "2") == 0
    assert "Note: 02_a lies there, too; `course handin 02_a`" in capsys.readouterr().out
    assert "g / 2 for g" in (worked / "handin" / "02.json").read_text()
    for name in ("02_a", "02_a.ipynb", "notebooks/02_a.ipynb"):
        assert typed("handin", name) == 0
        assert "return g" in (worked / "handin" / "02.json").read_text()
    capsys.readouterr()
    lecture.unlink()
    (notebooks / "02_a.ipynb").rename(notebooks / "02 at last.ipynb")
    assert typed("handin", "02") == 1
    said = capsys.readouterr().err
    assert "02_vanishing_gradients.ipynb is gone" in said
    assert "as in `course handin '02 at last'`" in said
    assert typed("handin", "02 at last") == 0
    assert typed("handin", "07") == 1
    assert "07 was not handed out" in capsys.readouterr().err


def test_who_hands_in_nothing_is_told(handed_out, tmp_path):
    """Catches a notebook that was never saved, and is uploaded in good faith."""
    said = str(write_handin(handed_out, "02", tmp_path / "handin"))
    assert "Note: nothing in it is yours. Did you save the notebook" in said
    notebook = handed_out / "notebooks" / "02_vanishing_gradients.ipynb"
    write_into(notebook, {"questions-answer-3": "Half the units."})
    assert "nothing in it" not in str(write_handin(handed_out, "02", tmp_path / "handin"))


def test_without_a_manifest_it_says_so(worked, capsys, monkeypatch):
    """Catches a traceback in a folder that was not handed out."""
    (worked / "handout.json").unlink()
    monkeypatch.chdir(worked)
    assert typed("handin", "02") == 1
    assert "hand in from the folder that you were given" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content",
    [
        b'{"handin"',
        b'{"handin": 1}',
        b'{"handin": 2, "cells": [], "predictions": {}}',
        b'{"handin": 1, "cells": [{"kind": "code"}], "predictions": {}}',
        b'{"handin": 1, "cells": [{"id": []}], "predictions": {}}',
        b'{"handin": 1, "cells": 3, "predictions": {}}',
        b'{"handin": 1, "cells": [], "predictions": []}',
        b'{"handin": [' + b"[" * 100_000,
        b'{"handin": 1, "cells": [' + b'{"id":"","kind":"code","source":""},' * 3000
        + b'{"id":"","kind":"code","source":""}], "predictions": {}}',
    ],
)  # fmt: skip
def test_a_damaged_handin_is_refused(content):
    """Catches a file that stops the grading of everybody after it."""
    with pytest.raises(NoNotebook):
        read_submission(content, [])


def test_a_page_of_a_million_cells_is_refused():
    """Catches memory that one hand-in takes from all others."""
    many = b'{"cells": [' + b"{}," * 2000 + b"{}]}"
    with pytest.raises(NoNotebook, match="2,001 cells"):
        read_submission(many, [])
    large = {"cell_type": "code", "source": "x" * 199_999}
    with pytest.raises(NoNotebook, match="in all"):
        read_submission(json.dumps({"cells": [large] * 16}).encode(), [])


def test_a_flood_of_predictions_takes_no_time():
    """Catches an output that keeps the grader busy for hours."""
    said = "Prediction 02.a: you wrote “" * 20_000
    note = {"data": {"text/plain": said + "x”; the result is 3"}}
    notebook = {"cells": [{"cell_type": "code", "source": "", "outputs": [note]}]}
    start = time.process_time()
    found = read_submission(json.dumps(notebook).encode(), [])
    assert time.process_time() - start < 5
    assert found.predictions["02.a"].endswith("you wrote “x")
