"""Make `python -m course_utils.cli` run `course` where no script was installed."""

from __future__ import annotations

from course_utils.cli import app

if __name__ == "__main__":
    app(prog_name="course")
