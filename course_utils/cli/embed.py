"""`course embed`, which is also what `torchrun -m course_utils.embedding` understands."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from course_utils.cli.train import INTERRUPTED

if TYPE_CHECKING:
    from course_utils.models.elmo import BiLM

EPILOG = (
    "On many processes: torchrun --nproc-per-node 2 -m course_utils.embedding FILE --out DIR. "
    "On many machines that share DIR: the same command on each."
)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class Layers(StrEnum):
    """What of a model's layers is written."""

    ALL = "all"
    TOP = "top"
    AVERAGE = "average"


class Kind(StrEnum):
    """The form of the files."""

    SAFETENSORS = "safetensors"
    HDF5 = "hdf5"


class Numbers(StrEnum):
    """How a number is stored."""

    FLOAT32 = "float32"
    FLOAT16 = "float16"


@app.command(epilog=EPILOG)
def embed(
    file: Annotated[
        Path, typer.Argument(help="One sentence a line: text or .jsonl, also packed as .gz.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for the vectors.", show_default=False)],
    raw: Annotated[
        bool, typer.Option("--raw", help="Cut lines into tokens; else spaces divide them.")
    ] = False,
    options: Annotated[
        Path | None, typer.Option(help="Options of a published model; else the course's own.")
    ] = None,
    weights: Annotated[Path | None, typer.Option(help="Its weights.")] = None,
    sha256: Annotated[str | None, typer.Option(help="What the weights must hash to.")] = None,
    layers: Annotated[Layers, typer.Option(help="All layers, the top one, their mean.")] = (
        Layers.ALL
    ),
    kind: Annotated[Kind, typer.Option(help="hdf5 adds vectors.hdf5, as the original's.")] = (
        Kind.SAFETENSORS
    ),
    numbers: Annotated[Numbers, typer.Option(help="float16 takes half the room.")] = (
        Numbers.FLOAT32
    ),
    shard: Annotated[int, typer.Option(help="Sentences a shard.", min=1)] = 5000,
    batch_tokens: Annotated[int, typer.Option(help="Tokens computed at once.", min=1)] = 4096,
) -> None:
    """Write the vectors of every sentence of a file; go on where a run stopped.

    Read them with course_utils.embedding.open_vectors(DIR).
    """
    import torch

    from course_utils.embedding import Embedding, Source, embed_file

    worker, workers = (int(os.environ.get(name, n)) for name, n in (("RANK", 0), ("WORLD_SIZE", 1)))
    try:
        embedding = Embedding(
            _model(options, weights, sha256),
            batch_tokens=batch_tokens,
            dtype=getattr(torch, numbers.value),
            layers=layers.value,
        )
        source = Source(file, raw, shard, f".{kind.value}")
        whole = embed_file(embedding, source, out, worker=worker, workers=workers)
    except KeyboardInterrupt:
        typer.echo("course embed: stopped; the same command goes on from here", err=True)
        raise typer.Exit(INTERRUPTED) from None
    except (ValueError, OSError, ImportError) as error:
        typer.echo(f"course embed: {error}", err=True)
        raise typer.Exit(1) from None
    if whole:
        print(f"{out} is whole")


def _model(options: Path | None, weights: Path | None, sha256: str | None) -> BiLM:
    from course_utils.models.elmo import BiLM

    if options and weights:
        return BiLM.from_official(options, weights, sha256)
    if options or weights or sha256:
        raise ValueError("a published model is two files: give --options and --weights")
    return BiLM.from_pretrained("small")
