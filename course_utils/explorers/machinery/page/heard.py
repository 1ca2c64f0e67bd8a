"""A widget that hears its kernel however late its script came."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import anywidget
import traitlets

HERE = Path(__file__).parent


class Heard(anywidget.AnyWidget):
    """Knows its own name in the page, by which `late.js` finds it there."""

    itself = traitlets.Unicode().tag(sync=True)

    def __init__(self, **how: object):
        name = uuid4().hex  # told beforehand: a later message might be one of those refused
        super().__init__(model_id=name, itself=name, **how)


def script(*jobs: str) -> str:
    """Return a widget's script, from one file per job; the last one calls the others."""
    return "\n".join((HERE / f"{job}.js").read_text(encoding="utf-8") for job in ("late", *jobs))
