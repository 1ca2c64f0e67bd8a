"""A saved lecture keeps the last picture and words of its explorers, in every form asked for."""

from __future__ import annotations

import base64
from xml.etree import ElementTree

import nbformat
from nbclient import NotebookClient
from nbconvert import HTMLExporter

SHOW = "from course_utils.explorers import explore_echo\necho = explore_echo()\necho"
MOVE = 'echo.controls["recurrent_weight"].value = 0.5\necho._renew_still()'


def executed() -> nbformat.NotebookNode:
    """Return a notebook that was run, its explorer moved afterwards, its kernel gone."""
    cells = [nbformat.v4.new_code_cell(source) for source in (SHOW, MOVE)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    notebook.metadata.pop("widgets", None)  # Lab does not save widgets' states unless told
    return notebook


def test_the_last_picture_stays():
    """Catches the first picture kept for good, and forms that a page cannot show."""
    live, still = (output.data for output in executed().cells[0].outputs)
    assert "application/vnd.jupyter.widget-view+json" in live
    assert "text/plain" not in live  # "VBox(children=..." is what exports would print
    words = "With recurrent weight 0.5 the pulse lifts the state to 0.76"
    assert words in still["text/plain"]
    assert f'alt="{words}' in still["text/html"]
    picture = still["image/svg+xml"]
    assert ElementTree.fromstring(picture).get("width") == "800"
    assert "heard until step" in picture  # letters are letters
    assert base64.b64encode(picture.encode()).decode() in still["text/html"]


def test_an_exported_page_shows_the_picture():
    """Catches an export that prints the widget's name where its picture should stand."""
    page, _ = HTMLExporter(embed_images=True).from_notebook_node(executed())
    assert page.count("With recurrent weight 0.5 the pulse") == 2  # alt text and caption
    assert 'class="course-picture"' in page
    assert "VBox(" not in page
