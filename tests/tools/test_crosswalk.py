"""The crosswalk leads somewhere from everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_utils.crosswalk import Row, rows, show_crosswalk, table
from course_utils.pages.notebook import lectures, read
from tests.tools.lesson import write_lesson
from tools.dead_ends import dead_ends

ROOT = Path(__file__).resolve().parents[2]
GOOD = Row("00", "a topic", "A section", ["00.1"], ["0.1"])


def test_every_row_leads_somewhere():
    """Catches a section that was renamed, and a claim or exercise that no topic leads to."""
    found = dead_ends(rows(), ROOT / "notebooks")
    assert not found, "\n".join(found)


def test_rows_stand_in_the_order_of_teaching():
    """Catches a lecture listed after a later one, and topics out of the order of its sections."""
    places = {
        (path.name[:2], section): (number, place)
        for number, path in enumerate(lectures(ROOT / "notebooks"))
        for place, section in enumerate(read(path).sections())
    }
    found = [places[row.lecture, row.section] for row in rows()]
    assert found == sorted(found)


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        (GOOD._replace(lecture="07"), "there is no section 'A section'"),
        (GOOD._replace(section="Elsewhere"), "there is no section 'Elsewhere'"),
        (GOOD._replace(claims=["00.1", "00.2"]), "'A section' has no claim 00.2"),
        (GOOD._replace(exercises=["0.2"]), "'A section' has no exercise 0.2"),
        (GOOD._replace(section="Summary"), "'Summary' has no claim 00.1"),
        (GOOD._replace(claims=[]), "no row of crosswalk.toml leads to claim 00.1"),
        (GOOD._replace(exercises=[]), "no row of crosswalk.toml leads to exercise 0.1"),
    ],
)
def test_a_dead_end_is_told(tmp_path, row, complaint):
    """Catches a test above that passes whatever the table says."""
    folder = write_lesson(tmp_path).parent
    assert dead_ends([GOOD], folder) == []
    assert any(complaint in found for found in dead_ends([row], folder))


def test_a_row_shows_where_it_leads(tmp_path):
    """Catches a table that breaks at a bar, and links that only work from one place."""
    folder = write_lesson(tmp_path).parent
    row = GOOD._replace(topic="either | or")
    line = table([row], folder).splitlines()[2]
    assert line == r"| either \| or | [00 · A section](00_small.ipynb#A-section) | 00.1 | 0.1 |"
    assert "](notebooks/00_small.ipynb)" in table([row], folder, "notebooks/")


def test_a_lecture_shows_the_table(monkeypatch):
    """Catches a table without links where lecture 00 shows it."""
    monkeypatch.chdir(ROOT / "notebooks")
    assert "(02_vanishing_gradients.ipynb#" in show_crosswalk().data
