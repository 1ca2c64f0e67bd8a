"""For tests and lectures alike, also by `pytest --nbval-lax notebooks`: how they run and count."""

from __future__ import annotations

import os

pytest_plugins = ["tests.dealing", "tests.kernels", "tests.telling"]

os.environ["COURSE_PROGRESS"] = "off"  # what checks find is nobody's progress
if "PYTEST_XDIST_WORKER" in os.environ:  # processes that share the cores: one thread each
    os.environ["OMP_NUM_THREADS"] = "1"
