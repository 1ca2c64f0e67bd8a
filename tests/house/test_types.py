"""The layers that are checked strictly have no way round it."""

from __future__ import annotations

import re
import tomllib

from tools.layers import PACKAGE

MOST_ANY = 250  # lower it when it falls
LENIENT = {"tools.install"}
REASONED = re.compile(r"# type: ignore\[[a-z-]+\]  # \w")


def test_nothing_strict_is_excused():
    """Catches a module that is left out until later."""
    settings = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text())["tool"]["mypy"]
    assert settings["strict"]
    assert settings["packages"] == [PACKAGE.name, "tools"]
    assert not {"exclude", "disable_error_code"} & settings.keys()
    ours = ("course_utils", "tools")
    loosened = {
        name: each.keys() - {"module", "warn_return_any"}
        for each in settings["overrides"]
        for name in each["module"]
        if name.startswith(ours)
    }
    assert {name for name, loose in loosened.items() if loose} == LENIENT
    assert loosened.keys() - LENIENT == {"course_utils.checks.exercises.*"}


def test_every_exception_gives_its_reason():
    """Catches an error that is silenced and not explained, and a file that opts out."""
    found = [
        f"{path.name}:{number}: {line.strip()}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ("type: ignore" in line and not REASONED.search(line)) or "# mypy:" in line
    ]
    assert not found, "\n".join(found)


def test_any_grows_no_more():
    """Catches types given up one by one: 494 lines said Any before `object` took most places."""
    found = [
        f"{path.name}:{number}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"\bAny\b", line) and "import" not in line
    ]
    assert len(found) <= MOST_ANY, "say what it is, or `object` for what is only passed on"
