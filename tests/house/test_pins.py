"""The pinned set is whole, is what is tested, and is written down once."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from course_utils import doctor
from tests.house.small_course import make_small_course, start
from tools import install

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SYSTEMS = (
    {},
    {"sys_platform": "darwin", "platform_system": "Darwin"},
    {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
)
PYTHONS = SpecifierSet(PROJECT["requires-python"])


@pytest.mark.skipif(os.name == "nt", reason="needs make")
def test_the_weekly_run_takes_no_pins_and_audits_them():
    """Catches a job that tests what every push tests, and an audit of nothing: without --strict,
    pip-audit finds "no known vulnerabilities" where it could look up nothing at all."""
    path = ROOT / ".github" / "workflows" / "weekly.yml"
    workflow = yaml.safe_load(path.read_text(encoding="utf-8"))
    (suite,) = [s for s in workflow["jobs"]["newest"]["steps"] if s.get("run") == "bash .ci/run"]
    assert suite["env"]["CONSTRAINTS"] == ""
    (audit,) = [
        s["run"] for s in workflow["jobs"]["audit"]["steps"] if "pip_audit" in s.get("run", "")
    ]
    assert "-r constraints.txt" in audit
    assert "--strict" in audit
    asked = "import os; print('CONSTRAINTS' in os.environ, repr(os.environ.get('CONSTRAINTS')))"
    line = ["make", "-s", "install", f'PYTHON={sys.executable} -c "{asked}" #', "CONSTRAINTS="]
    told = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "True ''", "make does not hand it on"


def test_one_range_of_pythons_is_told_everywhere():
    """Catches a version that the README promises and the installer refuses."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())
    tried = workflow["jobs"]["test"]["strategy"]["matrix"]["python"]
    ends = [".".join(map(str, end)) for end in (install.OLDEST, install.NEWEST)]
    assert tried == ends
    for minor in range(install.OLDEST[1], install.NEWEST[1] + 1):
        assert f"3.{minor}.2" in PYTHONS
        assert f"3.{minor}" in readme
    assert f"3.{install.OLDEST[1] - 1}.9" not in PYTHONS
    assert f"3.{install.NEWEST[1] + 1}.0" not in PYTHONS
    assert install.OLDEST == doctor.OLDEST_PYTHON


only_pinned = pytest.mark.skipif(not install.constraints(), reason="the newest versions are tried")


def pins() -> dict[str, str]:
    """Return the pinned version of every package."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    requirements = [Requirement(line) for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(r.name): str(r.specifier) for r in requirements}


def needs(name: str, extras: set[str]) -> list[Requirement]:
    """Return what a package requires, on this system or on those that README promises."""
    try:
        lines = map(Requirement, importlib.metadata.requires(name) or [])
    except importlib.metadata.PackageNotFoundError:  # for another system
        return []
    worlds = [{"extra": extra, **system} for extra in extras for system in SYSTEMS]
    return [r for r in lines if not r.marker or any(map(r.marker.evaluate, worlds))]


@only_pinned
def test_the_pinned_set_is_whole():
    """Catches a dependency, or one of its own, whose version is left to chance."""
    pinned, seen, waiting = pins(), set(), []
    for lines in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()):
        waiting += map(Requirement, lines)
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        if (key := (name, *sorted(wanted.extras))) in seen or name == PROJECT["name"]:
            continue
        seen.add(key)
        assert name in pinned, f"{name} is not pinned: add it to constraints.txt"
        assert pinned[name].startswith("=="), f"{name} is not pinned to one version"
        waiting += needs(name, wanted.extras or {""})
    assert pinned["torch"] == "==2.13.0"


@only_pinned
@pytest.mark.skipif(
    Path(sys.prefix) != install.VENV, reason="only in the environment that make has made"
)
def test_the_pinned_set_is_what_is_tested():
    """Catches an environment that has drifted away from constraints.txt."""
    for name, pinned in pins().items():
        try:
            found = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue  # for another system
        assert Version(found).public == pinned.removeprefix("=="), name


def test_no_address_is_pinned():
    """Catches pins that only one network can reach."""
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert " @ " not in text


def pip_part() -> list[str]:
    """Return what environment.yml tells pip to install."""
    wanted = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    (python,) = [d for d in wanted if isinstance(d, str) and d.startswith("python=")]
    assert f"{python.removeprefix('python=')}.2" in PYTHONS
    (pip,) = [d["pip"] for d in wanted if isinstance(d, dict)]
    assert sorted(d.partition("=")[0] for d in wanted if isinstance(d, str)) == ["pip", "python"]
    return pip


def test_the_jobs_elsewhere_run_what_readme_says():
    """Catches lines for Windows in README that no machine with Windows ever ran, and a job that
    goes on after a line that failed: PowerShell does."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    table = [row.split("|")[1:] for row in readme.splitlines() if row.startswith("| ")]
    lines, mac, linux = (
        [typed for cell in column for typed in re.findall(r"^ `(.+)` $", cell)]
        for column in zip(*(row[:3] for row in table if len(row) == 4), strict=True)
    )
    ours = yaml.safe_load((ROOT / ".github" / "workflows" / "ci.yml").read_text())["jobs"]
    job = ours["elsewhere"]
    runs = {
        system: [s["run"] for s in job["steps"] if s.get("if") == f"runner.os == '{system}'"]
        for system in ("Windows", "macOS")
    }
    newest = ".".join(map(str, install.NEWEST))
    assert runs["Windows"] == [
        lines[0].replace(newest, "${{ matrix.python }}"),
        lines[1],
        f"{lines[2]} --version",  # opens nothing, but starts what would
    ]
    assert runs["macOS"] == ["make lab LAB_ARGS=--version"]
    assert mac[-1] == linux[-1] == "make lab"
    assert job["strategy"]["matrix"]["os"] == ["windows-latest", "macos-latest"]
    assert job["strategy"]["matrix"]["python"] == ours["test"]["strategy"]["matrix"]["python"]
    assert "--ignore=tests/browser" in job["steps"][-1]["run"]


def test_environment_yml_is_no_second_list():
    """Catches a package or a version that is written down twice."""
    assert pip_part() == ["-c constraints.txt", "-e .[all]"]


@pytest.mark.skipif(os.name == "nt", reason="looks for programs in bin")
def test_what_environment_yml_tells_pip_to_install_works(tmp_path):
    """Catches a pip part that pip does not take as the file of requirements that conda makes of it.

    The course is a small one: its real set is the one that this test runs in.
    """
    root = make_small_course(tmp_path / "course")
    lines = root / "condaenv.requirements.txt"  # conda writes it beside environment.yml
    lines.write_text("\n".join(pip_part()))
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    pip = [str(tmp_path / "env" / "bin" / "pip"), "install", "-qq", "-U", "-r", str(lines)]
    told, _ = (process := start(root, *pip)).communicate()
    assert process.returncode == 0, told
    course = [tmp_path / "env" / "bin" / "course"]
    assert subprocess.run(course, capture_output=True, text=True).stdout == "grain 1\n"
