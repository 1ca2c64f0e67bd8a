"""What the deck uses of JupyterLab although nobody promises it: a part that is gone is named.

Look here first when a newer JupyterLab fails many tests; pyproject.toml ends below the first that
has not passed.
"""

from __future__ import annotations

import re
from contextlib import contextmanager

import pytest

from course_utils import lab as course_lab
from tests.browser.small_notebooks import write_notebook

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SCRIPTS = course_lab.EXTENSIONS / "recurrent-course" / "static"
CLASS = re.compile(r"\.((?:jp|lm|cm)-[\w-]+)")
ON_OCCASION = {  # other tests bring these about
    *("jp-Dialog", "jp-Dialog-button", "jp-Completer", "lm-mod-hidden"),
    *("jp-RenderedImage", "jp-RenderedSVG"),
}
CELLS = 60
NOT_IDLE = "() => { window.idle = requestIdleCallback; window.requestIdleCallback = () => 0; }"
IDLE = "() => { window.requestIdleCallback = window.idle; }"
MISSING = """() => {
  const { content: notebook, node } = window.course.panel;
  const container = window._JUPYTERLAB?.["recurrent-course"];
  const inserts = typeof notebook.layout?.insertWidget === "function";
  const asks = notebook.widgets.every((cell) => typeof cell.isPlaceholder === "function");
  const ours = window.jupyterapp.isPluginActivated("recurrent-course:deck");
  const undrawn = asks ? notebook.widgets.filter((cell) => cell.isPlaceholder()) : [];
  const numbered = notebook.widgets.findIndex((cell) => !undrawn.includes(cell));
  const parts = {
    "a container in window._JUPYTERLAB with init and get":
      typeof container?.init === "function" && typeof container?.get === "function" && ours,
    "Cell.isPlaceholder": asks,
    "a cell that is not drawn before it is needed": undrawn.length,
    "Notebook.layout.insertWidget": inserts,
    "dataset.windowedListIndex":
      notebook.widgets[numbered]?.node.dataset.windowedListIndex === String(numbered),
    ".jp-WindowedPanel-outer": node.querySelector(".jp-WindowedPanel-outer"),
    ".jp-WindowedPanel-viewport": node.querySelector(".jp-WindowedPanel-viewport"),
  };
  return Object.keys(parts).filter((name) => !parts[name]);
}"""
DRAW = """() => {
  const notebook = window.course.panel.content;
  notebook.widgets.forEach((cell, index) => {
    if (!cell.isPlaceholder()) return;
    cell.node.dataset.windowedListIndex = String(index);
    notebook.layout.insertWidget(index, cell);
  });
  const drawn = [...document.querySelectorAll(".jp-WindowedPanel-viewport > .jp-Cell")];
  return notebook.widgets.map((cell) => [cell.isPlaceholder(), drawn.indexOf(cell.node)]);
}"""
FOUND = "(names) => names.filter((name) => document.getElementsByClassName(name).length)"


@contextmanager
def never_idle(page):
    """Keep JupyterLab from drawing, in its idle time, the cells that nobody sees yet."""
    page.evaluate(NOT_IDLE)
    try:
        yield
    finally:
        page.evaluate(IDLE)


def test_what_the_deck_takes_from_jupyterlab_is_there(lab, open_notebook, server):
    """Catches a JupyterLab that renamed one of the parts that docs/decisions.md lists."""
    write_notebook(server.course / "notebooks" / "long.ipynb", [f"{n}" for n in range(CELLS)])
    open_notebook("deck.ipynb").shut()  # the page is loaded: it keeps what is changed in it
    with never_idle(lab.page):
        open_notebook("long.ipynb")
        assert lab.page.evaluate(MISSING) == [], "JupyterLab no longer has these"
        assert lab.page.evaluate(DRAW) == [[False, index] for index in range(CELLS)]


def test_jupyterlab_still_gives_its_elements_these_classes(open_notebook):
    """Catches a class that was renamed: the deck would find no output, editor or heading."""
    named = {name for script in SCRIPTS.glob("*.js") for name in CLASS.findall(script.read_text())}
    assert ON_OCCASION.issubset(named)
    wanted = sorted(named - ON_OCCASION)
    lab = open_notebook("deck.ipynb").run_all()
    assert set(wanted) - set(lab.page.evaluate(FOUND, wanted)) == set()
