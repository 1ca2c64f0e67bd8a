"""Kernels of lectures start although ports are taken between choice and use."""

from __future__ import annotations

import socket

import pytest
from nbval import kernel as nbvals  # which tests/kernels.py has changed


@pytest.fixture
def taken():
    """Yield a port that somebody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def told_a_taken_port(monkeypatch, port: int, times: int) -> list:
    """Let nbval's first managers tell their kernels a port that is taken; return all it makes."""
    made = []

    class Manager(nbvals.KernelManager):
        def __init__(self, **how):
            super().__init__(**how)
            if len(made) < times:
                self.cache_ports, self.shell_port = False, port
            made.append(self)

    monkeypatch.setattr(nbvals, "KernelManager", Manager)
    return made


def test_a_kernel_whose_port_was_taken_starts_again(monkeypatch, taken):
    """Catches a lecture that fails because two processes were given one port."""
    made = told_a_taken_port(monkeypatch, taken, times=1)
    manager, client = nbvals.start_new_kernel(kernel_name="python3")
    client.stop_channels()
    manager.shutdown_kernel(now=True)
    assert len(made) == 2


def test_a_kernel_that_dies_twice_is_an_error(monkeypatch, taken):
    """Catches a kernel that cannot live, started for ever."""
    made = told_a_taken_port(monkeypatch, taken, times=9)
    with pytest.raises(RuntimeError, match="died"):
        nbvals.start_new_kernel(kernel_name="python3")
    assert len(made) == 2
