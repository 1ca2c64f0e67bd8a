"""Whose file it is, however it came; and nothing of a name or an archive is believed."""

from __future__ import annotations

import os
import zipfile
from datetime import UTC, datetime, timedelta

import pytest

from course_utils.classroom import collect as collecting
from course_utils.classroom.cells import NoNotebook
from course_utils.classroom.collect import collect, page_of, pages_of


def filled(folder, *names):
    """Make files with these names."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(b"{}")
    return folder


def test_a_roster_tells_whose_a_renamed_file_is(tmp_path):
    """Catches a student with two rows, one of them empty, and work put down to a namesake."""
    place = filled(tmp_path, "emil_02 Emil's last.ipynb", "emil-02-final.json", "emil_b_02.json",
                   "fay_020.json")  # fmt: skip
    found = [one.student for one in collect(place, "02", ["emil", "fay", "gus"])]
    assert sorted(found) == ["emil", "emil", "emil_b", "fay_020"]


@pytest.mark.parametrize(
    ("names", "students"),
    [
        (["anna.ipynb", "bob_02.json", "carl_02_vanishing.ipynb"], ["anna", "bob", "carl"]),
        (["anna/02_vanishing_gradients.ipynb", "bob/handin/02.json"], ["anna", "bob"]),
        (["all/anna.json", "all/bob.json"], ["anna", "bob"]),
        (["submitted/anna/lec02/02.ipynb", "submitted/bob/lec02/02.ipynb"], ["anna", "bob"]),
        (["lovelaceada_LATE_123_456_02.json", "hopper_77_88_02-2.json"], ["123", "77"]),
        (["Ada Lovelace_4711_assignsubmission_file_/02.json"], ["4711"]),
        (["Ada Lovelace_4711_assignsubmission_file_02.json"], ["4711"]),
        (["group-12.json", "s007.json", "a_03.json"], ["group-12", "s007", "a_03"]),
        (["eve_smith_LATE_12_34_02.json", "LATE_anon_aB3dE_99_02.json"], ["12", "anon_aB3dE"]),
        (["Ada Lovelace_4711_assignsubmission_file/notebooks/02.ipynb", "Bob_9_assignsubmission_"
          "file/02.json"], ["4711", "9"]),
        (["anna/02.json", "anna/notebooks/02_vanishing.ipynb"], ["anna", "anna"]),
        ([".ipynb_checkpoints/x.ipynb", "a/handout.json", "a/02.ipynb", "a/notes.txt"], ["a"]),
        (["anna/notebooks/02_a.ipynb", "anna/backups/02_a.ipynb", "bob/02.json"], ["anna", "bob"]),
        (["emil_02.json", "emil_02 (1).json", "fay_02_vanishing (2).ipynb", "gus_02 copy.json",
          "hal_02 - Copy (3).json"], ["emil", "emil", "fay", "gus", "hal"]),
        (["Zoe\u0308_02.json", "Zo\u00eb_02 (1).json", "A\u030asa/02.json"],
         ["Zo\u00eb", "Zo\u00eb", "\u00c5sa"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("packed", [False, True])
def test_students_are_told_by_names(tmp_path, names, students, packed):
    """Catches work that is put down to somebody else, or to a folder."""
    place = filled(tmp_path / "in", *names)
    if packed:
        place = tmp_path / "in.zip"
        with zipfile.ZipFile(place, "w") as archive:
            for name in names:
                archive.writestr(name, "{}")
    found = collect(place, "02")
    assert sorted(one.student for one in found) == sorted(students)
    assert not any(one.late and "LATE" not in one.name for one in found)
    now = datetime.now(UTC)
    for one in found:
        if one.student.isdigit() or one.student.startswith("anon_"):
            assert one.at is None  # their zips have the time of the download
        else:
            assert abs(now - one.at) < timedelta(minutes=5)


@pytest.mark.parametrize(
    ("names", "students"),
    [
        (["eve/anna_1_99_02-9.json", "anna/02.json"], ["anna", "eve"]),
        (["eve/x_1_assignsubmission_file_/02.json", "anna/02.json"], ["anna", "eve"]),
        (["Eve_7_assignsubmission_file_/anna_1_99_02.json", "Bob_8_assignsubmission_file_/02.json"],
         ["7", "8"]),
        (["Eve_7_assignsubmission_file_/x_1_assignsubmission_file_/02.json",
          "Bob_8_assignsubmission_file_/02.json"], ["7", "8"]),
        (["Eve_7_assignsubmission_file_x_1_assignsubmission_file_02.json"], ["7"]),
        (["eve_7_99_x_1_98_02.json"], ["7"]),
    ],
)  # fmt: skip
def test_nobody_hands_in_for_somebody_else(tmp_path, names, students):
    """Catches a file or folder that a student has called so that it counts as another's."""
    found = collect(filled(tmp_path, *names), "02")
    assert sorted(one.student for one in found) == students


