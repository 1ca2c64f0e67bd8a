"""Formulas as MathML, which a browser draws without a script and without a network."""

from __future__ import annotations

import re

from latex2mathml.converter import convert

BAR = re.compile(r"\\(?:\||Vert\b)")  # the converter knows \| not behind \big


def mathml(tex: str, display: str = "inline") -> str:
    """Return a formula as MathML; `display` is "inline" or "block"."""
    return convert(BAR.sub("‖", tex), display=display)
