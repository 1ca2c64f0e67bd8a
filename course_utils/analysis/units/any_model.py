"""Read what the units of any recurrent PyTorch model do, without changing the model.

Hooks listen to its recurrent modules while it runs. The inputs of `torch.nn.LSTM`, `GRU` and `RNN`
are read again by the course's layers with the same weights, which show every gate. For a cell that
is called step by step (`torch.nn.LSTMCell` and the like), only the states are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import PackedSequence

from course_utils.models import RecurrentLM
from course_utils.models.layers.recurrent import GRU, LSTM, Elman
from course_utils.models.quiet import quiet
from course_utils.models.steps import Step

Run = Callable[[str], object]  # reads a text with the model; its return value is ignored
TWINS: dict[str, type[Elman | GRU | LSTM]] = {
    "LSTM": LSTM, "GRU": GRU, "RNN_TANH": Elman, "RNN_RELU": Elman,
}  # fmt: skip


class Shown(NamedTuple):
    """What one gate or state of one layer and direction did over a text."""

    where: str  # the module's name in the model, its layer and direction
    of: str  # h c i f g o of an LSTM
    values: Tensor  # (T, H)


def read_units(model: nn.Module, text: str, run: Run | None = None) -> list[Shown]:
    """Return every gate and state of a model that reads a text of T characters, (T, H) each.

    `run(text)` must feed the model one row, one character a step, in order: in one call or
    step by step. Without it, the model is asked with the numbers of the characters by its own
    `vocabulary` (as the course's models are) as (T, 1), or (1, T) where it is `batch_first`.

    >>> embedding, layer = nn.Embedding(128, 4), nn.GRU(4, 6)
    >>> model = nn.Sequential(embedding, layer)
    >>> found = read_units(model, "hello", lambda text: model(torch.tensor([[*map(ord, text)]]).T))
    >>> [(shown.where, shown.of, tuple(shown.values.shape)) for shown in found][:2]
    [('1, layer 0', 'h', (5, 6)), ('1, layer 0', 'r', (5, 6))]
    """
    if not text:
        raise ValueError("the text is empty: give at least one character to read")
    heard: dict[str, list[tuple[object, ...]]] = {}
    modules = {
        name or "the model": module
        for name, module in model.named_modules()
        if isinstance(module, nn.RNNBase | nn.RNNCellBase)
    }
    if not modules:
        raise TypeError(
            f"a {type(model).__name__} has no recurrent module: torch.nn.LSTM, GRU, RNN and their "
            "cells can be listened to"
        )

    def listen(name: str) -> Callable[..., None]:
        def hook(_module: nn.Module, given: tuple[Any, ...], named: Any, out: Any) -> None:
            state = given[1] if len(given) > 1 else named.get("hx")
            first = given[0] if given else named["input"]
            heard.setdefault(name, []).append((first, state, out))

        return hook

    hooks = [
        module.register_forward_hook(listen(name), with_kwargs=True)
        for name, module in modules.items()
    ]
    try:
        with quiet(model):
            (run or _by_vocabulary(model, modules.values()))(text)
    finally:
        for hook in hooks:
            hook.remove()
    found = []
    with quiet(model):
        for name, calls in heard.items():
            found += _shown(name, modules[name], calls)
    _check_lengths(found, len(text))
    return found


def _by_vocabulary(model: nn.Module, modules: Any) -> Run:
    words = getattr(model, "vocabulary", None)
    if words is None or not hasattr(words, "encode"):
        raise TypeError(
            "this model has no `vocabulary` that turns characters into numbers: say how it reads "
            "a text, such as run=lambda text: model(encode(text))"
        )
    batch_first = any(getattr(module, "batch_first", False) for module in modules)

    def run(text: str) -> Any:
        numbers = words.encode(text)
        if isinstance(model, RecurrentLM):
            numbers = numbers.to(model.device)
        return model(numbers[None] if batch_first else numbers[:, None])

    return run


def _shown(name: str, module: nn.Module, calls: Sequence[tuple[Any, ...]]) -> list[Shown]:
    if isinstance(module, nn.RNNCellBase):
        return _of_cell(name, calls)
    assert isinstance(module, nn.RNNBase)
    if module.proj_size:
        return [Shown(name, "h", torch.cat([_row(out[0], module) for _, _, out in calls]))]
    traces: list[list[Step]] = [[*TWINS[module.mode].of(module).trace(*call[:2])] for call in calls]
    directions = 2 if module.bidirectional else 1
    found = []
    for index, first in enumerate(traces[0]):
        layer, backward = divmod(index, directions)
        where = f"{name}, layer {layer}" + (" backward" if backward else "")
        for of in first._fields:
            parts = [_row(getattr(trace[index], of), module) for trace in traces]
            found.append(Shown(where, of, torch.cat(parts).cpu()))
    return found


def _of_cell(name: str, calls: Sequence[tuple[Any, ...]]) -> list[Shown]:
    states = [out if isinstance(out, tuple) else (out,) for _, _, out in calls]
    names = ("h", "c")[: len(states[0])]
    return [
        Shown(name, of, torch.stack([state[n].reshape(-1) for state in states]).cpu())
        for n, of in enumerate(names)
    ]


def _row(field: Tensor | PackedSequence, module: nn.RNNBase) -> Tensor:
    """Return (T, H) of the one text that was read."""
    if isinstance(field, PackedSequence):
        field = field.data
    if field.dim() == 2:
        return field
    one = field[0] if module.batch_first and field.shape[0] == 1 else field.squeeze(1)
    if one.dim() != 2:
        raise ValueError(
            f"the model read several texts at once, {tuple(field.shape)}: run one row only"
        )
    return one


def _check_lengths(found: Sequence[Shown], length: int) -> None:
    if not found:
        raise ValueError("no recurrent module was used while the text was read: see `run`")
    wrong = {len(shown.values) for shown in found} - {length}
    if wrong:
        raise ValueError(
            f"the text has {length} characters and the model took {wrong.pop()} steps: each "
            "character must be one step, for what a unit does there to be shown at its place"
        )
