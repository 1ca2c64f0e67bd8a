"""Run the deck's own scripts by node, without a browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any

import pytest

from course_utils import lab

SCRIPTS = lab.EXTENSIONS / "recurrent-course" / "static"
PURE = ("slides", "notes", "fit", "votes", "room")  # need no page
REQUIRED = "COURSE_REQUIRE_NODE"


def in_node(script: str, given: Any) -> Any:
    """Return what a script for node answers to what it is given, both as JSON."""
    node = shutil.which("node")
    if node is None:
        if os.environ.get(REQUIRED) == "1":
            pytest.fail(f"{REQUIRED}=1, but there is no node", pytrace=False)
        pytest.skip("there is no node: the browser tests try these scripts, too")
    names = {name: (SCRIPTS / f"{name}.js").as_uri() for name in PURE}
    imports = "\n".join(f'import * as {name} from "{uri}";' for name, uri in names.items())
    code = f'import {{ readFileSync }} from "node:fs";\n{imports}\n'
    code += f"const given = JSON.parse(readFileSync(0, 'utf8'));\n{script}"
    command = [node, "--input-type=module", "--eval", code]
    done = subprocess.run(
        command, input=json.dumps(given), capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
