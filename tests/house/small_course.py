"""A course in small: our installer and Makefile, one dependency, wheels in a folder, no network."""

from __future__ import annotations

import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools import install

ROOT = Path(install.__file__).parents[1]
SLIDES = Path("labextensions", "recurrent-course", "deck.js")  # in the package

PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "small-course"
version = "1"
dependencies = ["grain"]
[project.optional-dependencies]
all = []
[tool.ruff]
line-length = 100
"""

BACKEND = """
import tomllib
from pathlib import Path
from tests_wheel import write_wheel

def build_editable(folder, config_settings=None, metadata_directory=None):
    if Path("gate").exists():  # a named pipe: a test wants to meet us at work
        Path("gate").read_text()
    files = {"small_course.pth": str(Path.cwd())}
    slides, there = Path("course_utils/labextensions"), "small_course-1.data/data/share/jupyter"
    for file in (f for f in slides.rglob("*") if f.is_file()):
        files[f"{there}/labextensions/{file.relative_to(slides)}"] = file.read_text()
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    needs = [f"Requires-Dist: {name}\\n" for name in project["dependencies"]]
    more = "".join([*needs, "Provides-Extra: all\\n"])
    return write_wheel(folder, "small_course", "1", files, more, "course=course_utils:main")
"""

PACKAGE = """
def main():
    import grain, grain.part99
    assert grain.VERSION == grain.part99.VERSION
    print("grain", grain.VERSION)
"""


def write_wheel(folder, name, version, files, more="", script=""):
    """Write a wheel as pip wants it; return its name."""
    import zipfile
    from pathlib import Path

    info = f"{name}-{version}.dist-info"
    files = dict(files)
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{more}"
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    if script:
        files[f"{info}/entry_points.txt"] = f"[console_scripts]\n{script}\n"
    files[f"{info}/RECORD"] = "".join(f"{file},,\n" for file in [*files, f"{info}/RECORD"])
    wheel = Path(folder, f"{name}-{version}-py3-none-any.whl")
    with zipfile.ZipFile(wheel, "w") as archive:
        for file, content in files.items():
            archive.writestr(file, content)
    return wheel.name


def make_small_course(root: Path) -> Path:
    """Write a checkout with our installer and Makefile, and two versions of what it needs."""
    (root / "tools").mkdir(parents=True)
    (root / "course_utils" / SLIDES).parent.mkdir(parents=True)
    (root / "course_utils" / SLIDES).write_text("slides")
    (root / "course_utils" / "__init__.py").write_text(PACKAGE)
    shutil.copy(install.__file__, root / "tools")
    shutil.copy(ROOT / "Makefile", root)
    (root / "pyproject.toml").write_text(PROJECT)
    (root / "constraints.txt").write_text("grain==1\n")
    (root / "backend.py").write_text(BACKEND)
    (root / "tests_wheel.py").write_text(inspect.getsource(write_wheel))
    for folder in ("wheels", "nothing"):
        (root / folder).mkdir()
    for version in ("1", "2"):  # so many files that a kill can meet pip between two of them
        text = f"VERSION = {version}\n"
        files = {f"grain/part{n}.py": text for n in range(100)}
        write_wheel(root / "wheels", "grain", version, {"grain/__init__.py": text, **files})
    return root


def start(root: Path, *command: str, online: bool = True, **variables: str) -> subprocess.Popen:
    """Start a command in a process group of its own; what it can install lies in a folder."""
    from_here = {
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(root / ("wheels" if online else "nothing")),
    }
    nowhere_else = {"PIP_CONFIG_FILE": os.devnull, "PIP_EXTRA_INDEX_URL": ""}
    return subprocess.Popen(
        command, cwd=root, start_new_session=True, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, **nowhere_else, **from_here, **variables},
    )  # fmt: skip


def make(root: Path, target: str = "lab", online: bool = True, **variables: str) -> tuple[int, str]:
    """Run make to its end; return its exit code and all that it said."""
    python = f"PYTHON={sys.executable}"
    process = start(root, "make", "-s", target, python, online=online, **variables)
    told, _ = process.communicate(timeout=300)
    return process.returncode, told
