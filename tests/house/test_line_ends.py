"""A clone holds the same bytes on every system."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="only in a clone")
def test_a_clone_on_windows_has_our_bytes(tmp_path):
    """Catches lines that end in CR LF where git is set up as on Windows: a shell script that no
    longer runs, and a model's bytes that were taken for text."""
    kinds = ("*.py", "*.sh", "*.json", "*.toml", "*.ipynb", "*.safetensors", "*.png", ".ci/run")
    listed = subprocess.run(["git", "ls-files", *kinds], cwd=ROOT, capture_output=True, text=True)
    names = [name for name in listed.stdout.splitlines() if (ROOT / name).is_file()]
    assert len(names) > 500
    line = ["git", "-c", "core.autocrlf=true", "checkout-index", f"--prefix={tmp_path}/", "--stdin"]
    subprocess.run(line, cwd=ROOT, input="\n".join(names), text=True, check=True)
    changed = [name for name in names if b"\r\n" in (tmp_path / name).read_bytes()]
    ours = [name for name in changed if b"\r\n" in (ROOT / name).read_bytes()]
    assert changed == ours, changed[:5]
