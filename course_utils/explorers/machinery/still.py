"""An explorer's last picture and words, for pages without a kernel: saved, exported, on GitHub."""

from __future__ import annotations

import base64
import html
import secrets

import ipywidgets as widgets
from IPython.display import display

from course_utils.plots.picture import PNG, STYLE, picture_html

VIEW = "application/vnd.jupyter.widget-view+json"
# Lab shows an error in place of a widget whose kernel is gone: the still says all that can be said
INSTEAD = (
    ".jp-OutputArea-child:not(:has(.course-explorer)):has(+ .jp-OutputArea-child .course-still)"
    "{display:none}"
)


class Still:
    """What stands beside a live explorer in the notebook; `page/still.js` hides it meanwhile."""

    def __init__(self, title: str, width: int, media: str = PNG):
        self.title, self.width, self.media = title, width, media
        self.element = f"course-still-{secrets.token_hex(6)}"

    def show_beside(self, box: widgets.Widget, picture: bytes | str, words: str) -> None:
        """Display the live explorer, then the still."""
        view = box._repr_mimebundle_()[VIEW]
        display({VIEW: view, "text/html": ""}, raw=True)  # without a kernel nothing, no repr
        display(self.bundle(picture, words), raw=True, display_id=self.element)

    def renew(self, picture: bytes | str, words: str) -> None:
        """Put another picture where the still is displayed."""
        display(self.bundle(picture, words), raw=True, display_id=self.element, update=True)

    def bundle(self, picture: bytes | str, words: str) -> dict[str, str]:
        """Return picture (PNG as bytes, SVG as text) and words in every form a page may ask for."""
        data = picture.encode() if isinstance(picture, str) else picture
        figure = (
            f"<style>{STYLE}{INSTEAD}</style>"
            f'<figure class="course-still" id="{self.element}">'
            f"<p><b>{html.escape(self.title)}</b></p>"
            f"{picture_html(data, words, self.width, self.media)}"
            f"<figcaption>{html.escape(words)}</figcaption></figure>"
        )
        alone = picture if isinstance(picture, str) else base64.b64encode(picture).decode()
        return {
            "text/html": figure,
            self.media: alone,
            "text/plain": f"{self.title} {words}",
        }
