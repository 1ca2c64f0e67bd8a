"""Values as JSON and plain arrays: what goes to a judged process, and what may come back.

Nothing is unpickled. An object that pretends (its own `__eq__`, its own `__array__`) arrives as the
plain number, text or array that it holds, or as something of its kind that equals nothing.
"""

from __future__ import annotations

import base64
import math
import numbers
import re
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch

DEEPEST = 20
MOST_PARTS = 200_000  # of one value
MOST_BYTES = 6_000_000  # of one array
MOST_DIGITS = 4000  # of a whole number in hexadecimal
MOST_FIELDS = 100  # of a named tuple
MOST_KINDS = 1000  # named tuples and strange objects in one value: each is a class of its own
MOST_KEYS = 5000  # that are no texts: whoever chooses numbers can make all of them collide
DTYPES = {
    str(dtype): dtype
    for dtype in (
        torch.float16, torch.bfloat16, torch.float32, torch.float64, torch.complex64, torch.bool,
        torch.complex128, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64,
    )
}  # fmt: skip
NUMPY = re.compile(r"[<>=|][biufc]\d{1,2}")
NAME = re.compile(r"[A-Za-z_]\w{0,40}")
Packed = list[object]


class NotPlain(ValueError):
    """A value is too large, or what came back is damaged."""


def pack(value: object, functions: list[Callable[..., object]] | None = None) -> Packed:
    """Return a value as lists, texts and numbers; functions are noted and numbered."""
    return _Packer([] if functions is None else functions).pack(value, 0)


def unpack(packed: Any, function: Callable[[int], Any] | None = None) -> Any:
    """Return a value from what `pack` made, or raise NotPlain."""
    try:
        return _Unpacker(function or _no_function).unpack(packed, 0)
    except NotPlain:
        raise
    except (ValueError, TypeError, KeyError, IndexError, RuntimeError, OverflowError) as error:
        raise _damaged(type(error).__name__) from error


def _damaged(how: str = "") -> NotPlain:
    return NotPlain("what came back is damaged" + (f" ({how})" if how else ""))


class _Packer:
    def __init__(self, functions: list[Callable[..., object]]):
        self.functions = functions
        self.parts = 0

    def pack(self, value: object, depth: int) -> Packed:
        self.parts += 1
        if self.parts > MOST_PARTS or depth > DEEPEST:
            raise NotPlain("your function returns more than a page could hold")
        if value is None or value is ... or isinstance(value, bool):
            return ["none"] if value is None else ["dots"] if value is ... else ["bool", value]
        if isinstance(value, str):
            return ["text", _bounded(str.__str__(value))]
        if isinstance(value, np.generic | np.ndarray):
            return _packed_array(value)
        if isinstance(value, torch.Tensor):
            return _packed_tensor(value)
        if isinstance(value, numbers.Number):
            return _packed_number(value)
        return self._pack_several(value, depth + 1)

    def _pack_several(self, value: object, depth: int) -> Packed:
        if isinstance(value, Mapping):
            pairs = [[self.pack(k, depth), self.pack(v, depth)] for k, v in value.items()]
            return ["dict", pairs]
        if isinstance(value, tuple) and (fields := getattr(value, "_fields", None)):
            parts = [self.pack(part, depth) for part in tuple.__iter__(value)]
            return ["named", [str(field) for field in fields], parts]
        for kind in (tuple, list, set, frozenset):
            if isinstance(value, kind):
                inside: Any = kind.__iter__  # not the object's own, which may say anything
                parts = [self.pack(part, depth) for part in inside(value)]
                return [kind.__name__, sorted(parts, key=repr) if "set" in kind.__name__ else parts]
        if callable(value):
            self.functions.append(value)
            return ["function", len(self.functions) - 1]
        return ["other", str(type(value).__name__)[:40]]


def _packed_number(value: Any) -> Packed:
    if isinstance(value, int):
        return (
            ["int", hex(int.__index__(value))] if value.bit_length() < 10_000 else ["other", "int"]
        )
    if isinstance(value, complex):
        return ["complex", complex(value).real.hex(), complex(value).imag.hex()]
    return [
        "float",
        float.__float__(value).hex() if isinstance(value, float) else float(value).hex(),
    ]


def _packed_array(value: np.ndarray[Any, Any] | np.generic) -> Packed:
    array = np.array(value)
    if array.dtype.kind not in "biufc" or array.dtype.itemsize > 16 or array.dtype.char in "gG":
        return ["other", "ndarray"]
    data = np.ascontiguousarray(array).tobytes()
    kind = "array" if isinstance(value, np.ndarray) else "number"
    return [kind, array.dtype.str, list(array.shape), _encoded(data)]


