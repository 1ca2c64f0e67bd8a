"""A newer lecture comes under a student's work: every line that she wrote is in the result."""

from __future__ import annotations

import copy
import json
import shutil
import zipfile

import nbformat
import pytest
from hypothesis import strategies as st

from course_utils.classroom.cells import digest_of, normal, text_of
from course_utils.classroom.handout import write_handout
from course_utils.classroom.merge import SAID, merged
from course_utils.classroom.student_copy import as_file, base_of
from course_utils.classroom.update import update
from course_utils.own_files import NOTE
from tests.classroom.conftest import cells_of, write_into
from tests.command_line import course as typed

LECTURE = "02_vanishing_gradients.ipynb"


def cell(name: str, text: str, kind: str = "code") -> dict:
    """Return a cell."""
    code = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": name, "metadata": {}, "source": text, **code}


def book(*cells: dict) -> dict:
    """Return a notebook."""
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5}


def shown(notebook: dict) -> list[str]:
    """Return the texts of a notebook's cells."""
    return [text_of(cell) for cell in notebook["cells"]]


A, B, C = cell("a", "one"), cell("b", "two", "markdown"), cell("c", "three")
BASE = book(A, B, C)
MINE = cell("zz", "mine")


@pytest.mark.parametrize(
    ("mine", "new", "result"),
    [
        ([A, B, C], [A, cell("b", "TWO", "markdown"), C], ["one", "TWO", "three"]),
        ([cell("a", "my one"), B, C], [A, B, C], ["my one", "two", "three"]),
        ([cell("a", "my one"), B, C], [cell("a", "ONE"), B, C],
         ["my one", f"{SAID}\n\n```python\nONE\n```", "two", "three"]),
        ([cell("a", "ONE"), B, C], [cell("a", "ONE"), B, C], ["ONE", "two", "three"]),
        ([A, MINE, B, C], [A, cell("x", "new"), B, C], ["one", "mine", "new", "two", "three"]),
        ([MINE, A, B, C], [cell("x", "new"), A, B, C], ["mine", "new", "one", "two", "three"]),
        ([A, B, MINE, C], [A, C], ["one", "mine", "three"]),
        ([A, cell("b", "my two"), C], [A, C], ["one", "my two", "three"]),
        ([A, C], [A, B, C], ["one", "three"]),  # what she deleted stays deleted
        ([A, C], [A, cell("b", "TWO"), C], ["one", "TWO", "three"]),
        ([A, B, C], [C, A, B], ["three", "one", "two"]),
        ([C, A, B], [A, B, C], ["three", "one", "two"]),  # her own order stays
        ([C, A, B], [A, cell("x", "new"), B, C], ["three", "one", "new", "two"]),
        ([A, cell("a", "copy"), B, C], [cell("a", "ONE"), B, C],
         ["one", "copy", f"{SAID}\n\n```python\nONE\n```", "two", "three"]),
    ],
)  # fmt: skip
def test_each_case_of_a_merge(mine, new, result):
    """Catches a rule of the merge the wrong way round."""
    found, _ = merged(base_of(BASE), book(*mine), book(*new))
    assert shown(found) == result


def without_ids(notebook: dict) -> dict:
    """Return a notebook as an old format has it: no ids."""
    for one in notebook["cells"]:
        one.pop("id", None)
    return {**notebook, "nbformat_minor": 4}


def as_colab(notebook: dict) -> dict:
    """Return a notebook as Colab writes it: ids in the metadata, its own kernel."""
    for one in notebook["cells"]:
        one["metadata"] = {"id": one.pop("id", ""), "colab": {}}
    return {**notebook, "metadata": {"colab": {"provenance": []}}, "nbformat_minor": 0}


def as_vs_code(notebook: dict) -> dict:
    """Return a notebook with lines in lists, and without blanks at the ends of lines."""
    for one in notebook["cells"]:
        lines = [line.rstrip() for line in one["source"].splitlines()]
        one["source"] = "\n".join(lines).splitlines(keepends=True)
        one["metadata"] = {"vscode": {"languageId": "python"}}
    return notebook


