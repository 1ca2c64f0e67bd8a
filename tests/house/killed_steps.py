"""Run `python killed_steps.py FOLDER`: the installer, stopped before each step that it takes.

A step is whatever it does to the disk and each program that it starts, as Python's audit events
tell. It is stopped in a child of its own, by SIGKILL or by Ctrl-C, and called again, first without
a network and then with one. Python and pip are shell scripts here: what counts is what is left.
One line is printed for every stop after which something was lost, and one that counts the stops.
"""

import contextlib
import io
import itertools
import os
import shutil
import signal
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tools import install

STEPS = {
    *("os.rename", "os.mkdir", "os.rmdir", "os.remove", "os.link", "os.symlink"),
    *("shutil.rmtree", "subprocess.Popen"),
}
PYTHON = """#!/bin/sh
if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; exit; fi
[ -n "$OFFLINE" ] && { echo "ERROR: no network"; exit 1; }
rm -f .venv/version; cp wanted .venv/version
"""


def main(root: Path) -> int:
    """Stop it before every step in all ways; return how often something was lost."""
    stops = lost = 0
    prepare(root)
    sys.addaudithook(lambda event, args: STOP.see(event, args))
    for before in ("whole", "other Python", "nothing"):
        for how in ("killed", "Ctrl-C"):
            for step in itertools.count():
                begin(root, before)
                code = child(stopped, step, how)
                if code == 0:  # it came to its end
                    break
                stops += 1
                for problem in after(root, before, code):
                    lost += 1
                    print(f"{before}, {how} before step {step}: {problem}")
    print(f"{stops} stops")
    return lost


class Stop:
    """Ends this process, or interrupts it, before the step of a number."""

    left, how = -1, ""

    def see(self, event, args):
        """Count a step; at the last one, stop."""
        writes = event == "open" and isinstance(args[1], str) and set(args[1]) & set("wxa")
        if event in STEPS or writes:
            self.left -= 1
            if self.left == -1 and self.how == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            elif self.left == -1 and self.how:
                raise KeyboardInterrupt


STOP = Stop()


def prepare(root: Path) -> None:
    """Write what the installer reads, and let it work there."""
    install.ROOT, install.VENV = root, root / ".venv"
    (root / "pyproject.toml").write_text("[project]\n")
    slides = root / "course_utils" / "labextensions" / "deck.js"
    slides.parent.mkdir(parents=True)
    slides.write_text("slides")
    python = root / "python"
    python.write_text(PYTHON)
    python.chmod(0o755)
    sys.executable = str(python)


def begin(root: Path, before: str) -> None:
    """Make .venv what it is before the call: whole and outdated, of another Python, or absent."""
    for left in root.glob(".venv*"):
        shutil.rmtree(left)
    (root / "constraints.txt").write_text("old")
    (root / "wanted").write_text("old")
    if before != "nothing":
        assert child(call) == 0
        if before == "other Python":
            stamp = root / ".venv" / install.STAMP
            stamp.write_text("3.0.1 " + stamp.read_text().partition(" ")[2])
    (root / "constraints.txt").write_text("new")
    (root / "wanted").write_text("new")


def after(root: Path, before: str, code: int):
    """Yield what is wrong when the same command comes again, without and with a network."""
    if code not in (130, -signal.SIGKILL):
        yield f"it ends with code {code}"
    os.environ["OFFLINE"] = "1"
    code, version = child(call), root / ".venv" / "version"
    found = version.read_text() if version.exists() else "nothing"
    if before == "nothing" and found != "new":
        if code != 1:
            yield f"without a network the code is {code}"
    elif code or found not in ("old", "new") or not install.is_whole():
        yield f"without a network the code is {code}, and there is {found}"
    del os.environ["OFFLINE"]
    if child(call) or version.read_text() != "new" or not install.is_whole():
        yield "with a network it is not repaired"
    if left := [path.name for path in root.glob(".venv.*")]:
        yield f"{left} is left over"


def call() -> int:
    """Call the installer as `make lab` does."""
    return install.main([install.OLDER_WILL_DO])


def stopped(step: int, how: str) -> int:
    """Call the installer, to be stopped before a step."""
    STOP.left, STOP.how = step, how
    return call()


def child(task, *arguments) -> int:
    """Return the exit code of a task in a child of this process; it may not say what it does."""
    pid = os.fork()
    if pid == 0:
        code = 70
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            try:
                code = task(*arguments)
            finally:
                os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
