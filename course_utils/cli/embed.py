"""`course embed`, which is also what `torchrun -m course_utils.embedding` understands."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from course_utils.cli.one_line import what_to_do
from course_utils.cli.out import out_folder
from course_utils.cli.train import INTERRUPTED

if TYPE_CHECKING:
    from course_utils.models.elmo import BiLM

EPILOG = (
    "On many processes: torchrun --nproc-per-node 2 -m course_utils.embedding FILE --out DIR. "
    "On many machines that share DIR: the same command on each."
)

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


class Layers(StrEnum):
    """Which of a model's layers are written."""

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
        Path,
        typer.Argument(
            metavar="FILE", help="One sentence per line: text or .jsonl, also packed as .gz."
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            parser=out_folder, metavar="DIR", help="Folder for the vectors.", show_default=False
        ),
    ],
    raw: Annotated[
        bool, typer.Option("--raw", help="Cut lines into tokens; otherwise spaces separate them.")
    ] = False,
    options: Annotated[
        Path | None, typer.Option(help="Options of a published model; otherwise the course's own.")
    ] = None,
    weights: Annotated[Path | None, typer.Option(help="Its weights.")] = None,
    sha256: Annotated[str | None, typer.Option(help="What the weights must hash to.")] = None,
    layers: Annotated[Layers, typer.Option(help="All layers, the top one, or their mean.")] = (
        Layers.ALL
    ),
    kind: Annotated[Kind, typer.Option(help="hdf5 adds vectors.hdf5, like the original's.")] = (
        Kind.SAFETENSORS
    ),
    numbers: Annotated[Numbers, typer.Option(help="float16 takes half the space.")] = (
        Numbers.FLOAT32
    ),
    shard: Annotated[int, typer.Option(help="Sentences per shard.", min=1, max=1_000_000)] = 5000,
    batch_tokens: Annotated[int, typer.Option(help="Tokens computed at once.", min=1)] = 4096,
) -> None:
    """Write the vectors of every sentence in a file, starting at the first missing shard.

    Read them with course_utils.embedding.open_vectors(DIR).
    """
    import torch

    from course_utils.embedding import Embedding, Source, embed_file, open_vectors
    from course_utils.training.parallel.distributed import asked_world

    try:
        worker, workers = asked_world()
        embedding = Embedding(
            _model(options, weights, sha256),
            batch_tokens=batch_tokens,
            dtype=getattr(torch, numbers.value),
            layers=layers.value,
        )
        source = Source(file, raw, shard, f".{kind.value}")
        whole = embed_file(embedding, source, out, worker=worker, workers=workers)
    except KeyboardInterrupt:
        typer.echo(
            "course embed: stopped; finished shards stay, and the same command goes on", err=True
        )
        raise typer.Exit(INTERRUPTED) from None
    except (ValueError, OSError, ImportError) as error:
        typer.echo(f"course embed: {what_to_do(error)}", err=True)
        raise typer.Exit(1) from None
    if whole:
        print(f"{out} is complete: {len(open_vectors(out)):,} sentences")


def _model(options: Path | None, weights: Path | None, sha256: str | None) -> BiLM:
    from course_utils.models.elmo import BiLM

    if options and weights:
        return BiLM.from_official(options, weights, sha256)
    if options or weights or sha256:
        raise ValueError("a published model is two files: give --options and --weights")
    return BiLM.from_pretrained("small")
