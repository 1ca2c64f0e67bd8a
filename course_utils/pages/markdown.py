"""Markdown as HTML that needs no script and no network: the one renderer of all our pages."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import Any

from latex2mathml import exceptions
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from course_utils.pages.formulas import mathml

UNREADABLE = tuple(
    found
    for found in vars(exceptions).values()
    if isinstance(found, type) and issubclass(found, Exception)
)


class Renderer(IPythonRenderer):
    """Jupyter's own Markdown, but for the formulas."""

    def heading(self, text: str, level: int, **attrs: object) -> str:
        """Return a heading with the name that links know; nbconvert's spoils formulas in it."""
        return f'<h{level} id="{heading_name(text)}">{text}</h{level}>\n'

    def inline_math(self, body: str) -> str:
        return _formula(body, "inline", super().inline_math(body))

    def block_math(self, body: str) -> str:
        return _formula(body, "block", super().block_math(body))

    def multiline_math(self, text: str) -> str:
        return _formula(text, "block", super().multiline_math(text))


def heading_name(text: str) -> str:
    """Return by which name a link finds a heading, given as HTML or as plain text."""
    return html.escape(html.unescape(re.sub(r"<[^>]+>", "", text)).strip().replace(" ", "-"))


def to_html(source: str, attachments: Mapping[str, Any] | None = None) -> str:
    """Return a text as HTML; the lectures are ours: what they write as HTML is meant."""
    renderer = Renderer(escape=False, attachments=dict(attachments or {}))
    return str(MarkdownWithMath(renderer=renderer).render(source))


def _formula(tex: str, display: str, as_tex: str) -> str:
    """Return MathML; what a learner mistyped stays TeX."""
    try:
        return mathml(html.unescape(tex).strip("$"), display)
    except UNREADABLE:
        return as_tex
