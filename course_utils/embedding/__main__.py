"""Let torchrun embed: `torchrun --nproc-per-node 2 -m course_utils.embedding FILE --out DIR`."""

from __future__ import annotations

from course_utils.cli.embed import app

if __name__ == "__main__":
    app(prog_name="course embed")
