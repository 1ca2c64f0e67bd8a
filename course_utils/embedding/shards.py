"""A file of sentences embedded by many processes: shards that are whole or not there, and an index.

The processes never talk to one another. Each makes its own shards, then helps with those that
nobody is making; the last one to finish finds all of them whole and writes the index.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from course_utils.embedding.corpus import Embedding
from course_utils.embedding.folder import INDEX, Folder
from course_utils.embedding.reading import Shard, Source
from course_utils.embedding.settings import agree
from course_utils.embedding.vector_file import check_possible
from course_utils.files import HeldByAnother, only_writer


def embed_file(
    embedding: Embedding,
    source: Source,
    folder: Path,
    *,
    worker: int = 0,
    workers: int = 1,
    tell: Callable[[str], None] = print,
) -> bool:
    """Embed a file of sentences; return whether all shards are whole and the index is written.

    After an interruption the same call goes on with the first shard that is not there. Where other
    processes work on it too, each call but the last one returns False; where they make something
    else of it, ValueError.
    """
    planned = [_entry(embedding, shard, source.kind) for shard in source.shards(folder)]
    if not planned:
        raise ValueError(f"{source.path} is empty, so there is nothing to embed")
    work = Folder(folder, embedding, source, planned)
    agree(folder, _settings(embedding, source), planned, work.refuse_others)
    work.make(lambda number: number % workers == worker, tell)
    while True:
        made, held = work.make(lambda number: True, tell)
        if not held:
            return _bind_alone(work)
        if not made:
            tell(f"others are making the last {held}; the last of them writes the index")
            return False


def _entry(embedding: Embedding, shard: Shard, kind: str) -> dict[str, object]:
    plan = embedding.plan(shard.sentences, kind)
    check_possible(plan)
    made_from = plan.fingerprint
    return {"file": shard.path.name, "sentences": len(shard.lines), "fingerprint": made_from}


def _settings(embedding: Embedding, source: Source) -> dict[str, object]:
    """Return the settings in which one call can differ from another, by the command's own names."""
    return {
        "shard": source.size,
        "raw": source.raw,
        "kind": source.kind.removeprefix("."),
        "layers": embedding.layers,
        "numbers": str(embedding.dtype).removeprefix("torch."),
        "batch-tokens": embedding.batch_tokens,
    }


def _bind_alone(work: Folder) -> bool:
    """Write the index unless another process does so just now; return whether it was this one."""
    try:
        with only_writer(work.path / f".{INDEX}.lock"):
            work.bind()
    except HeldByAnother:
        return False
    return True