def as_nbformat(notebook: dict) -> dict:
    """Return a notebook as nbformat writes it back."""
    return json.loads(nbformat.writes(nbformat.from_dict(notebook)))


def with_other_ids(notebook: dict) -> dict:
    """Return a notebook in which every cell has an id of the editor's."""
    for number, one in enumerate(notebook["cells"]):
        one["id"] = f"random-{number}"
    return notebook


EDITORS = [without_ids, as_colab, as_vs_code, with_other_ids, lambda notebook: notebook]


@pytest.mark.parametrize("editor", [*EDITORS, as_nbformat])
def test_whatever_editor_wrote_it(editor):
    """Catches a lecture that is doubled because an editor has taken its ids away."""
    worked = editor(copy.deepcopy(book(A, cell("b", "two\nmore", "markdown"), MINE, C)))
    new = book(cell("a", "ONE"), B, C, cell("x", "new"))
    found, _ = merged(base_of(BASE), worked, new)
    assert shown(found).count("ONE") == shown(found).count("mine") == 1
    assert "two\nmore" in shown(found)
    assert "one" not in shown(found)
    assert found["nbformat_minor"] == 5  # the first with ids, as the lectures are
    nbformat.validate(nbformat.from_dict(copy.deepcopy(found)))


def test_the_plan_says_what_is_done():
    """Catches a dry run that promises something else, and two cells with one id."""
    mine = book(cell("a", "my one"), MINE, cell("zz", "mine, too"), B, C, cell("d", "four"))
    base = {**base_of(BASE), **base_of(book(cell("d", "four")))}
    found, plan = merged(base, mine, book(cell("a", "ONE"), cell("x", "new"), C, B))
    assert str(plan) == "1 new, 0 replaced, 1 gone, 3 of yours kept, new text below yours: a"
    assert (plan.added, plan.removed) == (["x"], ["d"])
    ids = [one["id"] for one in found["cells"]]
    assert len(set(ids)) == len(ids) == 7
    later = {**mine, "nbformat_minor": 7}
    assert merged(base, later, BASE)[0]["nbformat_minor"] == 7


STUB = "def repaired(x):\n    ..."
BETTER = 'def repaired(x):\n    """In better words."""\n    ...'
CHECK = 'check("2.6", repaired)'
REPAIRED = "def repaired(x):\n    return helper(x)"
HELPER = "def helper(x):\n    return 26"


@pytest.mark.parametrize("below", [True, False])
@pytest.mark.parametrize("check", [CHECK, f"{CHECK}\n# mine"])
@pytest.mark.parametrize("editor", [without_ids, with_other_ids, lambda notebook: notebook])
def test_a_stub_never_empties_the_function_that_she_wrote(editor, check, below):
    """Catches an empty stub that a release puts below her answer, beside which a helper stands."""
    stub, asked = cell("ex-2-6-stub", STUB), cell("ex-2-6-check", CHECK)
    texts = [REPAIRED, HELPER] if below else [HELPER, REPAIRED]
    hers = [cell("same", text) for text in texts]
    worked = editor(copy.deepcopy(book(A, *hers, cell("ex-2-6-check", check), C)))
    base, new = base_of(book(A, stub, asked, C)), book(A, cell("ex-2-6-stub", BETTER), asked, C)
    found, _ = merged(base, worked, new)
    code = [text_of(one) for one in found["cells"] if one["cell_type"] == "code"]
    assert [text for text in code if "def " in text] == texts
    assert sum("In better words." in text for text in shown(found)) == 1
    assert shown(found)[shown(found).index(REPAIRED) + 1].startswith(SAID)
    by_id = {one["id"]: text_of(one) for one in found["cells"]}
    if check == CHECK and "same" not in by_id:  # ids are gone, so the check tells which is hers
        assert by_id["ex-2-6-stub"] == REPAIRED
    assert merged(base_of(new), found, new)[0] == found
    assert merged(base, found, new)[0] == found


LINES = st.lists(st.sampled_from(["x = 1", "y = 2  ", "", "    deep", "é ∂", "def f():", "# a"]),
                 max_size=4)  # fmt: skip
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(
            ["edit", "delete", "insert", "copy", "move", "split", "join", "strip", "kind"]
        ),
        st.integers(0, 7),
        st.integers(0, 7),
        LINES,
    ),
    max_size=6,
)


