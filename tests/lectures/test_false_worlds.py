"""Every claim breaks in a world where its sentence is false; the page of claims is of today."""

from __future__ import annotations

from pathlib import Path

import pytest

from course_utils.checks.promises.measured import Measured
from course_utils.pages.notebook import lectures, read
from tests.tools.lesson import write_lesson
from tools.claims.run import Report, report
from tools.claims.table import (
    PAGE,
    complaints,
    measure_lectures,
    out_of_date,
)
from tools.claims.worlds import gaps, read_worlds

ROOT = Path(__file__).resolve().parents[2]
LECTURES = [pytest.param(path, id=path.stem) for path in lectures(ROOT / "notebooks")]

MEASURED = """kept = [0.9**lag for lag in range(8)]
claim("00.1", kept[7], high=0.5, says="left of 1 after seven steps")"""
WORLD = """[[world]]
name = "nothing fades"
breaks = ["00.1"]
cell = "claim"
old = "0.9**lag"
new = "1.0**lag"
"""


@pytest.mark.parametrize("path", LECTURES)
def test_every_claim_has_a_false_world(path):
    """Catches a claim that nobody tried to break, and a world whose text the cells lost."""
    found = list(gaps(read(path), read_worlds(path.stem)))
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("path", LECTURES)
def test_every_claim_breaks_in_its_false_worlds(path, record_property):
    """Catches a claim that holds whatever the sentence beside it says."""
    found = report(path)
    assert not complaints(found), "\n".join(complaints(found))
    record_property("claims", len(found.claims))
    record_property("worlds", len({outcome.world for outcome in found.outcomes}))


# ── the harness ───────────────────────────────────────────────────────────────────────────────────


def small_report(root: Path, toml: str = WORLD, claim: str = MEASURED) -> Report:
    """Run a small lecture with one claim in its false worlds."""
    (root / "00_small.toml").write_text(toml)
    return report(write_lesson(root, claim=claim), root)


def test_a_claim_that_breaks_is_reported(tmp_path):
    """Catches a harness that complains whatever happens, and a world that leaks into the truth."""
    found = small_report(tmp_path)
    assert complaints(found) == []
    assert [(one.claim, one.value) for one in found.outcomes] == [("00.1", 1.0)]
    assert found.claims == [
        Measured("00.1", 0.9**7, None, 0.5, "left of 1 after seven steps"),
    ]


def test_a_false_world_that_refutes_nothing_is_told(tmp_path):
    """Catches a mutation taken for a success because it raised, died or changed nothing.

    And the true number taken for a false world's that never measured: it changes a later cell.
    """
    wrong = {
        ("claim", "0.9**lag", "0.8**lag"): "still holds: 0.2097, at most 0.5; true 0.4783",
        ("claim", "0.9**lag", "float('nan')"): "is NaN: that is no measurement",
        ("claim", "0.9**lag", "0.9**later"): "measured nothing: cell 'claim': NameError",
        ("claim", "kept = [", "__import__('os').abort()\\nkept = ["): "ended with status 6",
        ("check", "one_step", "print"): "measured nothing: the claim was not reached",
    }
    told = complaints(small_report(tmp_path, "".join(world(*change) for change in wrong)))
    assert len(told) == len(wrong)
    for complaint, expected in zip(told, wrong.values(), strict=True):
        assert expected in complaint


def world(cell: str, old: str, new: str) -> str:
    """Return a false world for the small lecture's claim."""
    toml = WORLD.replace('"claim"', f'"{cell}"').replace('"0.9**lag"', f'"{old}"')
    return toml.replace('"1.0**lag"', f'"{new}"').replace("nothing fades", f"{new[-9:]} in {cell}")


def test_a_claim_that_does_not_hold_is_told(tmp_path):
    """Catches a broken lecture that the harness takes for a false world."""
    (found,) = complaints(small_report(tmp_path, claim=MEASURED.replace("high=0.5", "high=0.4")))
    assert "measured 0.4782969, the lecture promises at most 0.4" in found


