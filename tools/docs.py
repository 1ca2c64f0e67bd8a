"""Keep what docs/ says of the lectures and of the house up to date."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from course_utils.crosswalk import rows, table
from course_utils.files import write_whole
from tools.layers import LAYERS

CROSSWALK, ARCHITECTURE = Path("docs", "crosswalk.md"), Path("docs", "architecture.md")
START, END = "<!-- begin: {} -->", "<!-- end: {} -->"

ABOVE_THE_CROSSWALK = """# Where to find what

From each topic of the course's sources to the section that teaches it, the claims that measure it
and the exercises that train it. `python -m tools docs` writes this file from
`course_utils/crosswalk.toml`.
"""


def update_docs(root: Path) -> None:
    """Write every generated text."""
    for path, text in generated_texts(root):
        write_whole(root / path, text.encode())


def left_behind(root: Path) -> list[str]:
    """Return a complaint for every generated text that is out of date."""
    return [
        f"{path} is out of date\n    → run make docs"
        for path, text in generated_texts(root)
        if (root / path).read_text(encoding="utf-8") != text
    ]


def generated_texts(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield each file that is generated, whole or in part, with what it should say."""
    crosswalk = table(rows(), root / "notebooks", "../notebooks/")
    yield CROSSWALK, f"{ABOVE_THE_CROSSWALK}\n{crosswalk}\n"
    architecture = (root / ARCHITECTURE).read_text(encoding="utf-8")
    yield ARCHITECTURE, with_part(architecture, "layers", layer_table())


def with_part(text: str, name: str, part: str) -> str:
    """Return a text with the part between two markers replaced."""
    start, end = START.format(name), END.format(name)
    pattern = re.compile(rf"{re.escape(start)}.*?{re.escape(end)}", re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"there is no place for the {name}: add {start} and {end}")
    return pattern.sub(lambda _: f"{start}\n{part}\n{end}", text)


def layer_table() -> str:
    """Return who may import whom, in Markdown, as the test has it."""
    lines = ["| layer | may import | and from outside |", "|---|---|---|"]
    for layer, (layers, packages) in LAYERS.items():
        ours = ", ".join(name for name in LAYERS if name in layers)
        lines.append(f"| `{layer}` | {ours or '–'} | {', '.join(sorted(packages)) or '–'} |")
    return "\n".join(lines)