def changed(notebook: dict, changes, own: str) -> dict:
    """Return a notebook after some changes."""
    cells = copy.deepcopy(notebook["cells"])
    for number, (what, place, other, lines) in enumerate(changes):
        text = f"{own} {number}\n" + "\n".join(lines)
        if what == "insert" or not cells:
            cells.insert(place % (len(cells) + 1), cell(f"{own}{number}", text))
            continue
        at, to = place % len(cells), other % len(cells)
        if what == "edit":
            cells[at]["source"] += f"\n{text}"
        elif what == "delete":
            del cells[at]
        elif what == "copy":
            cells.insert(to, copy.deepcopy(cells[at]))
        elif what == "move":
            cells.insert(to, cells.pop(at))
        elif what == "split":
            head, _, tail = text_of(cells[at]).partition("\n")
            cells[at]["source"] = head
            cells.insert(at + 1, cell("", tail))
        elif what == "join" and at + 1 < len(cells):
            cells[at]["source"] = text_of(cells[at]) + "\n" + text_of(cells.pop(at + 1))
        elif what == "strip":
            cells[at].pop("id", None)
        elif what == "kind":
            cells[at]["cell_type"] = "markdown"
    return {**notebook, "cells": cells}


def released(changes) -> dict:
    """Return a newer release: changed, with ids that are unique and there."""
    possible = ("edit", "delete", "insert", "move")
    return changed(BOOK, [change for change in changes if change[0] in possible], "new")


NAMES = ("c0", "c1-stub", "c2", "c3-stub", "c4-yours")
BOOK = book(*(cell(name, f"line {name}\nshared\nend {name}") for name in NAMES))


def test_every_line_that_she_ever_wrote_is_in_the_result(drawing):
    """Catches work that is lost, by whatever the student, her editor and the release did."""

    @drawing(CHANGES, CHANGES, st.sampled_from(EDITORS), cases=300)
    def update_once(hers, theirs, editor):
        mine, new = editor(changed(BOOK, hers, "own")), released(theirs)
        before = json.dumps(mine)
        found, _ = merged(base_of(BOOK), mine, new)
        assert json.dumps(mine) == before
        lines = {line for text in shown(found) for line in normal(text).splitlines()}
        untouched = set(base_of(BOOK).values())
        for one in mine["cells"]:
            if digest_of(one) not in untouched:
                assert set(normal(text_of(one)).splitlines()) <= lines
        ids = [one["id"] for one in found["cells"]]
        assert len(set(ids)) == len(ids)
        again, plan = merged(base_of(new), found, new)
        assert again == found, plan
        assert merged(base_of(BOOK), found, new)[0] == found  # killed before the manifest


def newer(course, term, folder, texts):
    """Write a newer hand-out: a course whose lecture 02 has these texts."""
    lectures = course / "notebooks"
    changed_course = folder / "course"
    shutil.copytree(lectures, changed_course / "notebooks")
    write_into(changed_course / "notebooks" / LECTURE, texts)
    write_handout(changed_course, term, folder / "handout")
    return folder / "handout"


@pytest.fixture
def worked(handed_out):
    """Return a student's folder with some work in it."""
    write_into(handed_out / "notebooks" / LECTURE, {
        "ex-2-1-stub": "def jacobian_of_a_step(a_t, U):\n    return my_work",
        "ex-2-2-stub": "def product_of_jacobians(jacobians):\n    return 1",
    })  # fmt: skip
    (handed_out / "notebooks" / "mine.ipynb").write_text("my own notebook")
    return handed_out


RELEASE = {
    "ex-2-1-stub": 'def jacobian_of_a_step(a_t, U):\n    """Better words."""\n    ...\n',
    "s1": "## 1 A better heading\n",
}


