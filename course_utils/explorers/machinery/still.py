"""An explorer's last picture and words, for pages without a kernel: saved, exported, on GitHub."""

from __future__ import annotations

import html
import secrets

import ipywidgets as widgets
from IPython.display import display

from course_utils.plots.picture import STYLE, picture_html
from course_utils.plots.scene.scene import Scene

VIEW = "application/vnd.jupyter.widget-view+json"
# Lab shows an error in place of a widget whose kernel is gone: the still has to say it all
INSTEAD = (
    ".jp-OutputArea-child:not(:has(.course-explorer)):has(+ .jp-OutputArea-child .course-still)"
    "{display:none}"
)


class Still:
    """The still beside a live explorer in the notebook; `page/still.js` hides it meanwhile."""

    def __init__(self, title: str):
        self.title = title
        self.element = f"course-still-{secrets.token_hex(6)}"

    def show_beside(self, box: widgets.Widget, picture: Scene, words: str) -> None:
        """Display the live explorer, then the still."""
        view = box._repr_mimebundle_()[VIEW]
        display({VIEW: view, "text/html": ""}, raw=True)  # without a kernel nothing, no repr
        display(self.bundle(picture, words), raw=True, display_id=self.element)

    def renew(self, picture: Scene, words: str) -> None:
        """Replace the picture of the displayed still."""
        display(self.bundle(picture, words), raw=True, display_id=self.element, update=True)

    def bundle(self, picture: Scene, words: str) -> dict[str, str]:
        """Return picture and words in every form a page may ask for."""
        figure = (
            f"<style>{STYLE}{INSTEAD}</style>"
            f'<figure class="course-still" id="{self.element}">'
            f"<p><b>{html.escape(self.title)}</b></p>"
            f"{picture_html(picture, words)}"
            f"<figcaption>{html.escape(words)}</figcaption></figure>"
        )
        return {
            "text/html": figure,
            "image/svg+xml": picture.svg(words),
            "text/plain": f"{self.title} {words}",
        }
