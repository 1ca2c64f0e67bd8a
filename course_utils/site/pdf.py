"""A page as PDF, by a browser that is installed anyway; nothing is asked of a network."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

CALLED = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
    "microsoft-edge", "msedge",
)  # fmt: skip
APPLICATIONS = ("Google Chrome", "Chromium", "Microsoft Edge")  # of a Mac
OF_WINDOWS = (("Google", "Chrome", "Application", "chrome.exe"),
              ("Microsoft", "Edge", "Application", "msedge.exe"))  # fmt: skip
PATIENCE = 300  # seconds


class NoBrowser(Exception):
    """There is nothing that could print, or it did not."""


def browser() -> str:
    """Return the program that prints: COURSE_CHROMIUM, or a Chromium, Chrome or Edge."""
    for name in filter(None, (os.environ.get("COURSE_CHROMIUM"), *CALLED)):
        if found := shutil.which(name):
            return found
    for place in _usual_places():
        if place.is_file():
            return str(place)
    raise NoBrowser(
        "a PDF is printed by Chromium, Chrome or Edge, and none is here: install one, name it in "
        "COURSE_CHROMIUM, or leave out --pdf and print the page from your own browser"
    )


def _usual_places() -> list[Path]:
    root = Path(Path.home().anchor)
    macs = [root / "Applications" / f"{a}.app" / "Contents" / "MacOS" / a for a in APPLICATIONS]
    folders = (os.environ.get(name) for name in ("ProgramFiles", "ProgramFiles(x86)"))
    return macs + [Path(folder, *parts) for folder in folders if folder for parts in OF_WINDOWS]


def print_pdf(page: Path, pdf: Path, *more: str) -> None:
    """Print a page into a file, with further options of the browser."""
    with tempfile.TemporaryDirectory() as profile:
        command = [
            browser(), "--headless", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--disable-background-networking", "--no-pdf-header-footer", "--timeout=60000",
            f"--user-data-dir={profile}", f"--print-to-pdf={pdf.resolve()}", *more,
        ]  # fmt: skip
        if getattr(os, "geteuid", lambda: 1)() == 0:
            command.append("--no-sandbox")  # Chromium wants it from root, as in a container
        said = subprocess.run(
            [*command, page.resolve().as_uri()],
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
    if not pdf.is_file():
        raise NoBrowser(f"{command[0]} printed nothing: {said.stderr.strip()[-300:]}")