def test_a_folder_of_everything_may_be_a_student(tmp_path):
    """Catches the first student of a class, alone, put down to the name of her file."""
    folder = filled(tmp_path, "all/anna/02.json")
    assert [one.student for one in collect(folder, "02", ["anna"])] == ["anna"]
    assert [one.student for one in collect(folder / "all", "02")] == ["anna"]


def test_a_roster_tells_a_copy_from_a_namesake(tmp_path):
    """Catches a student of the roster who has another row because a browser renamed her file."""
    filled(
        tmp_path, "Zoe\u0308 (1).json", "Emil (2).json", "02.json", "02 (1).json", "ida (1).json"
    )
    found = collect(tmp_path, "02", ["Zo\u00eb", "Emil (2)"])
    names = ["02", "02 (1)", "Emil (2)", "Zo\u00eb", "ida (1)"]
    assert [one.student for one in found] == names


def test_folders_that_lead_out_of_a_zip_are_students_of_their_own(tmp_path):
    """Catches two students who become one "..", and one who becomes somebody else."""
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        for name in ("../../x/02.json", "../../y/02.json", "/z/02.json", "../z.json", "x/02.json"):
            archive.writestr(name, "{}")
    found = [one.student for one in collect(tmp_path / "in.zip", "02")]
    assert found == ["../../x", "../../y", "../z", "/z", "x"]
    assert len(set(pages_of(found))) == 5


@pytest.mark.parametrize("packed", [False, True])
def test_what_is_no_notebook_is_a_row(tmp_path, packed):
    """Catches a student who is nowhere because she handed in a file of another kind."""
    names = ["in/anna/02.json", "in/anna/me.txt", "in/bob/02.ipynb", "in/fay/02.zip",
             "in/gus_02.json.txt", "in/Ada_7_assignsubmission_onlinetext_/onlinetext.html",
             "in/README.md", "in/roster.csv", "in/hal/timestamp.txt", "in/ivy/README.md",
             "in/anna.b_02.pdf", "in/ada_1_3_x.csv"]  # fmt: skip
    place = filled(tmp_path / "class", *names)
    if packed:
        place = tmp_path / "class.zip"
        with zipfile.ZipFile(place, "w") as archive:
            for name in names:
                archive.writestr(name, "{}")
    found = {one.student: one for one in collect(place, "02")}
    assert sorted(found) == ["1", "7", "anna", "anna.b", "bob", "fay", "gus", "ivy"]
    assert found["anna"].name == "02.json"
    for who, name in (("fay", "02.zip"), ("gus", "gus_02.json.txt"), ("7", "onlinetext.html")):
        with pytest.raises(NoNotebook, match=f"cannot be read: {name} is no"):
            found[who].read()


def test_too_many_files_of_one_are_one_row(tmp_path, monkeypatch):
    """Catches one student with thousands of files who stops the grading of all."""
    monkeypatch.setattr(collecting, "MOST_FILES", 2)
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        for name in ("anna/1", "anna/2", "bob/1", "eve/1", "eve/2", "eve/3"):
            archive.writestr(f"{name}.json", "{}")
    found = collect(tmp_path / "in.zip", "02")
    assert [one.student for one in found] == ["anna", "anna", "bob", "eve"]
    with pytest.raises(NoNotebook, match="3 files"):
        found[-1].read()
    assert found[0].read() == b"{}"


def test_a_zip_of_a_whole_disk_is_refused(tmp_path, monkeypatch):
    """Catches an archive of a million names that is read all the same."""
    monkeypatch.setattr(collecting, "MOST_STUDENTS", 2)
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        for name in "abc":
            archive.writestr(f"{name}.json", "{}")
    with pytest.raises(ValueError, match="3 students"):
        collect(tmp_path / "in.zip", "02")


