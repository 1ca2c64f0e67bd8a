"""Find a browser and start it without a word to the outside."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import shutil
from collections.abc import Iterator

ARGUMENTS = [
    "--no-sandbox",  # CI runs as root in a container
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # an unfocused headless window should run at full speed
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
]


def executable() -> str | None:
    """Return the browser's path: $COURSE_CHROMIUM, or what Debian and others call it."""
    names = filter(None, [os.environ.get("COURSE_CHROMIUM"), "chromium", "chromium-browser"])
    return next((path for name in names if (path := shutil.which(name))), None)


def missing() -> str:
    """Return why browser tests cannot run here, empty when they can."""
    if importlib.util.find_spec("playwright") is None:
        return "Playwright is not installed: pip install playwright"
    if executable() is None:
        return "no Chromium found: apt-get install chromium, or set COURSE_CHROMIUM to its path"
    return ""


@contextlib.contextmanager
def browser() -> Iterator:
    """Start a headless Chromium and end it."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chromium = play.chromium.launch(executable_path=executable(), args=ARGUMENTS)
        try:
            yield chromium
        finally:
            chromium.close()
