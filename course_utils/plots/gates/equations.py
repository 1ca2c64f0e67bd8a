"""The equation of every stop of a walk, in symbols and with one unit's numbers put in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from course_utils.numbers import number
from course_utils.numbers import signed_number as n

GAP = "\u2003\u2003"  # between two equations of one stop


class Equation(NamedTuple):
    """Two lines that say the same: symbols, and numbers."""

    symbols: str  # as `plots.svg.formula` reads it
    numbers: str


class GateSum(NamedTuple):
    """The parts of one unit's sum in one gate at one word, before the squashing function."""

    from_word: float  # W x_t
    from_state: float  # U h_{t-1}
    bias: float
    inner_bias: float  # of a GRU's candidate, where the reset gate acts on it; else 0


def _gate(name: str) -> str:
    squash = "tanh" if name == "g" else "σ"
    return f"{name}_t = {squash}(W_{name} x_t + U_{name} h_{{t−1}} + b_{name})"


SYMBOLS = {
    ("lstm", "forget"): _gate("f"),
    ("lstm", "input"): _gate("i"),
    ("lstm", "candidate"): _gate("g"),
    ("lstm", "cell"): "c_t = f_t c_{t−1} + i_t g_t",
    ("lstm", "output"): f"{_gate('o')}{GAP}h_t = o_t tanh(c_t)",
    ("gru", "update"): _gate("z"),
    ("gru", "reset"): _gate("r"),
    ("gru", "candidate"): "n_t = tanh(W_n x_t + b_n + r_t (U_n h_{t−1} + b′_n))",
    ("gru", "state"): "h_t = (1 − z_t) n_t + z_t h_{t−1}",
}
BACK = {  # (what is asked, what it is the product of, in symbols and by name)
    ("lstm", "output"): ("∂J/∂c_t through h_t", "∂J/∂h_t · o_t · (1 − tanh²c_t)"),
    ("lstm", "cell"): ("∂J/∂c_t", "along the belt + through h_t"),
    ("lstm", "candidate"): ("∂J/∂g_t", "∂J/∂c_t · i_t"),
    ("lstm", "input"): ("∂J/∂i_t", "∂J/∂c_t · g_t"),
    ("lstm", "forget"): ("∂J/∂c_{t−1} along the belt", "∂J/∂c_t · f_t"),
    ("gru", "state"): ("∂J/∂h_t", "along the belt + through the gates of the next word"),
    ("gru", "candidate"): ("∂J/∂n_t", "∂J/∂h_t · (1 − z_t)"),
    ("gru", "reset"): ("∂J/∂r_t", "∂J/∂n_t · (1 − n_t²) · (U_n h_{t−1} + b′_n)"),
    ("gru", "update"): ("∂J/∂h_{t−1} along the belt", "∂J/∂h_t · z_t"),
}
GATE_OF = {
    "forget": "f",
    "input": "i",
    "candidate": "g",
    "output": "o",
    "update": "z",
    "reset": "r",
}


def equation_back(
    kind: str, stop: str, v: Mapping[str, float], d: Mapping[str, float], flows: Mapping[str, float]
) -> Equation:
    """Return both lines for the gradient that a stop of the way back computes."""
    asked, product = BACK[kind, stop]
    memory = flows["sum"]
    if stop in ("cell", "state"):
        rest = memory - flows["new"]
        sides = f"{number(flows['new'])} {'−' if rest < 0 else '+'} {number(abs(rest))}"
        return Equation(f"{asked} = {product}", f"{sides} = {number(memory)}")
    computed: dict[str, Callable[[], tuple[tuple[float, ...], float]]] = {
        "output": lambda: ((d["h"], v["o"], 1 - np.tanh(v["c"]) ** 2), flows["branch"]),
        "candidate": lambda: (
            (memory, v["i"] if kind == "lstm" else 1 - v["z"]),
            flows["proposed"],
        ),
        "input": lambda: ((memory, v["g"]), d["i"]),
        "reset": lambda: ((d["n"], 1 - v["n"] ** 2, v["felt"]), d["r"]),
        "forget": lambda: ((memory, v["f"]), flows["old"]),
        "update": lambda: ((memory, v["z"]), flows["old"]),
    }
    factors, result = computed[stop]()
    first, *others = (number(factor) for factor in factors)
    sides = " × ".join([first, *(f"({x})" if x.startswith("−") else x for x in others)])
    return Equation(f"{asked} = {product}", f"{sides} = {number(result)}")


def equation(
    kind: str, stop: str, values: Mapping[str, float], sums: Mapping[str, GateSum]
) -> Equation:
    """Return both lines; values by name (`c_prev` ...), sums by gate, as in `GateView`."""
    symbols = SYMBOLS[kind, stop]
    if (kind, stop) == ("gru", "candidate"):
        return Equation(symbols, _reset_sum(values, sums["n"]))
    if stop == "cell":
        return Equation(symbols, _mixed(values, ("f", "c_prev"), ("i", "g"), "c"))
    if stop == "state":
        mixed = {**values, "1-z": 1 - values["z"]}
        return Equation(symbols, _mixed(mixed, ("1-z", "n"), ("z", "h_prev"), "h"))
    name = GATE_OF[stop]
    numbers = _gate_sum(name, values[name], sums[name])
    if stop == "output":
        numbers += f"{GAP}{n(values['o'])} × tanh({n(values['c'])}) = {n(values['h'])}"
    return Equation(symbols, numbers)


def _gate_sum(name: str, value: float, sums: GateSum) -> str:
    squash = "tanh" if name == "g" else "σ"
    total = sums.from_word + sums.from_state + sums.bias
    inside = f"{n(sums.from_word)} {_plus(sums.from_state)} {_plus(sums.bias)}"
    return f"{squash}({inside}) = {squash}({n(total)}) = {n(value)}"


def _reset_sum(values: Mapping[str, float], sums: GateSum) -> str:
    inner = sums.from_state + sums.inner_bias
    total = sums.from_word + sums.bias + values["r"] * inner
    inside = (
        f"{n(sums.from_word)} {_plus(sums.bias)} + {n(values['r'])} × "
        f"({n(sums.from_state)} {_plus(sums.inner_bias)})"
    )
    return f"tanh({inside}) = tanh({n(total)}) = {n(values['n'])}"


def _mixed(
    values: Mapping[str, float], left: tuple[Any, ...], right: tuple[Any, ...], result: str
) -> str:
    a, b = (values[left[0]], values[left[1]]), (values[right[0]], values[right[1]])
    products = f"{n(float(np.prod(a)))} {_plus(float(np.prod(b)))}"
    return f"{_times(*a)} + {_times(*b)} = {products} = {n(values[result])}"


def _times(a: float, b: float) -> str:
    return f"{n(a)} × {f'({n(b)})' if n(b).startswith('−') else n(b)}"


def _plus(value: float) -> str:
    shown = n(value)
    return f"− {shown[1:]}" if shown.startswith("−") else f"+ {shown}"
