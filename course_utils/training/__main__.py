"""Let torchrun start recipes: `torchrun --nproc-per-node 2 -m course_utils.training NAME`."""

from __future__ import annotations

import sys

from course_utils.training.recipes.command import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
