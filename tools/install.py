"""Make .venv hold this package and its pinned set; do nothing when it already does.

`make` runs this file by its path, with whatever Python is there: only the standard library, and
no syntax that an old Python would trip over before it can say that it is too old.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

OLDEST, NEWEST = (3, 11), (3, 14)  # what the pinned set has wheels for
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP, MARKER = "installed", "installing"  # the marker is there while an install is under way


def main():
    """Install what is missing; return 0 when .venv is ready, 1 when somebody has to act."""
    problem = problem_with_python()
    if problem:
        print(problem, file=sys.stderr)
        return 1
    with one_at_a_time():
        if is_ready():
            return 0
        problem = install()
    if problem:
        print(problem, file=sys.stderr)
    return 1 if problem else 0


def problem_with_python(version=sys.version_info[:2], has=find_spec):
    """Return why this Python cannot make the environment, and what to do; empty when it can."""
    this, oldest, newest = (".".join(map(str, v[:2])) for v in (version, OLDEST, NEWEST))
    if not OLDEST <= tuple(version) <= NEWEST:
        other = next((name for name in other_pythons() if shutil.which(name)), None)
        advice = f"it is here as {other}" if other else "install one"
        return (
            f"This is Python {this}; the course needs {oldest} to {newest}: {advice},\n"
            f"and name it: make PYTHON={other or 'python' + oldest} lab"
        )
    missing = [name for name in ("venv", "ensurepip") if has(name) is None]
    if missing:
        return (
            f"This Python {this} came without {' and '.join(missing)}.\n"
            f"Debian and Ubuntu: sudo apt install python{this}-venv. Then run the same again."
        )
    return ""


def other_pythons():
    """Return the names under which a Python that fits may be found, newest first."""
    return [f"python3.{minor}" for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]


def fingerprint():
    """Return what .venv depends on: the Python, the place, what is asked for and what is pinned.

    And the slides' scripts: an install copies them to where a plain `jupyter lab` looks.
    """
    parts = [python_and_place().encode()]
    parts += [(ROOT / name).read_bytes() for name in ("pyproject.toml", constraints()) if name]
    copied = sorted((ROOT / "course_utils" / "labextensions").rglob("*"))
    parts += [file.read_bytes() for file in copied if file.is_file()]
    return python_and_place() + "\n" + hashlib.sha256(b"\0".join(parts)).hexdigest() + "\n"


def constraints():
    """Return the file that pins versions; `make test CONSTRAINTS=` wants the newest ones."""
    return os.environ.get("CONSTRAINTS", "constraints.txt")


def python_and_place():
    """Return what an environment cannot survive the change of."""
    return f"{sys.version.split()[0]} {sys.base_prefix} {VENV}"


def stamp():
    """Return the fingerprint that .venv was made with, empty when it was not finished."""
    if (VENV / MARKER).exists() or not (VENV / "bin" / "python").exists():
        return ""
    with contextlib.suppress(FileNotFoundError):
        return (VENV / STAMP).read_text()
    return ""


def is_ready():
    """Return whether .venv is finished and still what is wanted."""
    return stamp() == fingerprint()


def install():
    """Bring .venv up to date, from nothing if it was interrupted; return what went wrong."""
    if stamp().split("\n")[0] != python_and_place() and VENV.exists():
        if any(VENV.iterdir()) and not is_ours():
            return f"{VENV} is not an environment that make has made. Move it away, try again."
        shutil.rmtree(VENV)
    fresh = not VENV.exists()
    VENV.mkdir(exist_ok=True)
    (VENV / MARKER).touch()
    print("Installing the course into .venv: some minutes the first time.", flush=True)
    steps = [[sys.executable, "-m", "venv", str(VENV)]] if fresh else []
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install"]
    pinned = (
        ["-c", constraints()] if constraints() else ["--upgrade", "--upgrade-strategy", "eager"]
    )
    steps.append([*pip, "-qq", *pinned, "-e", ".[all]"])
    for step in steps:
        if subprocess.call(step, cwd=ROOT, env=clean_environment()):
            return "\nThe install stopped (see above). Run the same command again to repair it."
    (VENV / STAMP).write_text(fingerprint())
    (VENV / MARKER).unlink()
    return ""


def is_ours():
    """Return whether .venv may be thrown away: an environment, or the start of one."""
    return (VENV / "pyvenv.cfg").exists() or (VENV / MARKER).exists()


def clean_environment():
    """Return the environment variables without those that send packages somewhere else."""
    strangers = ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
    return {name: value for name, value in os.environ.items() if name not in strangers}


@contextlib.contextmanager
def one_at_a_time():
    """Let `make lab` and `make test` start together: the second waits for the first."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    with open(__file__) as lock:  # freed by the system however we end
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    sys.exit(main())
