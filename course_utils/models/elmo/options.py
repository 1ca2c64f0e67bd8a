"""The contents of an options.json in the published format, as one checked record."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeGuard

ACTIVATIONS = ("relu", "tanh")
STORED_CHARACTERS = 261  # rows of the character table in a weight file


@dataclass(frozen=True)
class Options:
    """Sizes and switches of one bidirectional language model."""

    projection: int  # P: width of token vectors, of layer inputs and of recurrent states
    cells: int  # C: memory cells of every LSTM
    layers: int  # L, in each direction
    filters: tuple[tuple[int, int], ...]  # (width in characters, how many) of the character CNN
    char_dim: int = 16  # D
    highways: int = 1
    activation: str = "relu"  # after max pooling
    residual: bool = True  # add a layer's input to its output, from the second layer on
    cell_clip: float | None = None
    proj_clip: float | None = None
    max_characters: int = 50  # M: slots of a token, its two boundaries included
    projected: bool = True  # False, only where C == P: no projection, and so no clip of it

    @property
    def features(self) -> int:
        """Return F, the width of the character CNN's output."""
        return sum(count for _, count in self.filters)

    def to_json(self) -> dict[str, object]:
        """Return the nested dictionary that an options.json of the published format holds."""
        return {
            "lstm": {
                "dim": self.cells,
                "projection_dim": self.projection,
                "n_layers": self.layers,
                "cell_clip": self.cell_clip,
                "proj_clip": self.proj_clip,
                "use_skip_connections": self.residual,
            },
            "char_cnn": {
                "embedding": {"dim": self.char_dim},
                "filters": [list(pair) for pair in self.filters],
                "activation": self.activation,
                "n_highway": self.highways,
                "n_characters": STORED_CHARACTERS + 1,  # the format counts the padding row
                "max_characters_per_token": self.max_characters,
            },
        }

    @classmethod
    def from_json(cls, json: object) -> Options:
        """Read the nested dictionary of an options.json; tell everything that is wrong at once."""
        reader = _Reader(json)
        options = cls(
            projection=reader.count("lstm.projection_dim"),
            cells=reader.count("lstm.dim"),
            layers=reader.count("lstm.n_layers", default=1, most=_Reader.DEEPEST),
            filters=reader.filters("char_cnn.filters"),
            char_dim=reader.count("char_cnn.embedding.dim"),
            highways=reader.count("char_cnn.n_highway", default=0, least=0, most=_Reader.DEEPEST),
            activation=reader.activation("char_cnn.activation"),
            residual=reader.switch("lstm.use_skip_connections"),
            cell_clip=reader.clip("lstm.cell_clip"),
            proj_clip=reader.clip("lstm.proj_clip"),
            max_characters=reader.count("char_cnn.max_characters_per_token", least=3),
        )
        reader.check_characters("char_cnn.n_characters")
        if not reader.wrong and options.max_characters < max(w for w, _ in options.filters):
            reader.wrong.append("char_cnn.filters: a filter is wider than a token has slots")
        if reader.wrong:
            raise ValueError(
                "these options do not describe an ELMo:\n- " + "\n- ".join(reader.wrong)
            )
        return options


OFFICIAL = Options(
    projection=512,
    cells=4096,
    layers=2,
    filters=((1, 32), (2, 32), (3, 64), (4, 128), (5, 256), (6, 512), (7, 1024)),
    highways=2,
    cell_clip=3.0,
    proj_clip=3.0,
)


def count_parameters(options: Options) -> int:
    """Return the number of parameters of such a model, without its softmax."""
    o = options
    cnn = sum(width * o.char_dim * count + count for width, count in o.filters)
    highway = o.highways * 2 * (o.features**2 + o.features)
    encoder = STORED_CHARACTERS * o.char_dim + cnn + highway + (o.features + 1) * o.projection
    lstm = 4 * o.cells * (2 * o.projection + 1) + o.projected * o.cells * o.projection
    return encoder + 2 * o.layers * lstm


class _Reader:
    """Take values out of untrusted nested JSON, collecting what is wrong with them.

    A wrong value is replaced by a placeholder, which must not be used.
    """

    LARGEST = 2**20  # far above any real size; keeps a hostile file from asking for all memory
    DEEPEST = 100  # layers or filter widths: each asks for datasets by name

    def __init__(self, json: object):
        self.json = json
        self.wrong: list[str] = []

    def value(self, path: str) -> object:
        here = self.json
        for key in path.split("."):
            here = here.get(key) if isinstance(here, Mapping) else None
        return here

    def count(
        self, path: str, default: int | None = None, least: int = 1, most: int = LARGEST
    ) -> int:
        value = self.value(path)
        if value is None and default is not None:
            return default
        if not _is_int(value) or not least <= value <= most:
            wanted = f"a whole number >= {least}, at most {most}"
            self.wrong.append(f"{path}: {_show(value)}, must be {wanted}")
            return least
        return value

    def clip(self, path: str) -> float | None:
        value = self.value(path)
        if value is None or value == 0:  # 0 means "no clip", as in the PyTorch successor
            return None
        if (isinstance(value, float) or _is_int(value)) and 0 < value <= sys.float_info.max:
            return float(value)
        self.wrong.append(f"{path}: {_show(value)}, must be a positive number or null")
        return None

    def switch(self, path: str) -> bool:
        value = self.value(path)
        if not isinstance(value, bool):
            self.wrong.append(f"{path}: {_show(value)}, must be true or false")
            return False
        return value

    def activation(self, path: str) -> str:
        value = self.value(path)
        if not isinstance(value, str) or value not in ACTIVATIONS:
            self.wrong.append(f"{path}: {_show(value)}, must be one of {', '.join(ACTIVATIONS)}")
            return ACTIVATIONS[0]
        return value

    def filters(self, path: str) -> tuple[tuple[int, int], ...]:
        value = self.value(path)
        if isinstance(value, list | tuple) and 1 <= len(value) <= self.DEEPEST:
            pairs = [pair for given in value if (pair := self._pair(given))]
            if len(pairs) == len(value):
                return tuple(pairs)
        wanted = f"a list of at most {self.DEEPEST} pairs [width, count]"
        self.wrong.append(f"{path}: {_show(value)}, must be {wanted}")
        return ()

    def _pair(self, given: object) -> tuple[int, int] | None:
        if not isinstance(given, list | tuple) or len(given) != 2:
            return None
        width, count = given
        sizes = all(_is_int(n) and 1 <= n <= self.LARGEST for n in given)
        return (width, count) if sizes else None

    def check_characters(self, path: str) -> None:
        """Accept 262, and 261 of a file from training time: the table's own size decides."""
        value = self.value(path)
        if value not in (None, STORED_CHARACTERS, STORED_CHARACTERS + 1):
            self.wrong.append(f"{path}: {_show(value)}, must be 262")


def _is_int(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _show(value: object) -> str:
    text = "missing" if value is None else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
