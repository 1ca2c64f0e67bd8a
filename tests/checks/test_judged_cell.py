"""In a real kernel: which cell was judged, whether it is still that one, and the stop button."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from jupyter_client.manager import start_new_kernel

STUB = "def one_step(u, h_before, x):\n    return torch.tanh(u * h_before + x)"
CHECK = 'check("0.1", one_step)'


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Return a function that runs a cell as JupyterLab does, and returns all that it shows."""
    kept = tmp_path_factory.mktemp("kept") / "progress.json"  # as a student's is
    manager, client = start_new_kernel(env={**os.environ, "COURSE_PROGRESS": str(kept)})

    def run(source: str, cell: str, interrupt_at: Path | None = None) -> str:
        content = {"code": source, "silent": False, "store_history": True}
        message = client.session.msg("execute_request", content, metadata={"cellId": cell})
        client.shell_channel.send(message)
        if interrupt_at:
            while not interrupt_at.exists():  # the answer makes it when it runs
                time.sleep(0.01)
            manager.interrupt_kernel()
        shown = []
        while True:
            told = client.get_iopub_msg(timeout=60)
            if told["parent_header"].get("msg_id") != message["header"]["msg_id"]:
                continue
            kind, said = told["msg_type"], told["content"]
            if kind == "status" and said["execution_state"] == "idle":
                return "\n".join(shown)
            if kind == "display_data":
                shown.append(said["data"]["text/plain"])
            elif kind == "stream":
                shown.append(said["text"])
            elif kind == "error":
                shown.append(said["ename"])

    run("import torch\nfrom course_utils.checks import check", "setup")
    yield run
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_the_judged_cell_is_named(run):
    """Catches a verdict on a function that stands nowhere any more, given as if it did."""
    run(STUB, "stub")
    assert "Correct" in (told := run(CHECK, "check"))
    assert "(as run in [2];" in told
    run(STUB, "stub")
    assert "(as run in [4];" in run(CHECK, "check")


@pytest.mark.parametrize(
    ("later", "what"),
    [
        (STUB.replace("x)", "x", 1), "stopped with an error"),
        (STUB.replace("one_step", "two_steps"), "no longer defines it"),
        (STUB.replace("torch", "x.nothing", 1) + "\n1 / 0", ""),
    ],
)
def test_an_older_answer_is_told(run, later, what):
    """Catches "Correct" right under a SyntaxError: the kernel still holds the answer before."""
    run(STUB, "stub")
    assert "has been run since" not in run(CHECK, "check")
    run(later, "stub")
    told = run(CHECK, "check")
    assert what in told
    assert "(as run in [" in told
    assert ("has been run since" in told) == bool(what)
    if what:
        assert "the cell has been run since, as [" in told
        assert "Correct" in told


def test_the_stop_button_names_the_loop(run, tmp_path):
    """Catches an interrupt that takes the copy and leaves the kernel without an answer."""
    runs = f"open({str(tmp_path / 'runs')!r}, 'w').close()"
    run(f"def one_step(u, h, x):\n    while True:\n        {runs}\n        x = x + 1", "stub")
    told = run(CHECK, "check", interrupt_at=tmp_path / "runs")
    assert "stopped in the line `while True:`: does the loop end?" in told
    assert "KeyboardInterrupt" not in told
    run(STUB, "stub")
    assert "Correct" in run(CHECK, "check")


def test_an_answer_that_exits_leaves_the_kernel_alive(run):
    """Catches a kernel that dies with an answer, and what answers print that never arrives."""
    run("import os\ndef one_step(u, h_before, x):\n    print('here')\n    os._exit(1)", "stub")
    assert "ends Python itself" in run(CHECK, "check")
    run("def one_step(u, h_before, x):\n    print('here')\n    return u", "stub")
    assert run(CHECK, "check").startswith("here")
    run("def one_step(u, h_before, x):\n    display('seen')\n    return u", "stub")
    assert "should be 0.5717" in run(CHECK, "check")
