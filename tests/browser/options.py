"""How the browser tests are run: on slowed pages, or from the last to the first, when asked for."""

from __future__ import annotations

import os

THROTTLE = "COURSE_THROTTLE"  # by how much pages are slower than this machine
ORDER, REVERSED = "COURSE_ORDER", "reverse"


def slow_down(page) -> None:
    """Let a page's scripts run as on a slower processor, if the environment says by how much.

    A window that the page opens shares its thread and with it the rate.
    """
    rate = float(os.environ.get(THROTTLE, "1"))
    if rate != 1:
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": rate})


def in_wanted_order(items: list) -> list:
    """Return tests as they are, or from the last to the first, if the environment says so."""
    return items[::-1] if os.environ.get(ORDER) == REVERSED else items
