"""Import a network that somebody else trained: plain arrays, one gate at a time, become a layer.

Each gate is a triple (W, U, b): its weights for the input (H, D) and for the hidden state (H, H),
and its bias (H,). Some frameworks store W and U transposed: pass their transposes.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple, TypeVar

import torch
from torch import Tensor

from course_utils.models.layers.recurrent import GRU, LSTM

LSTM_GATES = ("i", "f", "g", "o")  # PyTorch's order of rows
GRU_GATES = ("r", "z", "n")
Layer = TypeVar("Layer", LSTM, GRU)


class Gate(NamedTuple):
    """The parameters of one gate; `b_U` is the bias beside U where there are two."""

    W: Tensor  # (H, D)
    U: Tensor  # (H, H)
    b: Tensor  # (H,)
    b_U: Tensor  # (H,)


def from_gates(
    *, update: str | None = None, reset: str | None = None, **gates: object
) -> LSTM | GRU:
    """Return an LSTM from i=, f=, g= (the candidate) and o=, or a GRU from r=, z= and n=.

    An LSTM here has sigmoid gates, tanh and no peepholes; a forget bias that a framework adds at
    run time belongs in f's b. A gate's fourth array is b_U, the bias that goes with U.

    "GRU" can mean four networks, so say which one this is: `update` says whether z "keep"s the old
    state (PyTorch) or "renew"s it, `reset` whether r acts "after" the product U h (PyTorch) or
    "before" it. No weights turn one reset into the other (lecture 04): "before" is refused, unless
    both are the same, with a diagonal U and no b_U.

    >>> W, U, b = torch.zeros(1, 2), torch.zeros(1, 1), torch.zeros(1)
    >>> add = torch.tensor([[20.0, -20.0]])  # the candidate is 1 at the first letter, else -1
    >>> counter = from_gates(i=(W, U, b + 20), f=(W, U, b + 20), g=(add, U, b), o=(W, U, b + 20))
    >>> aab = torch.tensor([[1.0, 0], [1, 0], [0, 1]])[:, None]
    >>> counter.trace(aab)[0].c.flatten().round().tolist()  # two up, one down
    [1.0, 2.0, 1.0]
    """
    if set(gates) == set(LSTM_GATES):
        if update or reset:
            raise ValueError("an LSTM has neither an update nor a reset gate: leave both out")
        return _filled(LSTM, _read(gates, LSTM_GATES))
    if set(gates) != set(GRU_GATES):
        known = f"{', '.join(LSTM_GATES)} of an LSTM or {', '.join(GRU_GATES)} of a GRU"
        raise ValueError(f"no layer has the gates {', '.join(gates) or '-'}: pass {known}")
    return _filled(GRU, _as_pytorch(_read(gates, GRU_GATES), update, reset))


def _as_pytorch(gates: dict[str, Gate], update: str | None, reset: str | None) -> dict[str, Gate]:
    """Return a GRU's gates in PyTorch's convention, or refuse what has none."""
    if update not in ("keep", "renew") or reset not in ("after", "before"):
        raise ValueError(
            "say which GRU it is: update='keep' or 'renew', reset='after' or 'before' the product"
        )
    n = gates["n"]
    mixes = (n.U - torch.diag(n.U.diagonal())).any() or n.b_U.any()
    if reset == "before" and mixes:
        raise ValueError(
            "this GRU resets the state before the product, U (r * h), PyTorch's after it: no "
            "weights turn one into the other. Run it with `analysis.gru.conventions.run_gru_in`."
        )
    if update == "renew":  # 1 - sigmoid(a) = sigmoid(-a)
        gates = {**gates, "z": Gate(*(-part for part in gates["z"]))}
    return gates


def _read(gates: dict[str, Any], names: tuple[str, ...]) -> dict[str, Gate]:
    """Return the gates as tensors of one type, or say what does not fit."""
    arrays = {name: [_tensor(part) for part in gate] for name, gate in gates.items()}
    dtype = reduce(torch.promote_types, (p.dtype for gate in arrays.values() for p in gate))
    H, D = _sizes(arrays[names[0]])
    found = {}
    for name in names:
        parts = arrays[name]
        shapes, wanted = [tuple(part.shape) for part in parts], [(H, D), (H, H), (H,), (H,)]
        if len(parts) not in (3, 4) or shapes != wanted[: len(parts)]:
            told = " and ".join(map(str, shapes))
            raise ValueError(
                f"gate {name} has the shapes {told}; W, U and b of this layer are {(H, D)}, "
                f"{(H, H)} and {(H,)}: is one of them transposed?"
            )
        tensors = [part.to(dtype) for part in parts]
        found[name] = Gate(*tensors, *([torch.zeros(H, dtype=dtype)] if len(parts) == 3 else []))
    return found


def _tensor(part: Any) -> Tensor:
    """Return an array as a tensor of its own precision; lists and whole numbers become float64."""
    if isinstance(part, Tensor):
        found = part.detach().clone()
    else:
        found = torch.tensor(part, dtype=None if hasattr(part, "dtype") else torch.float64)
    return found if found.is_floating_point() else found.double()


def _sizes(gate: list[Tensor]) -> tuple[int, int]:
    if not gate or gate[0].dim() != 2:
        raise ValueError("a gate is (W, U, b): two matrices and a vector")
    H, D = gate[0].shape
    return H, D


@torch.no_grad()
def _filled(kind: type[Layer], gates: dict[str, Gate]) -> Layer:
    """Return a layer of that kind whose rows are the gates', in PyTorch's order."""
    H, D = next(iter(gates.values())).W.shape
    layer = kind(D, H, dtype=next(iter(gates.values())).W.dtype)
    names = LSTM_GATES if kind is LSTM else GRU_GATES
    for parameter, part in zip(layer.all_weights[0], Gate._fields, strict=True):
        parameter.copy_(torch.cat([getattr(gates[name], part) for name in names]))
    return layer