def test_canvas_tells_late_and_again(tmp_path):
    """Catches a late mark that is lost, and a first version that counts for the second."""
    filled(tmp_path, "ada_LATE_1_2_02.json", "ada_1_3_02-1.json")
    first, second = collect(tmp_path, "02")
    assert (first.late, first.version) == (True, 0)
    assert (second.late, second.version) == (False, 1)


def test_nbgraders_time_stamp_counts(tmp_path):
    """Catches lateness by the time of the copy, not of the hand-in."""
    filled(tmp_path, "ada/lec02/02.ipynb", "bob/lec02/02.ipynb")
    (tmp_path / "ada/lec02/timestamp.txt").write_text("2027-03-04 10:00:00.5 UTC\n")
    assert collect(tmp_path, "02")[0].at == datetime(2027, 3, 4, 10, 0, 0, 500_000, UTC)


def test_a_time_stamp_of_her_own_is_none(tmp_path):
    """Catches late work made punctual by a file that its author has put beside it."""
    stamp = "2020-01-01 10:00:00 UTC"
    filled(tmp_path, *(f"plain/all/{who}/x/02.json" for who in ("ada", "bob", "eve")))
    (tmp_path / "plain/all/eve/x/timestamp.txt").write_text(stamp)
    assert {one.at.year == 2020 for one in collect(tmp_path / "plain", "02")} == {False}
    filled(tmp_path, "of nbgrader/eve/lec02/deep/02.json")
    (tmp_path / "of nbgrader/eve/lec02/timestamp.txt").write_text("2027-03-04 10:00:00 UTC")
    (tmp_path / "of nbgrader/eve/lec02/deep/timestamp.txt").write_text(stamp)
    assert [one.at.year for one in collect(tmp_path / "of nbgrader", "02")] == [2027]


@pytest.mark.parametrize(
    "name", ["../../x", "..", "a/b", "", "CON:", "x\x00y", "Zoë", "-rf", "a" * 99]
)
def test_no_name_is_a_path(name):
    """Catches a page that is written outside the folder, or over another student's."""
    page = page_of(name)
    assert page == os.path.basename(page)
    assert page.isascii()
    assert ".." not in page
    assert len({page_of(other) for other in (name, name + "'", name + '"')}) == 3
    assert page_of("anna.b-2@uni.example") == "anna.b-2@uni.example"


def test_two_students_have_two_pages_where_capitals_are_none():
    """Catches feedback that a student of nearly the same name finds in the place of her own."""
    pages = pages_of(["anna", "Anna", "bob"])
    assert len({page.casefold() for page in pages}) == 3
    assert pages[2] == "bob"


def test_what_is_too_large_is_not_read(tmp_path):
    """Catches 300 MB, or a zip that becomes them, in this process's memory."""
    large = tmp_path / "in" / "anna.ipynb"
    large.parent.mkdir()
    with large.open("wb") as file:
        file.truncate(300_000_000)
    with pytest.raises(NoNotebook, match="300 MB"):
        collect(large.parent, "02")[0].read()
    packed = tmp_path / "bomb.zip"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../anna.ipynb", bytes(25_000_000))
        archive.writestr("bob.ipynb", b"{}")
    found = {one.student: one for one in collect(packed, "02")}
    with pytest.raises(NoNotebook, match="25 MB"):
        found["../../anna"].read()
    assert found["bob"].read() == b"{}"


def test_a_damaged_place_in_a_zip_is_one_row(tmp_path):
    """Catches one broken entry that stops the grading of all."""
    packed = tmp_path / "in.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("anna.json", b"0123456789")
    packed.write_bytes(packed.read_bytes().replace(b"0123456789", b"9876543210"))
    with pytest.raises(NoNotebook, match="damaged"):
        collect(packed, "02")[0].read()


def test_links_are_left_alone(tmp_path):
    """Catches a link in a submission that shows somebody else's file."""
    filled(tmp_path, "in/bob.json", "secret.json")
    (tmp_path / "in" / "anna.json").symlink_to(tmp_path / "secret.json")
    assert [one.student for one in collect(tmp_path / "in", "02")] == ["bob"]


def test_nothing_there_says_so(tmp_path):
    """Catches an empty table instead of the wrong folder's name."""
    with pytest.raises(ValueError, match="no hand-in"):
        collect(tmp_path, "02")
    with pytest.raises(FileNotFoundError):
        collect(tmp_path / "nowhere", "02")
