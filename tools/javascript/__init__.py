"""Check the course's JavaScript: tsc reads its types, Biome finds what is unused or a trap."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from tools.javascript.packages import HERE, HOME, ROOT, Unavailable, find, installed

SCRIPTS = (
    ROOT / "course_utils" / "labextensions" / "recurrent-course" / "static",
    ROOT / "course_utils" / "explorers" / "machinery" / "page",
    ROOT / "course_utils" / "room" / "page",
    ROOT / "course_utils" / "site" / "page",
    ROOT / "course_utils" / "site" / "twins",
)
REQUIRED = "COURSE_REQUIRE_NODE"


def check(folders: Iterable[Path] = SCRIPTS) -> int:
    """Check the scripts of these folders; return 1 where one of them has to be mended.

    Where node or npm's packages cannot be had, this says so and fails only where they are required.
    """
    required = os.environ.get(REQUIRED) == "1"
    scripts = [str(path) for folder in folders for path in sorted(folder.resolve().glob("*.js"))]
    if not scripts:
        print("no script there: name folders of scripts")
        return 1
    try:
        node, modules = find("node"), installed(patient=required)
    except Unavailable as reason:
        print(f"{REQUIRED}=1, but {reason}" if required else f"JavaScript is not checked: {reason}")
        return int(required)
    biome = modules / "@biomejs" / "biome" / "bin" / "biome"
    rules = (f"--config-path={HERE}", "--error-on-warnings", "--log-level=error")
    codes = [
        check_types(node, modules / "typescript" / "bin" / "tsc", scripts),
        subprocess.call([node, biome, "lint", *rules, *scripts]),
    ]
    return int(any(codes))


def check_types(node: str, tsc: Path, scripts: list[str]) -> int:
    """Return what tsc answers to the scripts under the settings of tsconfig.json."""
    with tempfile.TemporaryDirectory(dir=HOME) as folder:
        project = Path(folder, "tsconfig.json")
        settings = {"extends": str(HERE / "tsconfig.json"), "files": scripts, "include": []}
        project.write_text(json.dumps(settings), encoding="utf-8")
        return subprocess.call([node, tsc, "--project", project])