def _packed_tensor(value: torch.Tensor) -> Packed:
    plain = torch.Tensor.detach(value).cpu()
    plain = plain.dequantize() if plain.is_quantized else plain.to_dense()
    plain = plain.resolve_conj().resolve_neg().contiguous()
    if str(plain.dtype) not in DTYPES:
        return ["other", "Tensor"]
    if plain.numel() * plain.element_size() > MOST_BYTES:
        raise NotPlain("your function returns more than a page could hold")
    data = plain.reshape(-1).view(torch.uint8).numpy().tobytes() if plain.numel() else b""
    return ["tensor", str(plain.dtype), list(plain.shape), _encoded(data)]


def _bounded(text: str) -> str:
    if len(text) > MOST_BYTES:
        raise NotPlain("your function returns more than a page could hold")
    return text


def _encoded(data: bytes) -> str:
    if len(data) > MOST_BYTES:
        raise NotPlain("your function returns more than a page could hold")
    return base64.b64encode(data).decode()


class _Unpacker:
    """Make a value of what came back, and of no more than it may cost."""

    def __init__(self, function: Callable[[int], object]):
        self.function = function
        self.parts = self.kinds = self.keys = 0

    def unpack(self, packed: Any, depth: int) -> Any:
        self.parts += 1
        if not isinstance(packed, list) or not packed or depth > DEEPEST + 1:
            raise _damaged()
        if self.parts > MOST_PARTS:
            raise _damaged("too many parts")
        kind, rest = packed[0], packed[1:]
        if kind in ("none", "dots"):
            return None if kind == "none" else ...
        if kind in ("bool", "text"):
            return bool(rest[0]) if kind == "bool" else str(rest[0])
        if kind in ("int", "float", "complex"):
            return _number(kind, rest)
        if kind in ("array", "number", "tensor"):
            return _array(kind, *rest)
        if kind == "function":
            return self.function(int(rest[0]))
        return self._several(kind, rest, depth + 1)

    def _several(self, kind: str, rest: list[Any], depth: int) -> Any:
        if kind == "dict":
            return {self._key(k, depth): self.unpack(v, depth) for k, v in rest[0]}
        if kind in ("set", "frozenset"):
            found = [self._key(part, depth) for part in rest[0]]
            return set(found) if kind == "set" else frozenset(found)
        if kind in ("named", "other"):
            return self._of_its_own_kind(kind, rest, depth)
        parts = [self.unpack(part, depth) for part in rest[0]]
        return {"tuple": tuple, "list": list}[kind](parts)

    def _key(self, packed: object, depth: int) -> object:
        key = self.unpack(packed, depth)
        self.keys += not isinstance(key, str)
        if self.keys > MOST_KEYS:
            raise _damaged("too many keys")
        return key

    def _of_its_own_kind(self, kind: str, rest: list[Any], depth: int) -> Any:
        self.kinds += 1
        if self.kinds > MOST_KINDS or (kind == "named" and len(rest[0]) > MOST_FIELDS):
            raise _damaged("too many kinds")
        if kind == "other":
            return type(rest[0] if NAME.fullmatch(rest[0]) else "Object", (), {})()
        parts = [self.unpack(part, depth) for part in rest[1]]
        return namedtuple("Answer", rest[0], rename=True)(*parts)


def _number(kind: str, said: Sequence[Any]) -> int | float | complex:
    if kind == "int" and len(said[0]) > MOST_DIGITS:
        raise _damaged()
    if kind == "int":
        return int(said[0], 16)
    parts = [float.fromhex(part) for part in said]
    return parts[0] if kind == "float" else complex(*parts)


def _array(kind: str, dtype: str, shape: list[int], encoded: str) -> object:
    data = bytearray(base64.b64decode(encoded, validate=True))
    if not all(isinstance(n, int) and 0 <= n <= MOST_BYTES for n in shape) or len(shape) > 16:
        raise _damaged()
    if kind == "tensor":
        known = DTYPES[dtype]
        if len(data) != math.prod(shape) * known.itemsize:
            raise _damaged()
        flat = (
            torch.frombuffer(data, dtype=torch.uint8) if data else torch.zeros(0, dtype=torch.uint8)
        )
        if known == torch.bool:
            return (flat != 0).reshape(shape)  # any other byte is no truth value
        return flat.view(known).reshape(shape)
    if not NUMPY.fullmatch(dtype):
        raise _damaged()
    array = np.frombuffer(data, dtype=np.dtype(dtype)).reshape(shape)
    return array if kind == "array" else array.reshape(())[()]


def _no_function(number: int) -> object:
    return lambda *arguments: None
