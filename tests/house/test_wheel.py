"""The wheel that a release hands out holds the course, whole, and works without a clone."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
import yaml

import course_utils
from tools import install

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """Return the unpacked wheel of this checkout."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (file,) = folder.glob("*.whl")
    assert file.name.startswith(f"recurrent_course-{course_utils.__version__}-py3-")
    zipfile.ZipFile(file).extractall(folder / "unpacked")
    return folder / "unpacked"


def names(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_the_wheel_holds_the_package_and_nothing_else(wheel):
    """Catches tools, tests or a scratch file in a release, and a table that is left out of it."""
    listed = ["git", "ls-files", "-co", "--exclude-standard", "course_utils", "notebooks"]
    if not (ROOT / ".git").exists():
        pytest.skip("only a clone knows which files belong to the course")
    told = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    ours = {name for name in told.splitlines() if (ROOT / name).is_file()}
    held = names(wheel)
    lectures = {name for name in ours if name.startswith("notebooks/")}
    assert lectures
    ours = (ours - lectures) | {f"course_utils/lectures/{Path(name).name}" for name in lectures}
    assert {name for name in held if not name.startswith("recurrent_course-")} == ours
    assert {name.split("/")[0].removeprefix("recurrent_course-") for name in held - ours} == {
        f"{course_utils.__version__}.{part}" for part in ("data", "dist-info")
    }
    assert any(name.endswith("/entry.js") for name in held - ours), "Lab would not find the deck"


def test_the_wheel_works_without_the_clone(wheel, tmp_path):
    """Catches code that leans on tools/, on a file of the clone, or on what only tests need."""
    places = [str(wheel), sysconfig.get_path("purelib")]  # -S: no editable clone among them
    told = subprocess.run(
        [sys.executable, "-S", "-P", str(ROOT / "tests" / "house" / "in_the_wheel.py"), str(wheel)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(places)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert "works in" in told.stdout


def test_a_tag_releases_what_was_tested():
    """Catches a release of another version than its tag says, one without a date, and a wheel that
    nobody has tried in an environment of its own."""
    path = ROOT / ".github" / "workflows" / "release.yml"
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert workflow[True] == {"push": {"tags": ["v*"]}}  # YAML 1.1 reads `on` as a truth value
    (job,) = workflow["jobs"].values()
    runs = [step["run"] for step in job["steps"] if "run" in step]
    order = ("GITHUB_REF_NAME", "CHANGELOG", "hatchling build", "in_the_wheel.py", "gh release")
    found = [next(n for n, run in enumerate(runs) if word in run) for word in order]
    assert found == sorted(found)
    (python,) = [s["with"]["python-version"] for s in job["steps"] if "with" in s]
    assert python == ".".join(map(str, install.OLDEST))
