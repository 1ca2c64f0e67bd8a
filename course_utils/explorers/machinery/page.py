"""The small piece of an explorer that runs in the page (see page.js)."""

from __future__ import annotations

from pathlib import Path

import anywidget
from ipywidgets import Layout


class PageSide(anywidget.AnyWidget):
    """Keep the keys inside the explorer, give the picture its alt text, let go on Escape."""

    _esm = Path(__file__).with_name("page.js").read_text(encoding="utf-8")

    def __init__(self):
        super().__init__(layout=Layout(display="none"))
