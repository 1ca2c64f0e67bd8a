"""Keep the README's picture and its crosswalk those of today."""

from __future__ import annotations

import io
import re
from pathlib import Path

from PIL import Image

from course_utils.authoring.crosswalk import rows, table

START, END = "<!-- crosswalk -->", "<!-- end of crosswalk -->"
PICTURE = Path("docs", "explorer.png")


def update_readme(root: Path) -> None:
    """Write the table into the README and the picture beside it."""
    (root / "README.md").write_text(readme_of_today(root), encoding="utf-8")
    (root / PICTURE).parent.mkdir(exist_ok=True)
    (root / PICTURE).write_bytes(picture_of_today())


def readme_of_today(root: Path) -> str:
    """Return the README with the crosswalk of today between its markers."""
    text = (root / "README.md").read_text(encoding="utf-8")
    today = table(rows(), root / "notebooks", "notebooks/")
    pattern = re.compile(rf"{re.escape(START)}.*?{re.escape(END)}", re.DOTALL)
    if not pattern.search(text):
        raise ValueError(f"README.md has no place for the crosswalk: add {START} and {END}")
    return pattern.sub(lambda _: f"{START}\n{today}\n{END}", text)


def picture_of_today() -> bytes:
    """Return what an explorer of lecture 02 shows at its start, as a small PNG."""
    from course_utils.explorers import explore_gradient_norms

    explorer = explore_gradient_norms()
    picture = Image.open(io.BytesIO(explorer.image.value)).convert("RGB")
    explorer.close()
    small = io.BytesIO()
    picture.quantize(32, dither=Image.Dither.NONE).save(small, "png", optimize=True)
    return small.getvalue()
