"""The stop button of a real notebook kernel ends a run politely."""

from __future__ import annotations

import os
from pathlib import Path

from jupyter_client.manager import start_new_kernel

ROOT = Path(__file__).parents[2]
CELL = """
from tests.training.training_runs import TinyLM, stream_piece
from course_utils.training import StreamLoss, fit

class Speaking(StreamLoss):
    steps = 0
    def __call__(self, model, batch):
        self.steps += 1
        if self.steps == 3:
            print("three steps", flush=True)
        return super().__call__(model, batch)

history = fit(TinyLM(), stream_piece, Speaking(), steps=10**6, device="cpu")
print(history.stopped, 3 <= len(history) < 10**6)
"""


def test_the_stop_button_ends_a_run_with_its_history():
    """Catches: a KeyboardInterrupt out of the cell, and a bar that a notebook cannot show."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    manager, client = start_new_kernel(env=environment, cwd=str(ROOT))
    try:
        request = client.execute(CELL)
        said, kinds = "", []
        while True:
            message = client.get_iopub_msg(timeout=120)
            if message["parent_header"].get("msg_id") != request:
                continue
            kinds.append(message["msg_type"])
            said += message["content"].get("text", "")
            if message["msg_type"] == "stream" and "three steps" in message["content"]["text"]:
                manager.interrupt_kernel()
            if message["content"].get("execution_state") == "idle":
                break
        assert "interrupted True" in said
        assert "error" not in kinds
        assert "display_data" in kinds, "the bar is text where it could be a widget"
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
