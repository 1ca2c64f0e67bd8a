"""A list of parts of a module that says what it is a list of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from torch import nn

Part = TypeVar("Part", bound=nn.Module)


class Parts(nn.ModuleList, Generic[Part]):
    """torch.nn.ModuleList, unchanged; there every part is just some nn.Module."""

    if TYPE_CHECKING:

        def __init__(self, modules: Iterable[Part]) -> None: ...
        def __iter__(self) -> Iterator[Part]: ...
        def __getitem__(self, index: int) -> Part: ...  # type: ignore[override]  # no slices
