"""How `make test` deals its tests out to two processes."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.__main__ import ROOT, TWO_DEALT

CONFTEST = "from tests.dealing import pytest_collection_modifyitems, pytest_xdist_make_scheduler"
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


def run(folder: Path, *options: str) -> None:
    """Run the tests of a folder."""
    settings = ("-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", ".")
    command = [sys.executable, "-m", "pytest", "-q", *settings, *options, "."]
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    told = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout


def test_no_lecture_is_opened_twice(small_tests):
    """Catches tests of one lecture in two processes, each of which opens and runs it."""
    run(small_tests, *TWO_DEALT)
    opened = Counter((small_tests / "opened").read_text().split())
    assert opened == {"00_short.ipynb": 1, "01_b.ipynb": 1, "02_c.ipynb": 1}


def test_the_longest_begin(small_tests):
    """Catches a long test that begins when the other process has nothing left to do."""
    run(small_tests)
    assert (small_tests / "opened").read_text().split()[0] == "02_c.ipynb"
    ran = dict.fromkeys((small_tests / "ran").read_text().split())
    assert list(ran) == ["lecture", "slow", "many", "few"]
