"""What docs/ shows is what is there today."""

from __future__ import annotations

import io
import tomllib
from pathlib import Path

import numpy as np
import pytest
import yaml
from PIL import Image

import course_utils
from course_utils.authoring.docs import PICTURE, picture_of_today, texts_of_today, with_part

ROOT = Path(__file__).resolve().parents[2]


def test_the_made_texts_are_of_today():
    """Catches a table that is that of last month: `course docs` renews it."""
    for path, today in texts_of_today(ROOT):
        assert (ROOT / path).read_text(encoding="utf-8") == today, path


def test_a_text_without_a_place_is_told():
    """Catches a table that silently goes nowhere."""
    with pytest.raises(ValueError, match="begin: layers"):
        with_part("nothing", "layers", "a table")
    renewed = with_part("<!-- begin: a -->old<!-- end: a --> rest", "a", r"n\ew")
    assert renewed == "<!-- begin: a -->\nn\\ew\n<!-- end: a --> rest"


def test_the_picture_is_of_today():
    """Catches a picture of an explorer that looks otherwise by now: `course docs` renews it."""
    stored, today = (
        np.asarray(Image.open(io.BytesIO(png)).convert("L"), dtype=float)
        for png in ((ROOT / PICTURE).read_bytes(), picture_of_today())
    )
    assert stored.shape == today.shape
    assert np.abs(stored - today).mean() < 2
    assert (ROOT / PICTURE).stat().st_size < 50_000
    assert f"({PICTURE.as_posix()})" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_file_names_the_same_version():
    """Catches a release whose citation or changelog is that of the one before."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["version"] == course_utils.__version__
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert changes.split("\n## ")[1].split()[0] == course_utils.__version__


def test_every_file_names_the_same_licences():
    """Catches a licence that one file gives and another does not."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert project["license"] == " AND ".join(citation["license"])
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "MIT License" in text
    assert "Attribution 4.0 International" in " ".join(text.split())
