"""One command makes .venv, and the same command repairs it; the pinned set is whole."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

from course_utils import doctor
from tools import install

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = SpecifierSet(PROJECT["requires-python"])
DECK = Path("course_utils", "labextensions", "recurrent-course", "deck.js")

SMALL_PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "small-course"
version = "1"
[project.optional-dependencies]
all = []
[tool.hatch.build.targets.wheel]
packages = ["course_utils"]
"""


@pytest.fixture
def small(tmp_path):
    """Return a checkout with our installer and hardly anything to install."""
    for folder in ("course_utils", "tools"):
        (tmp_path / folder).mkdir()
    (tmp_path / "course_utils" / "__init__.py").touch()
    shutil.copy(install.__file__, tmp_path / "tools")
    (tmp_path / "pyproject.toml").write_text(SMALL_PROJECT)
    (tmp_path / "constraints.txt").write_text("")
    return tmp_path


def run_install(root: Path, **options) -> subprocess.Popen:
    """Start the installer of a checkout in a process group of its own."""
    command = [sys.executable, "tools/install.py"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen(command, cwd=root, start_new_session=True, **pipes, **options)


@pytest.mark.slow
def test_an_interrupted_install_is_repaired(small):
    """Catches half an environment that the next run takes for a whole one."""
    first = run_install(small)
    assert "some minutes" in first.stdout.readline()  # .venv is begun
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    first.stdout.close()
    assert (small / ".venv" / install.MARKER).exists()

    (small / ".venv" / "rubble").touch()
    told, _ = (second := run_install(small)).communicate()
    assert second.returncode == 0, told
    assert not (small / ".venv" / "rubble").exists()
    assert not (small / ".venv" / install.MARKER).exists()
    show = [small / ".venv" / "bin" / "python", "-c", "import course_utils"]
    assert subprocess.run(show, cwd="/", check=False).returncode == 0

    told, _ = (third := run_install(small)).communicate()
    assert (third.returncode, told) == (0, "")  # nothing to do, nothing said

    (small / "pyproject.toml").write_text(SMALL_PROJECT.replace("all = []", 'all = ["no such"]'))
    told, _ = (fourth := run_install(small)).communicate()
    assert fourth.returncode == 1
    assert "Run the same command again" in told
    assert (small / ".venv" / install.MARKER).exists()


@pytest.mark.slow
def test_without_constraints_the_newest_versions_come(small):
    """Catches a weekly run that tries the pinned set again, and one whose .venv then stays."""
    project = SMALL_PROJECT.replace(
        'version = "1"', 'version = "1"\ndependencies = ["platformdirs"]'
    )
    (small / "pyproject.toml").write_text(project)
    (small / "constraints.txt").write_text("platformdirs==4.0.0")
    python = small / ".venv" / "bin" / "python"
    ask = [python, "-c", "from importlib.metadata import version; print(version('platformdirs'))"]
    found = []
    for more in ({}, {"CONSTRAINTS": ""}, {}):
        told, _ = (run := run_install(small, env={**os.environ, **more})).communicate()
        assert run.returncode == 0, told
        found.append(subprocess.run(ask, capture_output=True, text=True, check=True).stdout.strip())
    assert found[0] == found[2] == "4.0.0"
    assert Version(found[1]) > Version("4.0.0")


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


def test_somebody_elses_folder_is_left_alone(small):
    """Catches a .venv full of other things that is thrown away."""
    (small / ".venv").mkdir()
    (small / ".venv" / "diary.txt").write_text("dear")
    told, _ = (run := run_install(small)).communicate()
    assert run.returncode == 1
    assert "Move it away" in told
    assert (small / ".venv" / "diary.txt").exists()


@pytest.fixture
def ready(tmp_path, monkeypatch):
    """Let the module believe in a finished environment under another root."""
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / DECK).parent.mkdir(parents=True)
    (tmp_path / DECK).write_text("slides")
    monkeypatch.setattr(install, "ROOT", tmp_path)
    monkeypatch.setattr(install, "VENV", tmp_path / ".venv")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").touch()
    (tmp_path / ".venv" / install.STAMP).write_text(install.fingerprint())
    return tmp_path


@pytest.mark.parametrize(
    "change",
    [
        lambda root: (root / "pyproject.toml").write_text("x = 1"),
        lambda root: (root / "constraints.txt").write_text("torch==2.13.1"),
        lambda root: (root / DECK).write_text("other slides"),
        lambda root: (root / ".venv" / install.MARKER).touch(),
        lambda root: (root / ".venv" / install.STAMP).unlink(),
        lambda root: (root / ".venv" / "bin" / "python").unlink(),
        lambda root: root.rename(root.with_name("moved")),
    ],
    ids=["project", "pins", "deck", "interrupted", "unfinished", "its Python is gone", "moved"],
)
def test_an_environment_that_does_not_fit_is_not_ready(ready, change, monkeypatch):
    """Catches a change after which the old environment would go on being used."""
    assert install.is_ready()
    change(ready)
    if not ready.exists():
        ready = ready.with_name("moved")
        monkeypatch.setattr(install, "ROOT", ready)
        monkeypatch.setattr(install, "VENV", ready / ".venv")
    assert not install.is_ready()


def test_another_python_makes_a_new_environment(ready, monkeypatch):
    """Catches an environment whose Python was replaced below it."""
    monkeypatch.setattr(sys, "version", "3.99.0 (main)")
    assert not install.is_ready()


@pytest.mark.parametrize("version", [(2, 7), (3, 6), (3, 10), (3, 15)])
def test_a_python_that_does_not_fit_is_told(version):
    """Catches a resolver's page of conflicts where one sentence would do."""
    told = install.problem_with_python(version)
    assert f"This is Python {version[0]}.{version[1]}; the course needs 3.11 to 3.14" in told
    assert "make PYTHON=python3." in told


def test_a_python_without_venv_is_told():
    """Catches Debian's Python, which comes without ensurepip."""
    told = install.problem_with_python((3, 12), has=lambda name: None if name == "ensurepip" else 1)
    assert "came without ensurepip" in told
    assert "sudo apt install python3.12-venv" in told
    assert install.problem_with_python((3, 12), has=lambda name: 1) == ""


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
        for line in importlib.metadata.requires(name) or []:
            below = Requirement(line)
            extras = wanted.extras or {""}
            if not below.marker or any(below.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(below)
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


def test_environment_yml_is_no_second_list():
    """Catches a package or a version that is written down twice."""
    assert pip_part() == ["-c constraints.txt", "-e .[all]"]


@pytest.mark.slow
def test_what_environment_yml_tells_pip_to_install_works(tmp_path):
    """Catches a pip part that conda users could not install, or that lacks an import."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "env"], check=True)
    python = tmp_path / "env" / "bin" / "python"
    # conda gives pip these lines as a file of requirements beside environment.yml
    with NamedTemporaryFile("w", dir=ROOT, prefix="condaenv.", suffix=".requirements.txt") as lines:
        lines.write("\n".join(pip_part()))
        lines.flush()
        arguments = ["install", "-qq", "--no-compile", "-U", "-r", lines.name]
        subprocess.run([python, "-m", "pip", *arguments], cwd=ROOT, check=True)
    code = "import course_utils.checks, course_utils.explorers as e; print(e.explore_echo().draws)"
    told = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert told.stdout.strip() == "1", told.stderr
    for command in ("course", "jupyter-lab", "pytest", "ruff"):
        assert (tmp_path / "env" / "bin" / command).exists()
    help_of = [tmp_path / "env" / "bin" / "course", "--help"]
    assert "doctor" in subprocess.run(help_of, capture_output=True, text=True, check=True).stdout
