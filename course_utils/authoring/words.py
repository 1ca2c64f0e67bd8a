"""Count what a learner reads: words of prose, and how much of a lecture is prose."""

from __future__ import annotations

import re

from course_utils.authoring.notebook import FENCE, Notebook

_NOT_PROSE = re.compile(r"<!--.*?-->|<[^>\n]+>", re.DOTALL)
_FORMULA = re.compile(r"\$\$.+?\$\$|\$[^$\n]+\$", re.DOTALL)
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")


def words(prose: str) -> int:
    """Count the words of a prose cell.

    A formula counts as one word, a link as its text; code in fences and HTML tags count nothing.
    """
    text = _NOT_PROSE.sub(" ", FENCE.sub(" ", prose))
    text = _LINK.sub(r"\1", _FORMULA.sub(" x ", text))
    return sum(any(c.isalnum() for c in token) for token in text.split())


def prose_share(notebook: Notebook) -> float:
    """Return the share of prose among all characters of a lecture that are not blank.

    Characters, not cells or lines: they stand for reading time and cannot be had by splitting.
    """
    prose, code = (
        sum(len("".join(cell.source.split())) for cell in cells)
        for cells in (notebook.prose, notebook.code)
    )
    return prose / max(1, prose + code)
