"""Start a lecture's kernel once more where another process has taken one of its ports.

A manager looks for free ports, lets go of them and tells them to its kernel, which ends where one
is taken by then; two processes that start kernels at the same moment can be told the same port
(jupyter_client, issue 154). A kernel that dies of something else dies the second time, too.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps

DIED = "Kernel died before replying"


def pytest_configure(config):
    """Where nbval runs, let it start its kernels so."""
    if config.pluginmanager.has_plugin("nbval.plugin") or config.pluginmanager.has_plugin("nbval"):
        from nbval import kernel

        kernel.start_new_kernel = started_again(kernel.start_new_kernel)


def started_again(start: Callable) -> Callable:
    """Return what starts a kernel, and once more one that died before it said a word."""

    @wraps(start)
    def start_or_restart(*args, **how):
        try:
            return start(*args, **how)
        except RuntimeError as error:
            if DIED not in str(error):
                raise
            return start(*args, **how)

    return start_or_restart