def test_an_update_in_mid_term(course, term, worked, tmp_path):
    """Catches an update that loses work, a correction, or tells nobody what it did."""
    release = newer(course, term, tmp_path / "newer", RELEASE)
    before = (worked / "notebooks" / LECTURE).read_bytes()
    planned = update(worked, release, dry_run=True)
    assert (worked / "notebooks" / LECTURE).read_bytes() == before
    done = update(worked, release)
    assert str(done) == str(planned)
    assert "1 replaced, 2 of yours kept, new text below yours: ex-2-1-stub" in str(done)
    lecture = cells_of(worked / "notebooks" / LECTURE)
    assert "my_work" in lecture["ex-2-1-stub"]
    assert "return 1" in lecture["ex-2-2-stub"]
    assert lecture["s1"] == RELEASE["s1"]
    assert any("Better words." in text for name, text in lecture.items() if "-new-" in name)
    assert before in [path.read_bytes() for path in (worked / "backups").iterdir()]
    assert (worked / "notebooks" / "mine.ipynb").read_text() == "my own notebook"
    state = {path: path.read_bytes() for path in worked.rglob("*") if path.is_file()}
    assert str(update(worked, release)) == "nothing is new"
    assert {path: path.read_bytes() for path in worked.rglob("*") if path.is_file()} == state


def test_other_files_come_along_unless_changed(course, term, worked, tmp_path):
    """Catches a new exercise that never arrives, and a student's file that is replaced."""
    release = newer(course, term, tmp_path / "newer", {})
    (release / "own" / "own_1_one_part.py").write_text("# better\n")
    (release / "README.md").write_text("# better\n")
    (release / "notebooks" / "03_lstm.ipynb").write_bytes(as_file(BOOK))
    (worked / "README.md").write_text("my notes")
    said = str(update(worked, release))
    assert "notebooks/03_lstm.ipynb: new" in said
    assert "README.md: changed here, stays as it is" in said
    assert (worked / "README.md").read_text() == "my notes"
    assert (worked / "own" / "own_1_one_part.py").read_text() == "# better\n"


def test_a_lecture_saved_under_a_name_of_her_own(course, term, worked, tmp_path):
    """Catches a correction that never reaches the notebook that she really works in."""
    release = newer(course, term, tmp_path / "newer", RELEASE)
    hers = worked / "notebooks" / "02 mine.ipynb"
    hers.write_bytes((worked / "notebooks" / LECTURE).read_bytes())
    write_into(hers, {"ex-2-1-stub": "def jacobian_of_a_step(a_t, U):\n    return more_of_my_work"})
    (worked / "notebooks" / "other.ipynb").write_text(json.dumps(book(A, MINE)))
    before = hers.read_bytes()
    said = str(update(worked, release))
    assert "notebooks/02 mine.ipynb: " in said
    assert "other.ipynb" not in said
    cells = cells_of(hers)
    assert "more_of_my_work" in cells["ex-2-1-stub"]
    assert cells["s1"] == RELEASE["s1"]
    assert before in [path.read_bytes() for path in (worked / "backups").iterdir()]
    assert str(update(worked, release)) == "nothing is new"


@pytest.mark.parametrize("told", ["by its mark", "by its text"])
def test_an_old_tab_saved_over_an_update(course, term, worked, tmp_path, told):
    """Catches an update that is gone and never offered again, and one that is offered for ever."""
    release = newer(course, term, tmp_path / "newer", RELEASE)
    notebook = worked / "notebooks" / LECTURE
    before = notebook.read_bytes()
    update(worked, release)
    after = notebook.read_bytes()
    if told == "by its text":
        before, after = (
            as_file({**json.loads(content), "metadata": {}}) for content in (before, after)
        )
    notebook.write_bytes(before)
    said = str(update(worked, release))
    assert "1 replaced, 2 of yours kept, new text below yours: ex-2-1-stub" in said
    assert cells_of(notebook)["s1"] == RELEASE["s1"]
    content = json.loads(after)
    content["cells"] = [one for one in content["cells"] if "-new-" not in one["id"]]
    notebook.write_bytes(as_file(content))
    assert str(update(worked, release)) == "nothing is new"
    again = newer(course, term, tmp_path / "again", RELEASE | {"s2": "## 2 Better, too\n"})
    update(worked, again)
    notebook.write_bytes(before)
    assert "2 replaced, 2 of yours kept" in str(update(worked, again))


