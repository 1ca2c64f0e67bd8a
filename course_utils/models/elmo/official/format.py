"""Which dataset of a published weight file is which parameter, and how it is laid out there."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from course_utils.models.elmo.options import STORED_CHARACTERS, Options


def import_h5py(instead: str = "") -> Any:
    """Return h5py, or say how to get it, and what would do without it."""
    try:
        import h5py
    except ImportError as error:
        raise ImportError(
            f'this is an HDF5 file: pip install "recurrent-course[elmo]"{instead}'
        ) from error
    return h5py


@dataclass(frozen=True)
class Dataset:
    """One dataset of the file."""

    name: str
    shape: tuple[int, ...]
    parameters: tuple[str, ...]  # state_dict keys of the BiLM
    read: Callable[[Tensor], tuple[Tensor, ...]]  # file layout to parameters
    write: Callable[..., Tensor]  # parameters to file layout
    omissible: bool = False  # the original code leaves its group out where F == P: the identity

    @property
    def group(self) -> str:
        """Return the outermost group of the file that the dataset lies in."""
        return self.name.split("/")[0]


def datasets(options: Options) -> list[Dataset]:
    """Return all datasets of a model's file."""
    o = options
    found = [_same("char_embed", (STORED_CHARACTERS, o.char_dim), "encoder.embedding.weight")]
    for i, (width, count) in enumerate(o.filters):
        ours = f"encoder.convolutions.{i}"
        found.append(_convolution(f"CNN/W_cnn_{i}", width, o.char_dim, count, f"{ours}.weight"))
        found.append(_same(f"CNN/b_cnn_{i}", (count,), f"{ours}.bias"))
    for k in range(o.highways):
        for theirs, part in (("carry", "gate"), ("transform", "transform")):
            ours = f"encoder.highways.{k}.{part}"
            name = f"CNN_high_{k}/{{}}_{theirs}"
            found.append(_turned(name.format("W"), (o.features, o.features), f"{ours}.weight"))
            found.append(_same(name.format("b"), (o.features,), f"{ours}.bias"))
    straight = o.features == o.projection
    shape = (o.features, o.projection)
    found.append(_turned("CNN_proj/W_proj", shape, "encoder.projection.weight", straight))
    found.append(_same("CNN_proj/b_proj", shape[1:], "encoder.projection.bias", straight))
    for direction in range(2):
        for layer in range(o.layers):
            found += _lstm(o, direction, layer)
    return found


def alias(name: str, options: Options) -> str | None:
    """Return the path that the original code writes for the only layer of a one-layer model."""
    return name.replace("MultiRNNCell/Cell0/", "") if options.layers == 1 else None


def _lstm(o: Options, direction: int, layer: int) -> list[Dataset]:
    path = f"RNN_{direction}/RNN/MultiRNNCell/Cell{layer}/LSTMCell"
    ours = f"directions.{direction}.{layer}"
    P, C = o.projection, o.cells
    found = [
        Dataset(
            f"{path}/W_0",
            (2 * P, 4 * C),
            (f"{ours}.weight_ih", f"{ours}.weight_hh"),
            lambda W: tuple(part.contiguous() for part in _gates(W.t()).split(P, dim=1)),
            lambda W, U: _gates(torch.cat([W, U], dim=1)).t(),
        ),
        Dataset(f"{path}/B", (4 * C,), (f"{ours}.bias",), lambda b: (_gates(b),), _gates),
    ]
    if o.projected:
        found.append(_turned(f"{path}/W_P_0", (C, P), f"{ours}.weight_hr"))
    return found


def as_stored(options: Options, names: Collection[str]) -> Options:
    """Return the options of a file with these datasets: do its LSTMs project?

    The original code builds them without a projection, and without its clip, where C == P.
    """
    without = options.cells == options.projection and not any(n.endswith("/W_P_0") for n in names)
    return replace(options, projected=not without)


def _gates(rows: Tensor) -> Tensor:
    """Exchange the middle blocks: the file has i g f o, we have i f g o."""
    i, second, third, o = rows.chunk(4)
    return torch.cat([i, third, second, o])


def _same(name: str, shape: tuple[int, ...], ours: str, omissible: bool = False) -> Dataset:
    return Dataset(name, shape, (ours,), lambda x: (x,), lambda x: x, omissible)


def _turned(name: str, shape: tuple[int, ...], ours: str, omissible: bool = False) -> Dataset:
    return Dataset(
        name, shape, (ours,), lambda x: (x.t().contiguous(),), lambda x: x.t(), omissible
    )


def _convolution(name: str, width: int, depth: int, count: int, ours: str) -> Dataset:
    return Dataset(
        name,
        (1, width, depth, count),
        (ours,),
        lambda x: (x[0].permute(2, 1, 0).contiguous(),),
        lambda x: x.permute(2, 1, 0).unsqueeze(0),
    )
