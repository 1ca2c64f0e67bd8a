"""Keep what nbval's run of the lectures gave, for the site: `-p tests.lectures.kept`.

The site's pages need every lecture run once, and the stage `notebooks` runs it anyway.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import output_from_msg
from nbval.plugin import IPyNbCell

from course_utils.site.runs import ENVIRONMENT, keep_run, package_digest

SHIPPED = Path(__file__).resolve().parents[2] / "notebooks"
OUTPUTS = ("display_data", "execute_result", "stream")


def pytest_configure(config):
    """Let explorers tell their tours."""
    os.environ.update(ENVIRONMENT)
    if config.pluginmanager.has_plugin("nbval.plugin") or config.pluginmanager.has_plugin("nbval"):
        config.pluginmanager.register(Keeper(), "kept lectures")


class Keeper:
    """The outputs of the lecture that is running, cell by cell."""

    def __init__(self) -> None:
        self.outputs: dict[int, list[Any]] = {}
        self.displays: dict[str, list[Any]] = {}

    @pytest.hookimpl(wrapper=True, trylast=True)  # within what runs a cell again
    def pytest_runtest_call(self, item):
        """Listen while a cell runs for the first time."""
        if not isinstance(item, IPyNbCell):
            return (yield)
        heard: list[dict[str, Any]] = []
        listen = item.parent.get_kernel_message

        def hear(*args: Any, **kwargs: Any) -> dict[str, Any]:
            heard.append(listen(*args, **kwargs))
            return heard[-1]

        item.parent.get_kernel_message = hear
        try:
            ran = yield
        finally:
            del item.parent.get_kernel_message
        self.outputs[item.cell_num] = outputs_of(heard, self.displays)
        return ran

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item, nextitem):
        """Keep a lecture after its last cell, if every cell has run."""
        ran = yield
        if isinstance(item, IPyNbCell) and (nextitem is None or nextitem.path != item.path):
            keep(item.path, self.outputs)
            self.outputs, self.displays = {}, {}
        return ran


def keep(path: Path, outputs: dict[int, list[Any]]) -> None:
    """Keep a shipped lecture with its outputs, unless a cell is missing."""
    notebook = nbformat.read(path, 4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if path.parent != SHIPPED or set(outputs) != set(range(len(code))):
        return
    for place, cell in enumerate(code):
        cell.outputs = outputs[place]
    keep_run(path, notebook, package_digest())


def outputs_of(heard: list[dict[str, Any]], displays: dict[str, list[Any]]) -> list[Any]:
    """Return a cell's outputs as a page shows them, updates put in where they belong."""
    outputs: list[Any] = []
    for message in heard:
        kind, content = message["msg_type"], message["content"]
        place = content.get("transient", {}).get("display_id")
        if kind == "update_display_data":
            for shown in displays.get(place, []):
                shown.data, shown.metadata = content["data"], content["metadata"]
        elif kind == "clear_output":
            outputs.clear()
        elif kind in OUTPUTS:
            output = output_from_msg(message)
            if place:
                displays.setdefault(place, []).append(output)
            last = outputs[-1] if outputs else None
            if kind == "stream" and last is not None and last.get("name") == output.name:
                last.text += output.text
            else:
                outputs.append(output)
    return outputs
