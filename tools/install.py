"""Make .venv hold this package and its pinned set; do nothing when it already does.

What works is never taken away. Before anything changes, the environment as it is stands beside
.venv as .venv.kept, and it comes back unless its successor is whole, whatever stops the change:
a failure, Ctrl-C, or a kill, after which the next call puts it back. What has to go gets the name
.venv.rubbish before it is deleted, so that half of it is never taken for anything else.

`make` runs this file by its path, with whatever Python is there: only the standard library, and
no syntax that an old Python would trip over before it can say that it is too old.
"""

import contextlib
import filecmp
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

OLDEST, NEWEST = (3, 11), (3, 14)  # what the pinned set has wheels for
ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
STAMP, MARKER = "installed", "installing"  # of an environment that is whole, of one under way
OLDER_WILL_DO = "--older-will-do"  # an outdated environment is better than none


def main(arguments=()):
    """Install what is missing; return 0 when .venv can be used, 1 when somebody has to act."""
    try:
        with one_at_a_time() as lock:
            problem = problem_with_python() or bring_up_to_date(lock)
    except KeyboardInterrupt:
        print("\nInterrupted: run the same command again to go on.", file=sys.stderr)
        return 130
    except OSError as error:
        problem = f"{error.filename or ROOT}: {error.strerror}. Fix that, then run it again."
    if problem and OLDER_WILL_DO in arguments and is_usable():
        print(f"The course could not be updated, and opens as it was: {in_one_line(problem)}")
        return 0
    if problem:
        print(problem, file=sys.stderr)
    return 1 if problem else 0


def in_one_line(problem):
    """Return the line that says most: the first that pip calls an error, else the first of all."""
    lines = problem.strip().splitlines()
    return next((line.strip() for line in lines if "ERROR: " in line), lines[0])


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
            f"Debian and Ubuntu: sudo apt install python{this}-venv. Then run make again."
        )
    return ""


def other_pythons():
    """Return the names under which a suitable Python may be found, newest first."""
    return [f"python3.{minor}" for minor in range(NEWEST[1], OLDEST[1] - 1, -1)]


def fingerprint():
    """Return what .venv depends on: the Python, the place, what is asked for and what is pinned."""
    import tomllib  # not before Python 3.11

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    tools = project.pop("tool", {})
    asked = json.dumps([project, tools.get("hatch")], sort_keys=True).encode()
    pinned = (ROOT / constraints()).read_bytes() if constraints() else b""
    return python_and_place() + "\n" + hashlib.sha256(asked + b"\0" + pinned).hexdigest() + "\n"


def constraints():
    """Return the file that pins versions; `make test CONSTRAINTS=` wants the newest ones."""
    return os.environ.get("CONSTRAINTS", "constraints.txt")


def python_and_place():
    """Return what an environment must keep to stay usable; Python's last number may change."""
    return f"{sys.version.split()[0]} {sys.base_prefix} {VENV}"


def fits():
    """Return whether .venv was made by this Python and for this place."""
    old, _, there = (VENV / STAMP).read_text().split("\n")[0].partition(" ")
    new, _, here = python_and_place().partition(" ")
    return there == here and old.split(".")[:2] == new.split(".")[:2]


def beside(what):
    """Return where the environment's predecessor, or what is left of one, is kept meanwhile."""
    return VENV.with_name(f"{VENV.name}.{what}")


def is_whole():
    """Return whether .venv is an environment that we have made, to the end."""
    finished = (VENV / STAMP).is_file() and not (VENV / MARKER).exists()
    return finished and has_python() and not VENV.is_symlink()


def has_python():
    """Return whether .venv has its Python; raise OSError where one may not even look."""
    try:
        return bool(os.stat(VENV / "bin" / "python"))
    except FileNotFoundError:
        return False


def is_usable():
    """Return whether .venv, up to date or not, can open the course for whoever asks."""
    try:
        return is_whole()
    except OSError:  # somebody else's, or on a disk that is gone
        return False


def is_ready():
    """Return whether .venv is whole and still what is wanted."""
    return is_whole() and (VENV / STAMP).read_text() == fingerprint()


def is_theirs():
    """Return whether .venv is something that we have not made."""
    if VENV.is_symlink() or (VENV.exists() and not VENV.is_dir()):
        return True
    ours = (VENV / STAMP).exists() or (VENV / MARKER).exists()
    return VENV.is_dir() and any(VENV.iterdir()) and not ours


def bring_up_to_date(lock=None):
    """Leave a whole .venv that is up to date, or return what went wrong."""
    if is_theirs():
        return look_at_theirs()
    recover()
    if is_ready():
        renew_slides()
        return ""
    update = is_whole() and fits()
    if update:
        print("Bringing .venv up to date.", flush=True)
        keep_copy()
    else:
        print("Installing the course into .venv: a few minutes the first time.", flush=True)
        if is_whole():
            VENV.rename(beside("kept"))
        else:
            set_aside(VENV)
    try:
        return install(update, lock)
    finally:
        recover()


