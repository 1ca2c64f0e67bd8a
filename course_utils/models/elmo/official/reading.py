"""Read the published ELMo format: options.json and one HDF5 file of weights."""

from __future__ import annotations

import hashlib
import json
import math
import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from course_utils.models.elmo.official.format import (
    Dataset,
    alias,
    as_stored,
    datasets,
    import_h5py,
)
from course_utils.models.elmo.official.packing import packing_problem
from course_utils.models.elmo.options import Options

if TYPE_CHECKING:
    import h5py

OPTIONS_BYTES = 2**20  # a real options.json has about a thousand
COMPRESSION = 20  # trained weights hardly shrink; an honest file is not smaller by more than this
OWN_GROUPS = ("char_embed", "CNN", "RNN_")  # what nobody expects here is a mistake


# what h5py raises, depending on where in a broken file it stumbles
HDF5_ERRORS = (OSError, RuntimeError, KeyError, ValueError, TypeError, OverflowError, MemoryError)


class OfficialFileError(ValueError):
    """Everything that is wrong with the two files."""


def read_options(source: str | os.PathLike[str] | Mapping[str, object]) -> Options:
    """Read options.json, or the dictionary that it holds."""
    if isinstance(source, Mapping):
        return Options.from_json(source)
    path = Path(source)
    if not path.is_file():
        raise OfficialFileError(f"{path}: there is no such options file")
    if path.stat().st_size > OPTIONS_BYTES:
        raise OfficialFileError(f"{path}: too large for an options file; is it the weight file?")
    try:
        return Options.from_json(json.loads(path.read_text(encoding="utf-8")))
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise OfficialFileError(f"{path} is not JSON: {error}") from error
    except ValueError as error:
        raise OfficialFileError(f"{path}: {error}") from error


def read_weights(
    options: Options, path: str | os.PathLike[str], sha256: str | None = None
) -> tuple[Options, dict[str, Tensor]]:
    """Return a BiLM's options, completed from the file, and its state_dict.

    Every name, type, shape and number is checked, and all problems are reported at once.
    """
    path = Path(path)
    if not path.is_file():
        raise OfficialFileError(f"{path}: there is no such weight file")
    _check_sha256(path, sha256)
    try:
        file = import_h5py().File(path, "r")
    except HDF5_ERRORS as error:
        raise OfficialFileError(
            f"{path} cannot be opened as HDF5, it is broken or something else: {error}"
        ) from error
    try:
        with file:
            names, strange = _names(file)
            options = as_stored(options, names)
            _refuse(path, _too_large(options, path.stat().st_size))
            found, wrong = _find(file, names, options)
            weights, unreadable = _load(found)
            _refuse(path, strange + wrong + unreadable)
    except OfficialFileError:
        raise
    except HDF5_ERRORS as error:
        raise OfficialFileError(f"{path} is a broken HDF5 file: {error}") from error
    return options, weights


def _check_sha256(path: Path, wanted: str | None) -> None:
    """Compare the file's sha256 with the wanted one; if none was given, print it."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if wanted is None:
        print(f'{path.name}: read with sha256="{found}"; give it, and it is compared next time')
    elif wanted.strip().lower() != found:
        raise OfficialFileError(
            f"{path} is not the file that was asked for: its sha256 is {found}, not {wanted}. "
            "It was changed or damaged: get it again"
        )


def _refuse(path: Path, wrong: list[str]) -> None:
    if wrong:
        raise OfficialFileError(
            f"{path} does not fit these options; what is wrong ({len(wrong)}):\n- "
            + "\n- ".join(wrong)
        )


def _find(
    file: h5py.File, names: set[str], options: Options
) -> tuple[list[tuple[Dataset, h5py.Dataset | None]], list[str]]:
    """Look up every dataset without reading it; report what is missing, odd or superfluous."""
    found, wrong = [], []
    left, groups = set(names), {name.split("/")[0] for name in names}
    for dataset in datasets(options):
        name = dataset.name if dataset.name in names else alias(dataset.name, options)
        if name not in names:
            if dataset.omissible and dataset.group not in groups:
                found.append((dataset, None))
            else:
                wrong.append(f"{dataset.name}: missing, must be {dataset.shape}")
            continue
        left.discard(name)
        item = file[name]
        problem = _problem(item, dataset)
        if problem:
            wrong.append(f"{name}: {problem}")
        else:
            found.append((dataset, item))
    for name in sorted(left):
        if name.startswith(OWN_GROUPS):
            wrong.append(f"{name}: not part of a model with these options")
    return found, wrong


def _too_large(options: Options, size: int) -> list[str]:
    claimed = 4 * sum(math.prod(dataset.shape) for dataset in datasets(options))
    if claimed <= COMPRESSION * size:
        return []
    return [f"the options ask for {claimed:,} bytes of weights, the file has {size:,}"]


def _names(file: h5py.File) -> tuple[set[str], list[str]]:
    """Return the paths of all datasets; follow no link that could lead elsewhere."""
    h5py = import_h5py()
    names, wrong, groups = set(), [], [("", file)]
    visited = {h5py.h5o.get_info(file.id).addr}
    while groups:
        prefix, group = groups.pop()
        for key in group:
            name = f"{prefix}{key}"
            try:
                if not isinstance(group.get(key, getlink=True), h5py.HardLink):
                    wrong.append(f"{name}: is a link to another place, which is not followed")
                    continue
                item = group[key]
            except HDF5_ERRORS as error:
                wrong.append(f"{name}: cannot be read: {error}")
                continue
            if isinstance(item, h5py.Dataset):
                names.add(name)
            elif isinstance(item, h5py.Group):
                where = h5py.h5o.get_info(item.id).addr
                if where not in visited:  # a group may contain itself
                    visited.add(where)
                    groups.append((f"{name}/", item))
                else:
                    wrong.append(f"{name}: is another name of a group, which is not read twice")
    return names, wrong


def _problem(item: h5py.Dataset, dataset: Dataset) -> str:
    try:
        dtype = item.dtype
    except HDF5_ERRORS as error:  # NumPy has no word for some
        return f"cannot be read: {error}"
    if dtype.kind != "f" or dtype.itemsize != 4:
        return f"holds {dtype}, must hold float32"
    if item.shape != dataset.shape:
        return f"has shape {item.shape}, must be {dataset.shape}"
    if item.is_virtual or item.external:
        return "keeps its numbers in another file, which is not opened"
    if item.id.get_space_status() != import_h5py().h5d.SPACE_STATUS_ALLOCATED:
        return "was declared but not (all) written: the file is unfinished"
    try:
        return packing_problem(item)
    except (*HDF5_ERRORS, zlib.error) as error:
        return f"has chunks that cannot be unpacked: {error}"


def _load(
    found: list[tuple[Dataset, h5py.Dataset | None]],
) -> tuple[dict[str, Tensor], list[str]]:
    weights: dict[str, Tensor] = {}
    wrong = []
    for dataset, item in found:
        if item is None:
            values = (
                torch.eye(*dataset.shape) if len(dataset.shape) == 2 else torch.zeros(dataset.shape)
            )
        else:
            try:
                values = torch.from_numpy(item[()].astype("float32", copy=False))
            except HDF5_ERRORS as error:
                wrong.append(f"{dataset.name}: cannot be read: {error}")
                continue
        if not torch.isfinite(values).all():
            bad = int((~torch.isfinite(values)).sum())
            wrong.append(f"{dataset.name}: {bad} of {values.numel()} numbers are not finite")
            continue
        weights.update(zip(dataset.parameters, dataset.read(values), strict=True))
    return weights, wrong
