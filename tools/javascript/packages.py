"""Bring what checks JavaScript: the packages that package.json pins, to build/javascript, once."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

from filelock import FileLock

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
HOME = ROOT / "build" / "javascript"
QUIET = ("--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--prefer-offline")
PATIENCE = 240  # seconds


class Unavailable(Exception):
    """What keeps the scripts from being checked here."""


def installed(patient: bool) -> Path:
    """Return the folder of the pinned packages; bring them where they are missing or others."""
    HOME.mkdir(parents=True, exist_ok=True)
    source, stamp = HERE / "package.json", HOME / "packages.sha256"
    pins = hashlib.sha256(source.read_bytes()).hexdigest()
    with FileLock(HOME / "packages.lock"):
        if not stamp.exists() or stamp.read_text() != pins:
            stamp.unlink(missing_ok=True)
            shutil.copy(source, HOME)
            bring(json.loads(source.read_text())["config"]["before"], patient)
            stamp.write_text(pins)
    return HOME / "node_modules"


def bring(before: str, patient: bool) -> None:
    """Let npm install what HOME's package.json names, and below it nothing newer than a day."""
    npm = find("npm")
    print("npm brings what checks JavaScript to build/javascript: a minute, once", flush=True)
    options = (*QUIET, f"--before={before}", f"--fetch-retries={2 if patient else 0}")
    try:
        done = subprocess.run(
            [npm, "install", *options],
            cwd=HOME,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        raise Unavailable(f"npm was not ready after {PATIENCE} s") from None
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("npm error")]
        raise Unavailable(f"npm could not bring its packages: {' '.join(said[:2])}")


def find(program: str) -> str:
    """Return where a program is."""
    path = shutil.which(program)
    if path is None:
        raise Unavailable(f"there is no {program}")
    return path
