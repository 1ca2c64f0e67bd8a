"""A typed list of a module's parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from torch import nn

Part = TypeVar("Part", bound=nn.Module)


class Parts(nn.ModuleList, Generic[Part]):
    """torch.nn.ModuleList, unchanged, except that type checkers know the type of its parts."""

    if TYPE_CHECKING:

        def __init__(self, modules: Iterable[Part]) -> None: ...
        def __iter__(self) -> Iterator[Part]: ...
        def __getitem__(self, index: int) -> Part: ...  # type: ignore[override]  # no slices
