"""What a process does that meets one mutant; it knows nothing of the course before that."""

from __future__ import annotations

import os
import sys
from pathlib import Path

SAID = "said.txt"  # what the last tests of a tree printed


def meet(tree: str, tests: tuple[str, ...]) -> None:
    """Run tests in a tree, in this process; what they say is left in the tree."""
    said = os.open(Path(tree) / SAID, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    for stream in (0, 1, 2):
        os.dup2(said, stream)
    for name in [n for n in sys.modules if n.split(".")[0] in ("tests", "course_utils")]:
        del sys.modules[name]
    sys.path.insert(0, tree)
    sys.dont_write_bytecode = True  # two mutants may be of one second and one size
    os.chdir(tree)
    os.environ.update(OMP_NUM_THREADS="1", PYTHONDONTWRITEBYTECODE="1")

    import pytest
    import torch

    torch.set_num_threads(1)
    quick = ["-x", "-q", "-m", "not slow and not browser", "-p", "no:cacheprovider"]
    os._exit(pytest.main([*quick, *tests]))
