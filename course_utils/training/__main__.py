"""Let torchrun start recipes: `torchrun --nproc-per-node 2 -m course_utils.training NAME`."""

from __future__ import annotations

from course_utils.cli.train import app

if __name__ == "__main__":
    app(prog_name="course train")
