"""What JupyterLab saves as HTML: formulas that need no network, folded code that can be opened.

`lab_settings/jupyter_server_config.json` names these filters.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

from jinja2 import pass_context
from jinja2.runtime import Context
from nbconvert.filters import Highlight2HTML
from nbconvert.filters import clean_html as nbconvert_clean_html

from course_utils.pages.markdown import to_html


@pass_context
def markdown_to_html(context: Context, source: str) -> str:
    """Return a text cell as HTML."""
    attachments = context.get("cell", {}).get("attachments", {})
    return to_html(source, attachments)


class Folded(str):
    """Code as HTML that the page folds away, below the line that says what it does."""

    does = ""


def code_to_html(source: str, metadata: Mapping[str, Any] | None = None) -> str:
    """Return a code cell as HTML; what is folded in JupyterLab remembers it."""
    make = Highlight2HTML(pygments_lexer="ipython3")  # type: ignore[no-untyped-call]  # nbconvert's
    code = make(source, metadata=metadata)
    if not (metadata or {}).get("jupyter", {}).get("source_hidden"):
        return str(code)
    folded = Folded(code)
    folded.does = source.partition("\n")[0].lstrip("# ")
    return folded


def clean_html(element: str) -> str:
    """Clean HTML as nbconvert does, then fold what is folded."""
    inside = nbconvert_clean_html(element)  # type: ignore[no-untyped-call]  # nbconvert's
    if not isinstance(element, Folded):
        return str(inside)
    return f"<details><summary>{html.escape(element.does)}</summary>{inside}</details>"
