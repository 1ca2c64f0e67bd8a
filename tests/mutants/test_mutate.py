"""The mutator makes the mistakes it promises, runs them apart, and tells dead from living."""

from __future__ import annotations

import ast

import pytest

from tests.mutants import __main__ as runner
from tests.mutants.__main__ import KILLED, SURVIVED, Candidate
from tests.mutants.mutate import mutants_of

SMALL = '''
"""A docstring of 3 words."""

LIMIT = 3


def f(x: int = 2, y=True) -> list[int]:
    """Return 1."""
    if x < LIMIT and y is not None:
        raise ValueError(f"{x + 1} is " + "small")
    total = -x
    total += max(pow(x, y), 5)
    print(total)
    return [total ** 2.5 for _ in range(x) if not y]
'''
MISTAKES = {
    ("module", "3", "4"),
    ("f", "2", "3"),
    ("f", "True", "False"),
    ("f", "x < LIMIT", "x <= LIMIT"),
    ("f", "y is not None", "y is None"),
    ("f", "x < LIMIT and y is not None", "x < LIMIT or y is not None"),
    ("f", "-x", "x"),
    ("f", "pow(x, y)", "pow(y, x)"),
    ("f", "5", "6"),
    ("f", "total += max(pow(x, y), 5)", "pass"),
    ("f", "print(total)", "pass"),
    ("f", "total ** 2.5", "total * 2.5"),
    ("f", "2.5", "5.001"),
    ("f", "not y", "y"),
}


def test_every_mistake_is_made_once_and_alone():
    """Catches: places that are passed over, and words, types and messages changed as if they
    were numbers."""
    found = list(mutants_of(SMALL))
    whole = ast.unparse(ast.parse(SMALL)).splitlines()
    made = {(m.where, m.before, m.after) for m in found}
    assert made >= MISTAKES
    others = [m for m in found if (m.where, m.before, m.after) not in MISTAKES]
    assert sorted(m.before.split()[0] for m in others) == ["if", "raise"]
    for mutant in found:
        changed = mutant.source.splitlines()
        differing = [pair for pair in zip(whole, changed, strict=False) if pair[0] != pair[1]]
        assert differing, mutant
        assert len(changed) == len(whole)
        assert len(differing) == 1, "two mistakes at a time hide each other"


def test_every_module_and_every_known_equivalent_exists():
    """Catches: a list that speaks of code which has changed since, and a row without a reason."""
    found, equivalent = runner.candidates([])
    assert len(found) > 1000
    assert equivalent == len(runner.known_equivalents())
    for candidate in found:
        for tests in candidate.tests:
            path, _, name = tests.partition("::")
            assert f"def {name}" in (runner.ROOT / path).read_text(encoding="utf-8"), tests
    for rows in runner.tomllib.loads((runner.HERE / "equivalent.toml").read_text()).values():
        assert all(len(row["reason"]) > 20 for row in rows)


@pytest.mark.slow
def test_the_dead_are_told_from_the_living(tmp_path, monkeypatch, capsys):
    """Catches: a run in which everything dies, because the copy does not work, or nothing does."""
    found, _ = runner.candidates(["files.py"])
    by_change = {(c.mutant.where, c.mutant.before): c for c in found}
    dead = by_change["sweep_partials", "partial.unlink()"]
    dead = dead._replace(tests=("tests/house/test_files.py",))
    living = dead._replace(
        mutant=dead.mutant._replace(source=(runner.ROOT / dead.module).read_text())
    )
    verdicts = dict(runner.run([dead, living], seconds=300, workers=1))
    assert verdicts == {dead: KILLED, living: SURVIVED}
    assert capsys.readouterr().out.count("survived: course_utils/files.py") == 1
    assert runner.report([*verdicts.items()], 5) == 1
    assert (
        "1 of 2 killed (50.0%, 0 of them by the clock); 3 were not tried" in capsys.readouterr().out
    )
    assert runner.report([(dead, KILLED)] * 20 + [(living, SURVIVED)], 21) == 0
    assert isinstance(dead, Candidate)
