"""The course's kernel has the course's name, and every lecture still finds it as python3."""

from __future__ import annotations

import json
import sys

import pytest

from course_utils.kernel_names import NAME, PYTHON3, CourseKernels
from tools.rules.files import METADATA


@pytest.fixture
def install(tmp_path, monkeypatch):
    """Return a function that installs a kernel before all others."""
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))

    def put(name: str, program: str) -> None:
        folder = tmp_path / "kernels" / name
        folder.mkdir(parents=True)
        argv = [program, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        spec = {"argv": argv, "display_name": "Mine", "language": "python"}
        (folder / "kernel.json").write_text(json.dumps(spec))

    return put


def names() -> dict[str, str]:
    """Return what the menu of kernels says."""
    specs = CourseKernels().get_all_specs()
    return {name: spec["spec"]["display_name"] for name, spec in specs.items()}


@pytest.mark.parametrize("program", ["python", "python3", sys.executable])
def test_the_kernel_of_this_python_has_the_courses_name(install, program):
    """Catches a menu of nothing but "Python 3 (ipykernel)", and lectures that ask for a kernel."""
    install(PYTHON3, program)
    install("other", "python")
    assert METADATA["kernelspec"]["name"] == PYTHON3
    assert names()[PYTHON3] == NAME
    assert names()["other"] == "Mine"


def test_another_pythons_kernel_keeps_its_name(install):
    """Catches the course's name on a Python that does not have the course."""
    install(PYTHON3, "/elsewhere/bin/python3")
    assert names()[PYTHON3] == "Mine"
