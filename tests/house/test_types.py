"""The layers that are checked strictly have no way round it."""

from __future__ import annotations

import re
import tomllib

import pytest

from course_utils.authoring.layers import PACKAGE

STRICT = ("models", "data", "training", "analysis", "shipped", "embedding")
REASONED = re.compile(r"# type: ignore\[[a-z-]+\]  # \w")


@pytest.mark.parametrize("layer", STRICT)
def test_nothing_strict_is_excused(layer):
    """Catches a module that is left out until later."""
    settings = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]["mypy"]
    assert settings["strict"]
    assert settings["packages"] == [PACKAGE.name]
    assert not {"exclude", "disable_error_code"} & settings.keys()
    ours = [name for each in settings["overrides"] for name in each["module"]]
    assert not [name for name in ours if name.startswith(f"{PACKAGE.name}.{layer}")]
    assert f"{PACKAGE.name}.*" not in ours


def test_every_exception_gives_its_reason():
    """Catches an error that is silenced and not explained, and a file that opts out."""
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ("type: ignore" in line and not REASONED.search(line)) or "# mypy:" in line
    ]
    assert not found, "\n".join(found)