def install(update, lock):
    """Run venv, where there is no environment yet, and pip; return what went wrong."""
    VENV.mkdir(exist_ok=True)
    (VENV / MARKER).touch()
    steps = [] if update else [[sys.executable, "-m", "venv", str(VENV)]]
    pinned = (
        ["-c", constraints()] if constraints() else ["--upgrade", "--upgrade-strategy", "eager"]
    )
    pip = [str(VENV / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install"]
    steps.append([*pip, "-qq", *pinned, "-e", ".[all]"])
    # who runs on when we are killed holds the lock until it ends
    held = () if lock is None else (lock.fileno(),)
    for step in steps:
        told = subprocess.run(
            step, cwd=ROOT, env=environment(update), pass_fds=held,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        )  # fmt: skip
        if told.returncode:
            said = told.stdout.strip() or f"{' '.join(step[:4])} ended with {told.returncode}"
            return f"{said}\n\nThe install stopped (see above). Run the same command again."
    replace(VENV / STAMP, fingerprint().encode())
    (VENV / MARKER).unlink()
    return ""


def environment(update=False):
    """Return the environment variables without those that send packages somewhere else."""
    strangers = ("PYTHONPATH", "PYTHONHOME", "PIP_USER", "PIP_TARGET", "PIP_PREFIX")
    ours = {name: value for name, value in os.environ.items() if name not in strangers}
    # whoever has an environment wants to begin, not wait for a network that is away
    return {"PIP_RETRIES": "1", **ours} if update else ours


def recover():
    """Give .venv what works, its successor if that is whole; then delete what is left over."""
    kept = beside("kept")
    if kept.exists() and is_whole():
        set_aside(kept)
    elif kept.exists():
        set_aside(VENV)
        kept.rename(VENV)
    set_aside(beside("copying"))
    rubbish = beside("rubbish")
    if rubbish.exists():
        print(f"Deleting {rubbish.name}, what is left of an install.", flush=True)
        shutil.rmtree(rubbish)


def set_aside(folder):
    """Move a folder of ours to the rubbish, at once: nobody takes the rest of it for a whole."""
    if folder.exists():
        beside("rubbish").mkdir(exist_ok=True)
        folder.rename(Path(tempfile.mkdtemp(dir=beside("rubbish")), folder.name))


def keep_copy():
    """Put a copy beside .venv that what pip does to .venv leaves alone: it writes no file anew."""
    shutil.copytree(VENV, beside("copying"), symlinks=True, copy_function=link)
    beside("copying").rename(beside("kept"))


def link(source, target):
    """Give a file a second name, or copy it where the disk has no hard links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def replace(path, content):
    """Write a file under its own name first: other names of the old one keep the old."""
    partial = path.with_name(f".{path.name}.partial")
    partial.write_bytes(content)
    os.replace(partial, path)


def renew_slides():
    """Copy changed slide scripts to where a plain `jupyter lab` looks; that needs no install."""
    source = ROOT / "course_utils" / "labextensions"
    for file in (found for found in sorted(source.rglob("*")) if found.is_file()):
        copy = VENV / "share" / "jupyter" / "labextensions" / file.relative_to(source)
        if not (copy.exists() and filecmp.cmp(file, copy, shallow=False)):
            copy.parent.mkdir(parents=True, exist_ok=True)
            replace(copy, file.read_bytes())


def look_at_theirs():
    """Use an environment that the reader has made, as it is; say why if it cannot be used."""
    python = os.path.join(VENV.name, "bin", "python")
    by_hand = f"{python} -m pip install -c constraints.txt -e .[all]"
    asked = [str(ROOT / python), "-c", "import course_utils; print(course_utils.__path__[0])"]
    with contextlib.suppress(OSError):  # no Python there that could be asked
        told = subprocess.run(
            asked, cwd=VENV, env=environment(False), capture_output=True, text=True
        )
        if told.stdout.strip() == str(ROOT / "course_utils"):
            print(f"Using .venv as you made it. To bring it up to date: {by_hand}")
            return ""
    what = "a link" if VENV.is_symlink() else "a folder" if VENV.is_dir() else "a file"
    return (
        f"{VENV} is {what} that make did not make, and without this course in it.\n"
        f"Move it away, then run the same command again; or install into it yourself: {by_hand}"
    )


@contextlib.contextmanager
def one_at_a_time():
    """Let `make lab` and `make test` start together: the second waits for the first."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    mode = "r+" if os.access(__file__, os.W_OK) else "r"  # NFS locks what is open for writing
    with open(__file__, mode) as lock:  # freed by the system once all who have it open have ended
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Waiting for an install that is under way.", flush=True)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
