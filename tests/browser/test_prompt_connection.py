"""What a kernel says goes to the page at once: asked of the running server's own sockets."""

from __future__ import annotations

import ctypes
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PIDFD_GETFD = 438  # Linux's number for "give me a copy of that process's file"


@contextmanager
def sockets_of(process: int) -> Iterator[list[socket.socket]]:
    """Lend copies of all sockets that another process has open."""
    watched, lent = os.pidfd_open(process), []
    try:
        for file in Path(f"/proc/{process}/fd").iterdir():
            if os.readlink(file).startswith("socket:"):
                copy = ctypes.CDLL(None, use_errno=True).syscall(
                    PIDFD_GETFD, watched, int(file.name), 0
                )
                if copy < 0:
                    pytest.skip(f"no look into the server: {os.strerror(ctypes.get_errno())}")
                lent.append(socket.socket(fileno=copy))
        yield lent
    finally:
        for one in lent:
            one.close()
        os.close(watched)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="a look into processes is Linux's")
def test_the_kernels_socket_waits_for_nothing(open_notebook, server):
    """Catches a setting that Jupyter no longer reads: moves would be answered 25 ms later."""
    open_notebook("echo.ipynb").run_all()
    port = int(server.url.split(":")[2].split("/")[0])
    with sockets_of(server.process.pid) as found:
        to_pages = [
            one
            for one in found
            if one.family == socket.AF_INET and one.getsockname()[1] == port and _is_connected(one)
        ]
        assert to_pages
        assert any(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in to_pages)


def _is_connected(one: socket.socket) -> bool:
    try:
        one.getpeername()
    except OSError:
        return False
    return True
