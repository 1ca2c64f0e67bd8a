"""What JupyterLab saves as HTML: formulas that need no network.

`lab_settings/jupyter_server_config.json` names this filter.
"""

from __future__ import annotations

import html

from jinja2 import pass_context
from jinja2.runtime import Context
from latex2mathml import exceptions
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from course_utils.authoring.formulas import mathml

UNREADABLE = tuple(
    found
    for found in vars(exceptions).values()
    if isinstance(found, type) and issubclass(found, Exception)
)


class Renderer(IPythonRenderer):
    """Jupyter's own Markdown, but for the formulas."""

    def inline_math(self, body: str) -> str:
        return _formula(body, "inline", super().inline_math(body))

    def block_math(self, body: str) -> str:
        return _formula(body, "block", super().block_math(body))

    def multiline_math(self, text: str) -> str:
        return _formula(text, "block", super().multiline_math(text))


@pass_context
def markdown_to_html(context: Context, source: str) -> str:
    """Return a text cell as HTML."""
    attachments = context.get("cell", {}).get("attachments", {})
    renderer = Renderer(escape=False, attachments=attachments)
    return str(MarkdownWithMath(renderer=renderer).render(source))


def _formula(tex: str, display: str, as_tex: str) -> str:
    """Return MathML; what a learner mistyped stays TeX, for the page's own script to report."""
    try:
        return mathml(html.unescape(tex).strip("$"), display)
    except UNREADABLE:
        return as_tex
