"""Formulas as MathML, which a browser draws without a script and without a network."""

from __future__ import annotations

import re

from latex2mathml.converter import convert

BAR = re.compile(r"\\(?:\||Vert\b)")  # the converter does not know \| after \big
TAG = re.compile(r"\\tag\{([^}]*)\}")  # the converter puts it beside the formula's last letter


def mathml(tex: str, display: str = "inline") -> str:
    """Return a formula as MathML; `display` is "inline" or "block"."""
    apart = TAG.sub(r"\\qquad\\qquad\\text{(\1)}", tex)
    return convert(BAR.sub("‖", apart), display=display)