def renamed(release, name):
    """Call a lecture of a hand-out something else, as its course did."""
    notebook = release / "notebooks" / LECTURE
    notebook.rename(notebook.with_name(name))
    manifest = release / "handout.json"
    manifest.write_text(manifest.read_text().replace(LECTURE, name))
    return release


def test_a_lecture_that_has_another_name_now(course, term, worked, tmp_path):
    """Catches work that stays under a name that nobody hands in, or is lost with that name."""
    name = "02_gradients_that_vanish.ipynb"
    release = renamed(newer(course, term, tmp_path / "newer", RELEASE), name)
    old, new = worked / "notebooks" / LECTURE, worked / "notebooks" / name
    before = old.read_bytes()
    hers = old.with_name("02 mine.ipynb")
    hers.write_bytes(before)
    planned = update(worked, release, dry_run=True)
    assert old.read_bytes() == before
    done = update(worked, release)
    assert str(done) == str(planned)
    assert f"{LECTURE}: called notebooks/{name} now, with your work in it" in str(done)
    assert not old.exists()
    assert before in [path.read_bytes() for path in (worked / "backups").iterdir()]
    for notebook in (new, hers):
        assert "my_work" in cells_of(notebook)["ex-2-1-stub"]
        assert cells_of(notebook)["s1"] == RELEASE["s1"]
    assert str(update(worked, release)) == "nothing is new"
    old.write_bytes(before)  # by a tab that was still open
    state = new.read_bytes()
    assert f"notebooks/{LECTURE}: 0 new, 1 replaced, 2 of yours kept" in str(
        update(worked, release)
    )
    assert new.read_bytes() == state
    assert "my_work" in cells_of(old)["ex-2-1-stub"]


def test_a_renamed_lecture_whose_work_cannot_be_read(course, term, worked, tmp_path):
    """Catches a broken notebook that goes with its name, and a lecture that nobody gets."""
    name = "02_gradients_that_vanish.ipynb"
    release = renamed(newer(course, term, tmp_path / "newer", RELEASE), name)
    (worked / "notebooks" / LECTURE).write_text("<<<<<<< my work")
    said = str(update(worked, release))
    assert f"{LECTURE}: left alone, it cannot be read" in said
    assert f"{name}: new" in said
    assert (worked / "notebooks" / LECTURE).read_text() == "<<<<<<< my work"
    assert cells_of(worked / "notebooks" / name)["s1"] == RELEASE["s1"]


def test_a_lecture_that_is_gone_stays_with_who_worked_in_it(course, term, worked, tmp_path):
    """Catches another lecture under the same number that takes the place of her work."""
    release = newer(course, term, tmp_path / "newer", {})
    lecture = release / "notebooks" / LECTURE
    before = (worked / "notebooks" / LECTURE).read_bytes()
    lecture.unlink()
    manifest = json.loads((release / "handout.json").read_text())
    manifest["lectures"]["02_other.ipynb"] = base_of(BASE)
    del manifest["lectures"][LECTURE]
    (release / "handout.json").write_text(json.dumps(manifest))
    lecture.with_name("02_other.ipynb").write_bytes(as_file(BASE))
    said = str(update(worked, release))
    assert f"{LECTURE}: not in the course any more, stays as it is" in said
    assert "02_other.ipynb: new" in said
    assert (worked / "notebooks" / LECTURE).read_bytes() == before


ODD = st.sampled_from([None, 7, 1.5, True, [], ["a"], {}, {"a": 1}, "", "a", "\ud800", "x\udfff y"])
PLACES = st.sampled_from([
    ("nbformat",), ("nbformat_minor",), ("metadata",), ("metadata", "course_handout"),
    *((part, number) for number in range(4)
      for part in ("id", "metadata", "metadata.id", "source", "source[]", "cell_type", "outputs")),
])  # fmt: skip


