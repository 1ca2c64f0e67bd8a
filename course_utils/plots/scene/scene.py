"""A picture as shapes: named parts that a page shows, and later changes one by one."""

from __future__ import annotations

from typing import Any, NamedTuple

from course_utils.plots.scene.tags import tag


class Scene(NamedTuple):
    """A whole picture; what has the same name in the next one is the same thing, moved."""

    width: int  # page pixels
    height: int
    parts: dict[str, str]  # SVG by name, what lies lowest first
    look: dict[str, Any]  # of all parts: fonts and colours, as attributes

    def svg(self, words: str | None = None) -> str:
        """Return it as a file, which says in words what it shows."""
        said = {} if words is None else {"role": "img", "aria_label": words}
        return tag(
            "svg", *self.parts.values(), xmlns="http://www.w3.org/2000/svg", **self.look, **said,
            viewBox=f"0 0 {self.width} {self.height}", width=self.width, height=self.height,
        )  # fmt: skip

    def whole(self) -> dict[str, object]:
        """Return all that a page needs to show it."""
        look = {name.replace("_", "-"): str(value) for name, value in self.look.items()}
        size = [self.width, self.height]
        return {"size": size, "look": look, "order": [*self.parts], "parts": self.parts}

    def since(self, before: Scene) -> dict[str, object]:
        """Return what of that a page lacks that shows the picture before."""
        now, then = self.whole(), before.whole()
        changed = {name: part for name, part in now.items() if part != then[name]}
        if "parts" in changed:
            old = before.parts
            changed["parts"] = {k: v for k, v in self.parts.items() if old.get(k) != v}
        return changed
