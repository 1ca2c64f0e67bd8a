"""Run `python -m tests.benchmarks [WORD ...]`: every bench_*.py whose name holds one of the words.

A benchmark module has one function, `rows()`, that returns a list of `measure.Row`.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import torch

from course_utils.settings import default_threads
from tests.benchmarks.measure import processor, table


def main(words: list[str]) -> int:
    """Print one table per module; exit 1 when a bar is missed."""
    torch.set_num_threads(default_threads())
    names = sorted(path.stem for path in Path(__file__).parent.glob("bench_*.py"))
    wanted = [name for name in names if not words or any(word in name for word in words)]
    if not wanted:
        print(f"no benchmark is called {' or '.join(words)}: there are {', '.join(names)}")
        return 2
    missed = 0
    print(f"on {processor()}, {torch.get_num_threads()} threads, PyTorch {torch.__version__}")
    for name in wanted:
        module = importlib.import_module(f"tests.benchmarks.{name}")
        print(f"\n{name.removeprefix('bench_')}: {(module.__doc__ or '').strip().splitlines()[0]}")
        rows = module.rows()
        print(table(rows), flush=True)
        missed += sum(row.met is False for row in rows)
    bars = "1 bar" if missed == 1 else f"{missed} bars"
    print(f"\n{bars} missed" if missed else "\nevery bar is met")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