def test_worlds_that_change_cells_above_run_on_to_the_claim(tmp_path):
    """Catches a fork that runs the changed cell alone, and `also` left out."""
    toml = WORLD.replace('cell = "claim"', 'cell = "setup"')
    toml = toml.replace('"0.9**lag"', '"import torch"').replace(
        '"1.0**lag"', '"import torch\\nrate = 0.99"'
    )
    toml += 'also = [{ cell = "claim", old = "0.9**lag", new = "rate**lag" }]\n'
    found = small_report(tmp_path, toml)
    assert complaints(found) == []
    assert found.outcomes[0].value == 0.99**7


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (("[[world]]", "[[nothing]]"), "claim 00.1 has no false world"),
        (('"00.1"', '"00.2"'), "there is no claim 00.2"),
        (('["00.1"]', "[]"), "'nothing fades' breaks nothing"),
        (('"claim"', '"clam"'), "there is no code cell 'clam'"),
        (("0.9**lag", "0.7**lag"), "holds '0.7**lag' 0 times, not once"),
        (("0.9**lag", "lag"), "holds 'lag' 2 times, not once"),
        (("0.9**lag", "high=0.5"), "changes a claim itself"),
        (('old = "0.9**lag"', 'old = "kept[7]"'), "changes a claim itself"),
        (("1.0**lag", "("), "cell 'claim' would not parse: "),
        (("1.0**lag", "1.0]; claim('00.2', 1, 1) #"), "changes a claim itself"),
        (("1.0**lag", "1] * 9; kept = 3 #"), "sets kept to a bare number"),
        (("[[world]]", '[lacks]\n"00.1" = "later"\n[[world]]'), "take it out of [lacks]"),
        (("[[world]]", '[lacks]\n"00.9" = "later"\n[[world]]'), "there is no claim 00.9"),
    ],
)
def test_a_gap_is_told_without_running(tmp_path, change, complaint):
    """Catches worlds that fit nothing, and those that only turn the claim's own screws."""
    notebook = read(write_lesson(tmp_path, claim=MEASURED))
    (tmp_path / "00_small.toml").write_text(WORLD)
    assert list(gaps(notebook, read_worlds("00_small", tmp_path))) == []
    (tmp_path / "00_small.toml").write_text(WORLD.replace(*change))
    assert any(complaint in told for told in gaps(notebook, read_worlds("00_small", tmp_path)))


# ── the page ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("value", "low", "high", "words"),
    [
        (7, 7, 7, "exact"),
        (2.0, 1, 5, "1 (25% of the band)"),
        (1e-9, None, 1e-6, "1,000 times"),
        (0.99, 0.98, None, "0.01"),
        (0.0, None, 1e-8, "10⁻⁸"),
        (-3.0, None, 1, "4"),
        (500.0, 100, None, "5 times"),
    ],
)
def test_a_margin_is_in_an_honest_unit(value, low, high, words):
    """Catches a distance to the farther end, and a factor where there is none."""
    assert Measured("00.1", value, low, high, "").margin == words


def test_the_page_is_held_to_the_lectures(tmp_path):
    """Catches a page that lost a claim, kept an old one, or tells another sentence."""
    (tmp_path / "docs").mkdir()
    write_lesson(tmp_path, claim=MEASURED)
    assert out_of_date(tmp_path) == ["00.1 is not on the page"]
    assert measure_lectures(tmp_path, [], tell=len) == []
    page = (tmp_path / PAGE).read_text()
    assert (
        "| **00.1** | left of 1 after seven steps: 0.478. | — | — | at most 0.5 | 0.022 |" in page
    )
    assert out_of_date(tmp_path) == []
    write_lesson(tmp_path, claim=MEASURED.replace('"left', 'f"{kept[0]} left'))
    assert out_of_date(tmp_path) == [
        "00.1 says something else on the page: left of 1 after seven steps: 0.478."
    ]
    write_lesson(tmp_path, claim=MEASURED.replace("left of 1 after", "{3} after"))
    assert len(out_of_date(tmp_path)) == 1
    write_lesson(tmp_path, claim=MEASURED.replace('"left of 1', 'f"{3} is right'))
    assert len(out_of_date(tmp_path)) == 1
    write_lesson(tmp_path, claim=MEASURED.replace('"left of 1', 'f"left of {1}'))
    assert out_of_date(tmp_path) == []
    sentence = MEASURED.replace("left of 1 after seven steps", "After seven steps {:1} is left.")
    write_lesson(tmp_path, claim=sentence)
    assert len(out_of_date(tmp_path)) == 1
    assert measure_lectures(tmp_path, [], tell=len) == []
    assert "| After seven steps 0.5 is left. | — |" in (tmp_path / PAGE).read_text()
    assert out_of_date(tmp_path) == []
    write_lesson(tmp_path, claim=MEASURED.replace("00.1", "00.2"))
    assert out_of_date(tmp_path) == [
        "00.1 is on the page and in no lecture",
        "00.2 is not on the page",
    ]