def test_whatever_stands_in_her_notebook(tmp_path_factory, drawing):
    """Catches half a letter, or a number for an id, that stops the update of a whole folder."""
    folder, release = (tmp_path_factory.mktemp(name) / "of" for name in ("hers", "new"))
    for place, last in ((folder, C), (release, cell("c", "better"))):
        (place / "notebooks").mkdir(parents=True)
        lecture = book(A, B, last)
        (place / "notebooks" / LECTURE).write_bytes(as_file(lecture))
        said = {"format": 1, "lectures": {LECTURE: base_of(lecture)}, "files": {}}
        (place / "handout.json").write_text(json.dumps(said))
    manifest = (folder / "handout.json").read_bytes()

    @drawing(st.lists(st.tuples(PLACES, ODD), min_size=1, max_size=4), cases=150)
    def update_once(changes):
        mine = copy.deepcopy(book(A, cell("b", "my two", "markdown"), C, MINE))
        for (part, *number), value in changes:
            at = mine["cells"][number[0]] if number and isinstance(number[0], int) else mine
            whole, _, inner = part.partition(".")
            if part == "source[]":
                at["source"] = ["first\n", value]
            elif inner or number == ["course_handout"]:
                at[whole] = {inner or "course_handout": value}
            else:
                at[part] = value
        notebook = folder / "notebooks" / LECTURE
        notebook.write_text(json.dumps(mine))
        (folder / "handout.json").write_bytes(manifest)
        update(folder, release)
        found = json.loads(notebook.read_bytes().decode())
        mine_now = [text_of(one) for one in mine["cells"] if text_of(one) not in ("one", "three")]
        assert {line for text in mine_now for line in text.splitlines()} <= {
            line for text in shown(found) for line in text.splitlines()
        }
        again = notebook.read_bytes()
        update(folder, release)
        assert notebook.read_bytes() == again


def test_a_copy_without_hidden_files_gets_everything(course, term, worked, tmp_path):
    """Catches a folder packed without its note, whose exercises never come up to date again."""
    release = newer(course, term, tmp_path / "newer", {})
    (release / "own" / "own_1_one_part.py").write_text("# better\n")
    (release / "README.md").write_text("# better\n")
    (worked / "README.md").write_text("my notes")
    (worked / NOTE).unlink()
    planned = update(worked, release, dry_run=True)
    assert not (worked / NOTE).exists()
    done = update(worked, release)
    assert str(done) == str(planned)
    assert "README.md: changed here, stays as it is" in str(done)
    assert (worked / "README.md").read_text() == "my notes"
    assert (worked / "own" / "own_1_one_part.py").read_text() == "# better\n"
    (release / "own" / "own_1_one_part.py").write_text("# still better\n")
    update(worked, release)
    assert (worked / "own" / "own_1_one_part.py").read_text() == "# still better\n"


def test_what_cannot_be_read_is_left_alone(course, term, worked, tmp_path, capsys, monkeypatch):
    """Catches a notebook with a merge's marks in it that is replaced, and one that stops all."""
    release = newer(course, term, tmp_path / "newer", RELEASE)
    (worked / "notebooks" / LECTURE).write_text("<<<<<<< my work")
    with zipfile.ZipFile(tmp_path / "newer.zip", "w") as archive:
        for path in release.rglob("*"):
            if path.is_file():
                archive.write(path, f"rnn/{path.relative_to(release)}")
    monkeypatch.chdir(worked)
    assert typed("update", "--from", str(tmp_path / "newer.zip")) == 0
    assert "left alone, it cannot be read" in capsys.readouterr().out
    assert (worked / "notebooks" / LECTURE).read_text() == "<<<<<<< my work"
    assert typed("update", "--from", str(worked / "notebooks")) == 1
    assert "name the newer hand-out" in capsys.readouterr().err


def test_without_a_manifest_all_changes_count_as_hers(course, term, worked, tmp_path):
    """Catches work that is taken for the lecture's when handout.json was lost."""
    release = newer(course, term, tmp_path / "newer", RELEASE)
    (worked / "handout.json").unlink()
    assert "every changed cell counts as yours" in str(update(worked, release))
    lecture = cells_of(worked / "notebooks" / LECTURE)
    assert "my_work" in lecture["ex-2-1-stub"]
    assert lecture["s1"] != RELEASE["s1"]
    assert any(RELEASE["s1"] in text for text in lecture.values())
