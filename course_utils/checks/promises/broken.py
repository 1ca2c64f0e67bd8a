"""What happens when a promise of a lecture is not kept: a note for a person, an error in CI.

A student who changes a number, as the lectures invite them to, gets a result, not a failure. So
where somebody sits at the page a broken promise is a note and the lecture goes on; everywhere
else (nbval, nbclient, nbconvert, a plain interpreter) it is raised.
"""

from __future__ import annotations

import html

from IPython import get_ipython
from IPython.display import display

from course_utils.checks.box import AMBER, box, marked

REPORT = "If you changed nothing, please report it."


class Broken(AssertionError):
    """A promise of the lecture that was not kept. IPython shows it as one line."""

    def _render_traceback_(self) -> list[str]:
        return [f"{type(self).__name__}: {self}"]


class YourResult:
    """A broken promise as a person sees it: their result, against what the lecture says."""

    def __init__(self, broken: Broken):
        self.text = str(broken)

    def __repr__(self) -> str:
        return f"≠ {self.text}"

    def _repr_html_(self) -> str:
        return box(AMBER, f"{marked(AMBER, '≠')}&ensp;{html.escape(self.text)}")


def tell_or_raise(broken: Broken) -> None:
    """Show a broken promise where a person reads, raise it where nobody does."""
    if not somebody_reads():
        raise broken
    display(YourResult(broken))


def somebody_reads() -> bool:
    """Say whether the running cell came from a page where a person could answer `input()`.

    JupyterLab, VS Code and Colab say so with each cell; nbval, nbclient and nbconvert deny it.
    """
    kernel = getattr(get_ipython(), "kernel", None)
    sent = kernel.get_parent() if kernel is not None else {}
    return bool(sent.get("content", {}).get("allow_stdin", False))
