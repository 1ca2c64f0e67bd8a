"""A real JupyterLab, started the way `course lab` starts it, on a free loopback port."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PRIVATE = {
    "JUPYTER_CONFIG_DIR": "config",
    "JUPYTER_DATA_DIR": "data",
    "JUPYTER_RUNTIME_DIR": "runtime",
    "JUPYTERLAB_SETTINGS_DIR": "settings",
    "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
    "IPYTHONDIR": "ipython",
}
DOCUMENTS = "@jupyterlab/docmanager-extension/plugin"  # whose settings say when Lab saves by itself
PATIENCE = 300.0  # seconds: nobody waits that long, but where many share the processor


class LabServer:
    """`course lab` as a child process, or `course present 00`, without the user's own settings."""

    def __init__(
        self, course: Path, private: Path, command: tuple[str, ...] = ("lab",), **environment: str
    ):
        self.course, self.private, self.command = course, private, command
        self.extra = environment
        self.log = private / "server.log"

    def __enter__(self) -> LabServer:
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                self.arguments(),
                cwd=self.course,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            running = self._wait_for_runtime_file()
            self.url, self.token = running["url"], running["token"]
        except BaseException:
            self.__exit__()
            raise
        return self

    def arguments(self) -> list[str]:
        """Return the command line, program and all."""
        command = [sys.executable, "-m", "course_utils.cli", *self.command, "--no-browser"]
        return [*command, "--ip=127.0.0.1", "--port=0", "--LabApp.expose_app_in_browser=True"]

    def __exit__(self, *_error) -> None:
        self.process.terminate()  # the server ends its kernels first
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _environment(self) -> dict[str, str]:
        dirs = {name: str(self.private / folder) for name, folder in PRIVATE.items()}
        for folder in dirs.values():
            Path(folder).mkdir(parents=True, exist_ok=True)
        path = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH")]))
        own = {"PYTHONPATH": path, "COURSE_PROGRESS": str(self.private / "progress.json")}
        own["COURSE_ROOM_NOTE"] = str(self.private / "room.json")
        return {**os.environ, **dirs, **own, **self.extra}

    def configure(self, plugin: str, **settings: object) -> None:
        """Give a plugin of JupyterLab these settings, on the pages that are loaded from now on."""
        folder = self.private / PRIVATE["JUPYTERLAB_SETTINGS_DIR"]
        file = folder / f"{plugin}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(settings), encoding="utf-8")

    @property
    def printed(self) -> str:
        """Return the address that the terminal shows to be copied."""
        (address, *_) = re.findall(r"http://127\.0\.0\.1\S+", self.log.read_text())
        return address

    def _listens(self, port: int) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    def _wait_for_runtime_file(self) -> dict:
        """Return what the server says of itself, once it has written it."""
        runtime = Path(self._environment()["JUPYTER_RUNTIME_DIR"])
        file = runtime / f"jpserver-{self.process.pid}.json"
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            if file.is_file() and (text := file.read_text()).strip().endswith("}"):
                running = json.loads(text)
                if self._listens(running["port"]):  # the file is there a moment earlier
                    return running
            time.sleep(0.05)  # a child process has no event that we could wait for
        log = self.log.read_text(errors="replace")[-3000:]
        raise RuntimeError(f"JupyterLab did not come up within {PATIENCE:.0f} s:\n{log}")
