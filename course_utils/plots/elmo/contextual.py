"""What the layers of ELMo are called in every picture, and how they look."""

from __future__ import annotations

from course_utils.plots.style import (
    GREEN,
    ORANGE,
    PURPLE,
    RED,
    SKY,
)

LAYER_LOOKS = ((SKY, ""), (ORANGE, "//"), (PURPLE, "xx"), (GREEN, ".."), (RED, "\\\\"))


def layer_name(level: int) -> str:
    """Return the name of a layer in every picture."""
    return "characters" if level == 0 else f"layer {level}"
