"""`course start` in an environment of its own, from the wheel alone: lectures, Lab, a kernel."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import sysconfig
import urllib.request
from pathlib import Path
from uuid import uuid4

import nbformat
import pytest
from tornado.websocket import websocket_connect

from tests.browser.server import PRIVATE, LabServer
from tests.house.test_wheel import ROOT, wheel

__all__ = ["wheel"]  # a fixture

BIN = "Scripts" if os.name == "nt" else "bin"
QUIET = {"open_browser": False, "ip": "127.0.0.1", "port": 0}
WHERE = "import course_utils\nprint(course_utils.__file__)"


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """Return an environment in which pip has installed the wheel, and found its needs met.

    They are those of this environment, by their folder: its clone of the course is not there.
    """
    home = tmp_path_factory.mktemp("bare") / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    python = home / BIN / "python"
    said = "import sysconfig; print(sysconfig.get_path('purelib'))"
    own = subprocess.run([python, "-c", said], check=True, capture_output=True, text=True)
    Path(own.stdout.strip(), "needs.pth").write_text(sysconfig.get_path("purelib"))
    (file,) = wheel.parent.glob("*.whl")
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-index"]
    pins = ["-c", str(ROOT / "constraints.txt"), "--ignore-installed", "--no-deps"]
    for how in (pins, pins[:2]):  # ours first, then whether all that it needs is there
        done = subprocess.run([*install, *how, str(file)], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    return home


class Started(LabServer):
    """`course start FOLDER`, as somebody types it; the rest is in Jupyter's own settings."""

    def arguments(self) -> list[str]:
        return [*self.command, str(self.course / "mine")]


@pytest.fixture
def started(installed, tmp_path):
    """Return the running Lab of lectures, of which somebody has already answered one."""
    private = tmp_path / "private"
    settings = private / PRIVATE["JUPYTER_CONFIG_DIR"] / "jupyter_server_config.json"
    answered = tmp_path / "mine" / "notebooks" / "01_language_models.ipynb"
    for file, text in ((settings, json.dumps({"ServerApp": QUIET})), (answered, "my answers")):
        file.parent.mkdir(parents=True)
        file.write_text(text)
    shared = Path(sys.prefix, "share", "jupyter")  # what other packages brought for Lab
    program = (str(installed / BIN / "course"), "start")
    places = {"JUPYTER_PATH": str(shared), "JUPYTERLAB_DIR": str(shared / "lab"), "PYTHONPATH": ""}
    with Started(tmp_path, private, program, **places) as lab:
        yield lab


def test_the_wheel_opens_lab_on_the_lectures_and_runs_a_cell(installed, started):
    """Catches lectures or a page left out of the wheel, and a kernel that cannot import it."""
    folder = started.course / "mine" / "notebooks"
    assert (folder / "01_language_models.ipynb").read_text() == "my answers"
    assert {file.name for file in folder.glob("*.ipynb")} == {
        file.name for file in (ROOT / "notebooks").glob("*.ipynb")
    }
    first = "notebooks/00_start_here.ipynb"
    assert b"recurrent-course" in asked(started, f"lab/tree/{first}")
    served = json.loads(asked(started, f"api/contents/{first}"))["content"]
    setup = next(
        cell.source
        for cell in nbformat.from_dict(served).cells
        if "setup" in cell.metadata.get("tags", [])
    )
    printed = asyncio.run(run_in_a_kernel(started, f"{setup}\n{WHERE}"))
    assert installed in Path(printed.splitlines()[-1]).parents


def asked(lab: LabServer, page: str, body: bytes | None = None) -> bytes:
    """Return what Lab answers."""
    request = urllib.request.Request(f"{lab.url}{page}", body)
    request.add_header("Authorization", f"token {lab.token}")
    with urllib.request.urlopen(request) as answer:
        return answer.read()


async def run_in_a_kernel(lab: LabServer, code: str) -> str:
    """Return what code printed in a new kernel; an error in it is one here."""
    kernel = json.loads(asked(lab, "api/kernels", b"{}"))["id"]
    address = f"{lab.url.replace('http', 'ws', 1)}api/kernels/{kernel}/channels"
    connection = await websocket_connect(f"{address}?token={lab.token}")
    header = {"msg_id": uuid4().hex, "msg_type": "execute_request", "username": "", "session": ""}
    message = {
        "header": {**header, "version": "5.3"}, "parent_header": {}, "metadata": {}, "buffers": [],
        "content": {"code": code, "silent": False, "allow_stdin": False}, "channel": "shell",
    }  # fmt: skip
    await connection.write_message(json.dumps(message))
    printed = ""
    while True:
        heard = json.loads(await connection.read_message())
        if heard["parent_header"].get("msg_id") != header["msg_id"]:
            continue
        if heard["msg_type"] == "stream" and heard["content"]["name"] == "stdout":
            printed += heard["content"]["text"]
        elif heard["msg_type"] == "execute_reply":
            assert heard["content"]["status"] == "ok", heard["content"]
            connection.close()
            return printed
