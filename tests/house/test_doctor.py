"""The doctor finds what is wrong with a machine and says what to do about it."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from pathlib import Path

import nbformat
import pytest
import torch

from course_utils import doctor
from course_utils.pages.notebook import lectures
from course_utils.settings import default_threads
from tests import memory

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def threads_stay():
    """Put back the threads that the speed test sets."""
    before = torch.get_num_threads()
    yield
    torch.set_num_threads(before)


@pytest.fixture
def quick(monkeypatch):
    """Make the speed test short."""
    monkeypatch.setattr(doctor, "speed", lambda: doctor.Finding("speed", "fast"))
    monkeypatch.setattr(doctor, "free_memory", lambda: 8000.0)


def test_a_report_has_a_line_for_everything(quick, monkeypatch, capsys):
    """Catches a look that is left out, and a problem that is not counted."""
    for name in ("COURSE_DEVICE", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(doctor, "ENOUGH_DISK", 0)
    assert doctor.examine() == 0
    told = capsys.readouterr().out
    for what in ("Python", "packages", "device", "threads", "memory", "disk", "speed", "All well."):
        assert what in told
    monkeypatch.setenv("COURSE_DEVICE", "gpu")
    monkeypatch.setattr(doctor, "ENOUGH_DISK", 2**80)
    assert doctor.examine() == 2
    assert "2 to look at, marked with !" in capsys.readouterr().out


def test_a_hint_is_no_problem(quick, monkeypatch, capsys):
    """Catches `make doctor` that ends in an error although nothing is wrong."""
    monkeypatch.delenv("COURSE_DEVICE", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setattr("course_utils.settings.usable_threads", lambda: 2)
    monkeypatch.setattr(doctor, "ENOUGH_DISK", 0)
    assert doctor.examine() == 0
    told = capsys.readouterr().out
    assert "→ unset OMP_NUM_THREADS" in told
    assert "!" not in told


@pytest.mark.parametrize(
    ("look", "change", "advice"),
    [
        ("python_version", ("OLDEST_PYTHON", (9, 9)), "install Python 9.9"),
        ("packages", ("NEEDED", ("torch", "no_such_package")), "-m pip install -c constraints.txt"),
        ("disk", ("ENOUGH_DISK", 2**80), "free 2 GB"),
    ],
)
def test_a_problem_comes_with_advice(monkeypatch, look, change, advice):
    """Catches a finding that leaves the reader alone with it."""
    monkeypatch.setattr(doctor, *change)
    finding = getattr(doctor, look)()
    assert advice in finding.advice
    assert str(finding).startswith("! ")
    assert "→" in str(finding)


def test_a_broken_install_does_not_silence_the_doctor(quick, monkeypatch, capsys):
    """Catches a traceback in place of a report where PyTorch cannot be imported."""
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "course_utils.settings")
    monkeypatch.setattr(doctor, "ENOUGH_DISK", 0)
    assert doctor.examine() == 3
    told = capsys.readouterr().out
    assert "missing: torch" in told
    assert told.count("delete the folder .venv") == 2  # device and threads need it
    assert "speed" in told


def test_a_package_without_its_version_is_told(quick, monkeypatch, capsys):
    """Catches a doctor that falls over a package which is there only by half."""

    def half_there(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "version", half_there)
    doctor.examine()
    assert "! packages  PackageNotFoundError" in capsys.readouterr().out


def test_other_versions_than_the_tested_ones_are_found(monkeypatch, tmp_path):
    """Catches a package that something else has upgraded, and a build taken for a version."""
    version = importlib.metadata.version("torch").split("+")[0]
    pins = tmp_path / "constraints.txt"
    pins.write_text(f"# what was tested\ntorch=={version}\nnumpy==0.9\nnobody-has-it==1\n")
    monkeypatch.setattr(doctor, "CONSTRAINTS", pins)
    finding = doctor.packages()
    assert finding.found == f"numpy {importlib.metadata.version('numpy')} (tested: 0.9)"
    assert "-m pip install -c constraints.txt" in finding.advice
    pins.unlink()  # as in an installed package
    assert not doctor.packages().advice


def test_the_pins_are_found():
    """Catches a path that leads nowhere, so that every version passes."""
    assert doctor._tested_versions().keys() >= set(doctor.NEEDED)


def test_a_wrong_device_is_found(monkeypatch):
    """Catches a COURSE_DEVICE that would stop the first lecture."""
    monkeypatch.setenv("COURSE_DEVICE", "gpu")
    assert "COURSE_DEVICE is set" in doctor.device().advice


def test_too_few_threads_are_found(monkeypatch):
    """Catches OMP_NUM_THREADS left over from somewhere: lectures that take twice as long."""
    monkeypatch.setattr("course_utils.settings.usable_threads", lambda: 2)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    assert "unset OMP_NUM_THREADS" in doctor.threads().advice
    monkeypatch.setenv("OMP_NUM_THREADS", "64")
    assert not doctor.threads().advice
    monkeypatch.delenv("OMP_NUM_THREADS")
    assert f"{default_threads()} of {os.cpu_count()}" in doctor.threads().found


def test_speed_is_measured(monkeypatch):
    """Catches a speed that is the same on every machine, and a slow one passed over."""
    finding = doctor.speed(seconds=0.05)
    assert int(finding.found.split()[0].replace(",", "")) > 0
    monkeypatch.setattr(doctor, "SLOW_STEPS", float("inf"))
    assert "close other programs" in doctor.speed(seconds=0.01).advice


def test_the_memory_that_is_left_is_held_against_the_lectures(monkeypatch):
    """Catches a lecture that ends the kernel of a small machine without a word before."""
    needs = {"01": 1000, "02": 500, "03": 300, "04": 200, "05": 100, "06": 50}
    monkeypatch.setattr(doctor, "lectures_need", lambda: needs)
    monkeypatch.setattr(doctor, "free_memory", lambda: 1001.0)
    assert doctor.memory().advice == ""
    assert "lecture 01: 1.0, 02: 0.5, 03: 0.3, 04: 0.2 GB, the others" in doctor.memory().found
    monkeypatch.setattr(doctor, "free_memory", lambda: 499.0)
    assert doctor.memory().advice.endswith("no room for 01, 02")
    assert "150" in doctor.hub().found


def test_every_lecture_has_its_memory_in_the_table():
    """Catches a lecture that was never measured: `python -m tests.memory NN`."""
    numbers = {path.stem[:2] for path in lectures(ROOT / "notebooks")}
    assert doctor.lectures_need().keys() == numbers


def test_a_container_leaves_what_its_limit_leaves(tmp_path):
    """Catches a hub's reader who is told of the whole machine's memory."""
    whole = doctor.free_memory(tmp_path)
    assert whole > 100
    (tmp_path / "memory.max").write_text("max\n")
    assert doctor.free_memory(tmp_path) == pytest.approx(whole, rel=0.2)
    (tmp_path / "memory.max").write_text("50000000\n")
    (tmp_path / "memory.current").write_text("40000000\n")
    (tmp_path / "memory.stat").write_text("anon 1\ninactive_file 5000000\n")
    assert doctor.free_memory(tmp_path) == 15.0


def test_memory_is_measured_at_its_peak(tmp_path, monkeypatch):
    """Catches a measure of what is left at the end, or of the process that measures."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    sizes = []
    for number in (1, 300):
        cells = [nbformat.v4.new_code_cell(f"x = b'x' * {number}_000_000\ndel x")]
        path = tmp_path / f"{number}.ipynb"
        nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
        sizes.append(memory.peak(path))
    assert 280 <= sizes[1] - sizes[0] <= 320
