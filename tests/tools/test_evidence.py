"""A claim that rests on training says on how many runs, and what it stands beside."""

from __future__ import annotations

import pytest

from course_utils.pages.notebook import read
from tests.tools.lesson import write_lesson
from tools.claims.evidence import evidence, runs_in, unsupported
from tools.claims.table import PAGE, measure_lectures, out_of_date
from tools.claims.worlds import read_worlds

CLAIMS = """kept = 0.3
claim("00.1", kept, high=0.5, says="Of ten networks, the best is left with {}: a coin has 1.")
claim("00.2", kept, high=0.5, says="That is {}.", looked_up="race.json")"""
BESIDE = '[beside]\n"00.1" = "a coin"\n"00.2" = "00.1"\n'


@pytest.mark.parametrize(
    ("sentence", "runs"),
    [
        ("It is {} (one run).", 1),
        ("The better of the two networks has {} (one run).", 1),
        ("Our network is at {}.", 1),
        ("One trained LSTM is right up to {}.", 1),
        ("In the median of ten LSTMs it costs {:%} of the answers.", 10),
        ("It is ahead by {:2} (means of five seeds).", 5),
        ("{} of 10 recall it over 200 steps.", 10),
        ("It gains {} seeds of ten.", 10),
        ("With a gate that learns, half of ten reach {}.", 10),
        ("Of sixty seeds of GRUs the luckiest is right at {}.", 60),
        ("After 100 steps on 20 sentences it has gained {}.", None),
        ("Silencing a unit at random loses {:%}, in the median of 30.", None),
        ("Silencing one unit of 64 loses {:%}.", None),
    ],
)
def test_runs_are_read_in_the_sentence(sentence, runs):
    """Catches steps, sentences and units that count as seeds, and seeds that are not seen."""
    assert runs_in(sentence) == runs


def told(tmp_path, toml: str, claims: str = CLAIMS) -> list[str]:
    """Return what is missing behind the claims of a small lecture."""
    (tmp_path / "00_small.toml").write_text(toml)
    return list(
        unsupported(read(write_lesson(tmp_path, claim=claims)), read_worlds("00_small", tmp_path))
    )


def test_a_claim_may_lean_on_the_one_before_it(tmp_path):
    """Catches a second claim of a cell that must name the same seeds again."""
    assert told(tmp_path, BESIDE) == []
    notebook = read(write_lesson(tmp_path, claim=CLAIMS))
    found = evidence(notebook, read_worlds("00_small", tmp_path))
    assert [(one.runs, one.baseline) for one in found.values()] == [
        ("10", "a coin"),
        ("10", "00.1"),
    ]


@pytest.mark.parametrize(
    ("toml", "complaint"),
    [
        ('[beside]\n"00.1" = "a coin"\n', "00.2 is looked up and has no baseline"),
        (BESIDE.replace("a coin", "a die"), "00.1 does not name its baseline 'a die'"),
        (BESIDE.replace('"00.1"\n', '"00.3"\n'), "stands beside 00.3, not another claim"),
        (BESIDE.replace("a coin", "00.1"), "stands beside 00.1, not another claim"),
        (BESIDE.replace("a coin", "in its world"), "00.1 has its baseline in no false world"),
        (BESIDE + '"00.9" = "00.1"\n', "names claim 00.9, which is not there"),
        (BESIDE + '[few]\n"00.1" = "dear"\n', "00.1 rests on 10: take it out of [few]"),
    ],
)
def test_a_baseline_stands_where_it_is_said_to(tmp_path, toml, complaint):
    """Catches a baseline that nobody measures, and one that is not named at all."""
    (found,) = told(tmp_path, toml)
    assert complaint in found


def test_few_runs_need_a_reason(tmp_path):
    """Catches three seeds that pass for a result, and a sentence without any."""
    three = CLAIMS.replace("ten", "three")
    assert [f"claim {n} rests on 3 runs, not 5: say why under [few]" for n in ("00.1", "00.2")] == (
        told(tmp_path, BESIDE, three)
    )
    assert told(tmp_path, BESIDE + '[few]\n"00.1" = "dear"\n"00.2" = "as well"\n', three) == []
    none = told(tmp_path, BESIDE, CLAIMS.replace("Of ten networks", "On average"))
    assert [line.partition(":")[0] for line in none] == [
        "claim 00.1 names no seeds",
        "claim 00.2 names no seeds",
    ]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("ten networks", "9 networks", "00.1 rests on 9, beside a coin; the page: 10, a coin"),
        (
            'high=0.5, says="Of',
            'high=0.4, says="Of',
            "00.1 promises at most 0.4; the page: at most",
        ),
    ],
)
def test_a_stale_row_is_told(tmp_path, monkeypatch, old, new, complaint):
    """Catches a page that keeps old seeds, bands or worlds where the numbers are the same."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "00_small.toml").write_text(BESIDE)
    monkeypatch.setattr(read_worlds, "__defaults__", (tmp_path,))
    write_lesson(tmp_path, claim=CLAIMS)
    assert measure_lectures(tmp_path, [], tell=len) == []
    assert "| 10 | a coin | at most 0.5 |" in (tmp_path / PAGE).read_text()
    assert out_of_date(tmp_path) == []
    write_lesson(tmp_path, claim=CLAIMS.replace(old, new))
    assert any(complaint in line for line in out_of_date(tmp_path)), out_of_date(tmp_path)


def test_a_world_that_no_longer_breaks_a_claim_is_told(tmp_path, monkeypatch):
    """Catches docs/claims.md listing a world for a claim that it was taken from."""
    (tmp_path / "docs").mkdir()
    world = """[[world]]
name = "nothing is left"
breaks = ["00.1"]
cell = "claim"
old = "kept = 0.3"
new = "kept = 0.3 + 0.6"
"""
    monkeypatch.setattr(read_worlds, "__defaults__", (tmp_path,))
    (tmp_path / "00_small.toml").write_text(BESIDE + world)
    write_lesson(tmp_path, claim=CLAIMS)
    assert measure_lectures(tmp_path, [], tell=len) == []
    page = (tmp_path / PAGE).read_text().replace("*no world yet: *", "nothing is left (0.9)", 1)
    (tmp_path / PAGE).write_text(page)
    assert out_of_date(tmp_path) == []
    renamed = world.replace("nothing is left", "little is left")
    (tmp_path / "00_small.toml").write_text(BESIDE + renamed)
    (line,) = out_of_date(tmp_path)
    assert line.startswith("00.1 breaks in little is left; the page: nothing is left (0.9)")
