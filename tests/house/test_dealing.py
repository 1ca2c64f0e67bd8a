"""How `make test` deals its tests out to two processes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.__main__ import ROOT, TWO_DEALT

CONFTEST = """from pathlib import Path
from tests import dealing
dealing.ROOT = Path(__file__).parent
dealing.WEIGHTS = dealing.ROOT / "weights.json"
pytest_plugins = ["tests.dealing"]
"""
LECTURES = """import pytest
@pytest.fixture(scope="module", params=["00_short.ipynb", "01_b.ipynb", "02_c.ipynb"])
def lecture(request):
    with open("opened", "a") as file:
        print(request.param, file=file)
"""
ONE_TEST = """@pytest.mark.slow
def test_{}(lecture):
    with open("ran", "a") as file:
        print("lecture", file=file)
"""
OTHERS = """import pytest
@pytest.mark.parametrize("number", range({}))
{}def test_it(number):
    with open("ran", "a") as file:
        print("{}", file=file)
"""
MANY_SECONDS = """import time, pytest
@pytest.fixture
def long():
    time.sleep(0.8)
    yield
@pytest.mark.parametrize("number", range(2))
def test_it(number, long):
    pass
"""

WAITS_FOR_EVER = """import threading
def test_before():
    pass
def test_that_waits():
    threading.Event().wait()
def test_after():
    pass
"""


@pytest.fixture
def small_tests(tmp_path) -> Path:
    """Return a folder of tests: of three lectures, slow ones, many, and a few."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    tests = "".join(ONE_TEST.format(name) for name in "abc")
    (tmp_path / "test_lectures.py").write_text(LECTURES + tests)
    slow = "@pytest.mark.slow\n"
    for name, number, mark in (("few", 2, ""), ("many", 5, ""), ("slow", 1, slow)):
        (tmp_path / f"test_{name}.py").write_text(OTHERS.format(number, mark, name))
    return tmp_path


def told(folder: Path, settings: Path, *options: str) -> subprocess.CompletedProcess:
    """Run the tests of a folder by the settings in a file; return what was said."""
    always = ("-p", "no:cacheprovider", "-c", str(settings), "--rootdir", ".")
    command = [sys.executable, "-m", "pytest", "-q", *always, *options, "."]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def run(folder: Path, *options: str) -> None:
    """Run the tests of a folder, which pass."""
    done = told(folder, Path("/dev/null"), *options)
    assert done.returncode == 0, done.stdout


def test_no_lecture_is_opened_twice(small_tests):
    """Catches tests of one lecture in two processes, each of which opens and runs it."""
    run(small_tests, *TWO_DEALT)
    opened = Counter((small_tests / "opened").read_text().split())
    assert opened == {"00_short.ipynb": 1, "01_b.ipynb": 1, "02_c.ipynb": 1}


def order_in(folder: Path) -> list[str]:
    """Return in which order the groups ran."""
    return list(dict.fromkeys((folder / "ran").read_text().split()))


def test_the_longest_begin(small_tests):
    """Catches a long test that begins when the other process has nothing left to do."""
    weights = {"test_few.py": 9, "test_lectures.py[01_b": 80, "test_gone.py": 99}
    (small_tests / "weights.json").write_text(json.dumps(weights))
    run(small_tests)
    assert (small_tests / "opened").read_text().split()[0] == "01_b.ipynb"
    assert order_in(small_tests) == ["lecture", "slow", "few", "many"]


def test_what_a_run_weighs_orders_the_next(small_tests):
    """Catches seconds that get lost between two processes, and weights of files that are gone."""
    weights = {"test_few.py": 5, "test_gone.py": 99, "test_elsewhere.py": 7}
    (small_tests / "weights.json").write_text(json.dumps(weights))
    (small_tests / "test_elsewhere.py").write_text("def test_it():\n    pass\n")
    (small_tests / "test_many.py").write_text(MANY_SECONDS)
    run(small_tests, *TWO_DEALT, "--weigh", "--deselect", "test_elsewhere.py")
    found = json.loads((small_tests / "weights.json").read_text())
    assert found.keys() == {"test_many.py", "test_elsewhere.py"}
    assert 1.5 < found["test_many.py"] < 60


def test_one_that_waits_for_ever_fails_and_the_others_go_on(small_tests):
    """Catches a run that never ends, and one that starts what hangs again and again."""
    (small_tests / "test_many.py").write_text(WAITS_FOR_EVER)
    soon = ("-o", "faulthandler_timeout=4", "-W", "ignore")
    done = told(small_tests, ROOT / "pyproject.toml", *TWO_DEALT, *soon)
    assert "FAILED test_many.py::test_that_waits" in done.stdout
    assert "1 failed, 14 passed" in done.stdout
    assert "in test_that_waits" in done.stderr  # where it waited
