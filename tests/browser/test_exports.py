"""Lectures as files: opened without a change, and what File, Save and Export offers and gives."""

from __future__ import annotations

import json
import re
from urllib.request import urlopen

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

UNSEEN = re.compile(r"<(script|style|pre|code)[^>]*>.*?</\1>", re.DOTALL)


def asked(server, path: str) -> str:
    """Return what the server answers."""
    with urlopen(f"{server.url}{path}?token={server.token}") as answer:
        return answer.read().decode()


def test_only_what_works_is_offered(server):
    """Catches a PDF in the menu that answers 500: it needs programs that we do not install."""
    offered = set(json.loads(asked(server, "api/nbconvert")))
    assert offered == {"custom", "html", "markdown", "notebook", "python", "script", "slides"}


def test_formulas_need_no_network(server):
    """Catches raw TeX on a page that is opened where the script for formulas cannot be fetched."""
    page = UNSEEN.sub("", asked(server, "nbconvert/html/notebooks/02_vanishing_gradients.ipynb"))
    assert page.count("<math") > 50
    assert not re.search(r"\$[^$\n]+\$", page)


def test_opening_a_lecture_changes_nothing(open_notebook):
    """Catches a lecture that is "unsaved" once it is open, and a change that is not noticed."""
    lab = open_notebook("echo.ipynb").settle()
    dirty = "() => window.course.panel.context.model.dirty"
    assert lab.page.evaluate("() => window.course.panel.content.model.getMetadata('language_info')")
    assert not lab.page.evaluate(dirty)
    lab.activate(1)
    lab.command("notebook:enter-edit-mode")
    lab.page.keyboard.type("1")
    assert lab.page.evaluate(dirty)
