"""Download one known file over a network that breaks, stalls and lies.

No library does it for us. Against the 137 responses of our hostile server, pooch 1.9 (on requests)
was still waiting at 14 when we gave up, would have accepted any amount of data at 5, and at 5
repeated a server's unprintable or endless words. It also starts over where we resume, and does not
know git's ids.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from http.client import HTTPResponse
from pathlib import Path

from tqdm.auto import tqdm

from course_utils.data.sets.connection import (
    SLOWEST,
    BrokenError,
    Clock,
    DownloadError,
    connect,
    pieces,
    said,
)
from course_utils.data.sets.digests import IntegrityError, RemoteFile, is_published

PIECE = 1 << 16
LARGEST_UNKNOWN = 1 << 26  # bytes accepted of a file whose size is not published
LONGEST_LENGTH = 15  # digits of a size that a server may announce
WORTH_ANOTHER_TRY = (408, 425, 429)  # statuses below 500 that may be temporary


class _UselessError(Exception):
    """What has arrived so far cannot be resumed."""


@dataclass(frozen=True)
class Patience:
    """How long to wait for a server and how often to come back."""

    seconds: float = 20.0  # without SLOWEST bytes a second
    tries: int = 5  # in a row that brought nothing
    pause: float = 0.5  # before the second try; doubles


def download(file: RemoteFile, partial: Path, patience: Patience | None = None) -> None:
    """Leave exactly the published file at `partial`, resuming from what is already there.

    Raise IntegrityError, and delete what came, when it is complete but not that file.
    """
    patience = patience or Patience()
    resumed = partial.exists() and partial.stat().st_size > 0
    with tqdm(total=file.size, unit="B", unit_scale=True, desc=file.name) as bar:
        _bring(file, partial, patience, bar)
        if not is_published(partial, file) and resumed:  # perhaps what was there was wrong
            partial.unlink()
            _bring(file, partial, patience, bar)
    if not is_published(partial, file):
        size = partial.stat().st_size
        partial.unlink()
        raise IntegrityError(
            f"{file.url} gave {size:,} bytes that are not the published file; they were deleted. "
            "Try again later, or bring the file yourself: course data add NAME FILE"
        )


def _bring(file: RemoteFile, partial: Path, patience: Patience, bar: tqdm) -> None:
    """Come back until the file is complete or nothing more arrives."""
    fruitless, furthest = 0, _size(partial)
    reason: Exception | None = None
    while fruitless < patience.tries:
        if fruitless:
            time.sleep(patience.pause * 2 ** (fruitless - 1))
        if file.size is not None and _size(partial) == file.size:
            return
        try:
            _receive(file, partial, patience, bar)
            return
        except _UselessError as error:
            partial.unlink(missing_ok=True)
            fruitless, reason = fruitless + 1, error
        except BrokenError as error:
            grown = _size(partial) >= furthest + SLOWEST  # not only since it was thrown away
            furthest = max(furthest, _size(partial))
            fruitless, reason = (0 if grown else fruitless + 1), error
    raise DownloadError(
        f"{file.url} could not be downloaded ({reason}). What arrived is kept; the same command "
        "goes on from there. Without a network: course data add NAME FILE"
    )


def _receive(file: RemoteFile, partial: Path, patience: Patience, bar: tqdm) -> None:
    """Append what one connection delivers; raise unless that completes the file."""
    have = _size(partial)
    limit = LARGEST_UNKNOWN if file.size is None else file.size
    if have > limit:
        raise _UselessError("more bytes had arrived than the file has")
    headers = {"Accept-Encoding": "identity", "User-Agent": "recurrent-course"}
    if have:
        headers["Range"] = f"bytes={have}-"
    clock = Clock(patience.seconds)
    with connect(file.url, headers, clock) as response:
        _refuse_other_answers(file, response)
        announced = _announced(response, have)
        if response.status != 206:
            have = 0  # the server sends everything again
        if file.size is not None and announced not in (None, file.size - have):
            raise _UselessError(
                f"the server announces {announced:,} bytes, not {file.size - have:,}"
            )
        begin = bar.n = have
        with partial.open("ab" if have else "wb") as out:
            for piece in pieces(response, clock, PIECE):
                have += len(piece)
                if have > limit:
                    raise _UselessError(f"the server sends more than {limit:,} bytes")
                out.write(piece)
                bar.update(len(piece))
    if have < (file.size or 0) or have < begin + (announced or 0):
        raise BrokenError(f"the connection ended after {have:,} bytes")


def _refuse_other_answers(file: RemoteFile, response: HTTPResponse) -> None:
    """Raise unless the response carries the file itself, unencoded."""
    status = response.status
    answer = f"{status} {said(response.reason)}".rstrip()
    if status == 416:
        raise _UselessError("the server cannot send that range")
    if status >= 500 or status in WORTH_ANOTHER_TRY:
        raise BrokenError(f"the server answers {answer}")
    if status not in (200, 206):
        raise DownloadError(f"{file.url} answers {answer}")
    if response.headers.get("Content-Encoding", "identity") != "identity":
        raise DownloadError(f"{file.url} came in an encoding that was not asked for")


def _announced(response: HTTPResponse, have: int) -> int | None:
    """Return how many bytes the server says will follow; refuse a range that was not asked for."""
    if response.status == 206:
        begin = response.headers.get("Content-Range", "").removeprefix("bytes ").split("-")[0]
        if begin != str(have):
            raise _UselessError(
                f"the server sends from byte {said(begin) or 'unknown'}, not {have}"
            )
    length = response.headers.get("Content-Length")
    if length is None:
        return None
    if not (length.isascii() and length.isdigit() and len(length) <= LONGEST_LENGTH):
        raise BrokenError(f"the server announces a length of {said(length)}")
    return int(length)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
