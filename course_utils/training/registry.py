"""What the modules of a package make known, by name."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Generic, Protocol, TypeVar


class Named(Protocol):
    """Anything with a name."""

    @property
    def name(self) -> str: ...


NamedT = TypeVar("NamedT", bound=Named)


class Registry(Generic[NamedT]):
    """Things of one kind, each registered by a module of one package."""

    def __init__(self, kind: str, package: str) -> None:
        self._kind, self._package = kind, package
        self.known: dict[str, NamedT] = {}

    def register(self, thing: NamedT) -> NamedT:
        """Make a thing known by its name."""
        if self.known.setdefault(thing.name, thing) != thing:
            raise ValueError(f"there are two {self._kind} called {thing.name!r}: rename one")
        return thing

    def all(self) -> dict[str, NamedT]:
        """Return everything by name; importing the package's modules lets them register."""
        package = importlib.import_module(self._package)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(module.name)
        return dict(sorted(self.known.items()))
