"""What every belt of a cell carries: values on the way forward, gradients on the way back."""

from __future__ import annotations

import math
from collections.abc import Mapping


def flows_forward(kind: str, v: Mapping[str, float]) -> dict[str, float]:
    """Return the value on every belt; `v` by name, `felt` where the candidate's sum is known."""
    if kind == "lstm":
        read = math.tanh(v["c"])
        return {
            "old": v["c_prev"], "kept": v["f"] * v["c_prev"], "proposed": v["g"],
            "written": v["i"] * v["g"], "sum": v["c"], "new": v["c"], "branch": v["c"],
            "read": read, "shown": v["o"] * read,
        }  # fmt: skip
    felt = {"felt": v["felt"], "heard": v["r"] * v["felt"]} if "felt" in v else {}
    return {
        "old": v["h_prev"], "kept": v["z"] * v["h_prev"], "proposed": v["n"],
        "written": (1 - v["z"]) * v["n"], "sum": v["h"], "new": v["h"], **felt,
    }  # fmt: skip


def flows_back(
    kind: str, v: Mapping[str, float], d: Mapping[str, float], arriving: float
) -> dict[str, float]:
    """Return the gradient on every belt, each valve and slope passed the other way.

    `d` holds dJ/d(name) of this step's gates and states as measured; `arriving` is what comes
    along the memory from the step after.
    """
    if kind == "lstm":
        read = d["h"] * v["o"]
        branch = read * (1 - math.tanh(v["c"]) ** 2)
        return {
            "shown": d["h"], "read": read, "branch": branch, "new": arriving,
            "sum": d["c"], "written": d["c"], "proposed": d["c"] * v["i"],
            "kept": d["c"], "old": d["c"] * v["f"],
        }  # fmt: skip
    heard = d["n"] * (1 - v["n"] ** 2)
    return {
        "new": arriving, "sum": d["h"], "written": d["h"], "proposed": d["h"] * (1 - v["z"]),
        "heard": heard, "felt": heard * v["r"], "kept": d["h"], "old": d["h"] * v["z"],
    }  # fmt: skip
