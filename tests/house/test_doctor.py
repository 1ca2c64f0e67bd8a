"""The doctor finds what is wrong with a machine and says what to do about it."""

from __future__ import annotations

import importlib.metadata
import os
import sys

import pytest
import torch

from course_utils import doctor
from course_utils.settings import default_threads


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


def test_a_report_has_a_line_for_everything(quick, monkeypatch, capsys):
    """Catches a look that is left out, and a problem that is not counted."""
    for name in ("COURSE_DEVICE", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(doctor, "ENOUGH_DISK", 0)
    assert doctor.examine() == 0
    told = capsys.readouterr().out
    for what in ("Python", "packages", "device", "threads", "disk", "speed", "All well."):
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
        ("packages", ("NEEDED", ("torch", "no_such_package")), "run `make lab` once more"),
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
