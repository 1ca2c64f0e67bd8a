"""A lecture saved as HTML: what JupyterLab folds is folded there too, and can be opened."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from traitlets.config import Config

import course_utils

SETTINGS = Path(course_utils.__file__).parent / "lab_settings" / "jupyter_server_config.json"
FOLDED = "# Compare one & two.\nx = 1"


def exported(metadata: dict) -> str:
    """Return a page with one cell, as the course's server exports it."""
    cell = nbformat.v4.new_code_cell(FOLDED, metadata=metadata)
    settings = Config(json.loads(SETTINGS.read_text(encoding="utf-8")))
    page, _ = HTMLExporter(config=settings).from_notebook_node(
        nbformat.v4.new_notebook(cells=[cell])
    )
    return str(page)


def test_folded_code_is_folded_in_an_export():
    """Catches a page that prints the book-keeping, or whose reader cannot open it."""
    page = exported({"jupyter": {"source_hidden": True}})
    _, _, rest = page.partition("<details><summary>Compare one &amp; two.</summary>")
    inside, _, after = rest.partition("</details>")
    assert '<span class="mi">1</span>' in inside
    assert '<span class="mi">1</span>' not in after


def test_open_code_stays_open_in_an_export():
    """Catches a page that hides what a student should read."""
    assert "<details>" not in exported({})


def test_an_export_waits_for_no_other_host():
    """Catches a page that stays blank where a network swallows what is asked of another host."""
    assert re.findall(r"""<script[^>]+src=["']([^"']+)""", exported({})) == 2 * [
        "data:text/javascript,"
    ]
