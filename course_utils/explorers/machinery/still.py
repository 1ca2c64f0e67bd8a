"""An explorer's last picture and words, for pages without a kernel: saved, exported, on GitHub."""

from __future__ import annotations

import base64
import html
import secrets

import ipywidgets as widgets
from IPython.display import display

from course_utils.plots.picture import STYLE, picture_html

VIEW = "application/vnd.jupyter.widget-view+json"
# Lab shows an error in place of a widget whose kernel is gone: the still says all that can be said
INSTEAD = (
    ".jp-OutputArea-child:not(:has(.course-explorer)):has(+ .jp-OutputArea-child .course-still)"
    "{display:none}"
)


class Still:
    """What stands beside a live explorer in the notebook; `page/still.js` hides it meanwhile."""

    def __init__(self, title: str, width: int):
        self.title, self.width = title, width
        self.element = f"course-still-{secrets.token_hex(6)}"

    def show_beside(self, box: widgets.Widget, png: bytes, words: str) -> None:
        """Display the live explorer, then the still."""
        view = box._repr_mimebundle_()[VIEW]
        display({VIEW: view, "text/html": ""}, raw=True)  # without a kernel nothing, no repr
        display(self.bundle(png, words), raw=True, display_id=self.element)

    def renew(self, png: bytes, words: str) -> None:
        """Put another picture where the still is displayed."""
        display(self.bundle(png, words), raw=True, display_id=self.element, update=True)

    def bundle(self, png: bytes, words: str) -> dict[str, str]:
        """Return the picture and its words in every form that a page may ask for."""
        figure = (
            f"<style>{STYLE}{INSTEAD}</style>"
            f'<figure class="course-still" id="{self.element}">'
            f"<p><b>{html.escape(self.title)}</b></p>"
            f"{picture_html(png, words, self.width)}"
            f"<figcaption>{html.escape(words)}</figcaption></figure>"
        )
        return {
            "text/html": figure,
            "image/png": base64.b64encode(png).decode(),
            "text/plain": f"{self.title} {words}",
        }
