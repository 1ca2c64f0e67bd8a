"""Bring one known file over a network that breaks, stalls and lies."""

from __future__ import annotations

import time
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit

from tqdm.auto import tqdm

from course_utils.data.sets.digests import IntegrityError, RemoteFile, is_published

PIECE = 1 << 16
LARGEST_UNKNOWN = 1 << 26  # bytes accepted of a file whose size is not published
SLOWEST = 1000  # bytes a second: below this, a connection counts as stalled


class DownloadError(OSError):
    """A file could not be brought; what arrived of it is kept for the next try, or is gone."""


class _Broken(Exception):
    """This connection ended early; another may go on where it stopped."""


class _Useless(Exception):
    """What arrived so far cannot be continued."""


@dataclass(frozen=True)
class Patience:
    """How long to wait for a server and how often to come back."""

    seconds: float = 20.0  # without SLOWEST bytes a second
    tries: int = 5  # in a row that brought nothing
    pause: float = 0.5  # before the second try; doubles


class _SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Follow redirects, but never from an encrypted address to an open one."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        if req.full_url.startswith("https:") and not newurl.startswith("https:"):
            raise DownloadError(f"{req.full_url} redirects to {newurl}, which is not encrypted")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def download(file: RemoteFile, partial: Path, patience: Patience | None = None) -> None:
    """Leave at `partial` exactly the published file, going on from what is there already.

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
    fruitless, reason, furthest = 0, None, _size(partial)
    while fruitless < patience.tries:
        if fruitless:
            time.sleep(patience.pause * 2 ** (fruitless - 1))
        if file.size is not None and _size(partial) == file.size:
            return
        try:
            _receive(file, partial, patience, bar)
            return
        except _Useless as error:
            partial.unlink(missing_ok=True)
            fruitless, reason = fruitless + 1, error
        except (_Broken, HTTPException, OSError) as error:
            if isinstance(error, DownloadError):
                raise
            if isinstance(error, HTTPError) and error.code < 500 and error.code not in (408, 429):
                raise DownloadError(f"{file.url} answers {error.code} {error.reason}") from error
            grown = _size(partial) >= furthest + SLOWEST  # not only since it was thrown away
            furthest = max(furthest, _size(partial))
            fruitless, reason = (0 if grown else fruitless + 1), error
    raise DownloadError(
        f"{file.url} could not be brought ({reason}). What arrived is kept; the same command "
        "goes on from there. Without a network: course data add NAME FILE"
    )


def _receive(file: RemoteFile, partial: Path, patience: Patience, bar: tqdm) -> None:
    """Append what one connection brings; raise unless the file is complete after it."""
    have = _size(partial)
    limit = LARGEST_UNKNOWN if file.size is None else file.size
    if have > limit:
        raise _Useless("more had arrived than the file has")
    request = urllib.request.Request(
        file.url, headers={"Accept-Encoding": "identity", "User-Agent": "recurrent-course"}
    )
    if have:
        request.add_header("Range", f"bytes={have}-")
    with _open(request, patience) as response:
        announced = _announced(response, have)
        if response.status != 206:
            have = 0  # the server sends everything again
        if file.size is not None and announced not in (None, file.size - have):
            raise _Useless(f"the server announces {announced:,} bytes, not {file.size - have:,}")
        begin = bar.n = have
        with partial.open("ab" if have else "wb") as out:
            for piece in _pieces(response, patience):
                have += len(piece)
                if have > limit:
                    raise _Useless(f"the server sends more than {limit:,} bytes")
                out.write(piece)
                bar.update(len(piece))
    if have < (file.size or 0) or have < begin + (announced or 0):
        raise _Broken(f"the connection ended after {have:,} bytes")


def _open(request: urllib.request.Request, patience: Patience) -> HTTPResponse:
    if urlsplit(request.full_url).scheme not in ("http", "https"):
        raise DownloadError(f"only http and https are used, not {request.full_url}")
    opener = urllib.request.build_opener(_SafeRedirects)
    try:
        response = opener.open(request, timeout=patience.seconds)
    except HTTPError as error:
        error.close()
        if error.code == 416:
            raise _Useless("the server has no such range") from error
        raise
    if response.headers.get("Content-Encoding", "identity") != "identity":
        response.close()
        raise DownloadError(f"{request.full_url} answers in a coding that was not asked for")
    return response


def _announced(response: HTTPResponse, have: int) -> int | None:
    """Return how many bytes the server says will follow; refuse a range that was not asked for."""
    if response.status == 206:
        begin = response.headers.get("Content-Range", "").removeprefix("bytes ").split("-")[0]
        if begin != str(have):
            raise _Useless(f"the server sends from byte {begin or 'unknown'}, not {have}")
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdigit() else None


def _pieces(response: HTTPResponse, patience: Patience):
    """Yield what arrives; raise when it comes too slowly to ever end."""
    since, arrived = time.monotonic(), 0
    while piece := response.read1(PIECE):
        yield piece
        arrived += len(piece)
        if (waited := time.monotonic() - since) > patience.seconds:
            if arrived < SLOWEST * waited:
                raise _Broken(f"only {arrived:,} bytes in {waited:.0f} s")
            since, arrived = time.monotonic(), 0


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
