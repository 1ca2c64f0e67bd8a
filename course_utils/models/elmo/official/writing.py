"""Write the published ELMo format: options.json and one HDF5 file of weights."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import torch
from torch import Tensor

from course_utils.files import replacing, write_whole
from course_utils.models.elmo.official.format import Dataset, datasets, import_h5py
from course_utils.models.elmo.options import Options


def write_official(
    options: Options, weights: Mapping[str, Tensor], options_path: Path, weights_path: Path
) -> None:
    """Write both files, each whole or not at all."""
    h5py = import_h5py()
    with replacing(weights_path) as partial, h5py.File(partial, "w") as file:
        for dataset in _worth_writing(datasets(options), weights):
            parts = [weights[name].detach().cpu().float() for name in dataset.parameters]
            file[dataset.name] = dataset.write(*parts).contiguous().numpy()
    write_whole(options_path, (json.dumps(options.to_json(), indent=2) + "\n").encode())


def _worth_writing(found: list[Dataset], weights: Mapping[str, Tensor]) -> Iterator[Dataset]:
    """Leave out the group that the original code leaves out too, when it does nothing."""
    needed = {
        dataset.group
        for dataset in found
        if not (dataset.omissible and all(_does_nothing(weights[p]) for p in dataset.parameters))
    }
    return (dataset for dataset in found if dataset.group in needed)


def _does_nothing(part: Tensor) -> bool:
    nothing = torch.eye(len(part)).to(part) if part.ndim == 2 else torch.zeros_like(part)
    return torch.equal(part, nothing)
