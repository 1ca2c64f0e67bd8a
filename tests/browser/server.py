"""A real JupyterLab, started the way `course lab` starts it, on a free loopback port."""

from __future__ import annotations

import json
import os
import secrets
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
PATIENCE = 60.0


class LabServer:
    """`course lab` as a child process, with nothing of the user's own settings."""

    def __init__(self, course: Path, private: Path):
        self.course, self.private = course, private
        self.token = secrets.token_hex(16)
        self.log = private / "server.log"

    def __enter__(self) -> LabServer:
        command = [sys.executable, "-m", "course_utils.cli", "lab", "--no-browser"]
        command += ["--ip=127.0.0.1", "--port=0", f"--IdentityProvider.token={self.token}"]
        command += ["--LabApp.expose_app_in_browser=True"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                command,
                cwd=self.course,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            self.url = self._wait_for_url()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_error) -> None:
        self.process.terminate()  # the server ends its kernels first
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _environment(self) -> dict[str, str]:
        dirs = {name: str(self.private / folder) for name, folder in PRIVATE.items()}
        for folder in dirs.values():
            Path(folder).mkdir(parents=True, exist_ok=True)
        path = os.pathsep.join(filter(None, [str(REPOSITORY), os.environ.get("PYTHONPATH")]))
        own = {"PYTHONPATH": path, "COURSE_PROGRESS": str(self.private / "progress.json")}
        return {**os.environ, **dirs, **own}

    def _wait_for_url(self) -> str:
        """Return the address once the server has written its runtime file."""
        runtime = Path(self._environment()["JUPYTER_RUNTIME_DIR"])
        file = runtime / f"jpserver-{self.process.pid}.json"
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                break
            if file.is_file() and (text := file.read_text()).strip().endswith("}"):
                return json.loads(text)["url"]
            time.sleep(0.05)  # a child process has no event that we could wait for
        log = self.log.read_text(errors="replace")[-3000:]
        raise RuntimeError(f"JupyterLab did not come up within {PATIENCE:.0f} s:\n{log}")
