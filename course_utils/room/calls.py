"""What a laptop asks of a room elsewhere: a few words as JSON, with its key."""

from __future__ import annotations

import json
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

PATIENCE = 10.0  # seconds


class Unreachable(Exception):
    """A room or a relay does not answer as it should; the message says what it said."""


def ask(address: str, key: str, said: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return how a room is, or what it or a relay answers to what is said."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    body = None if said is None else json.dumps(said).encode()
    request = Request(address, body, headers)
    try:
        with urlopen(request, timeout=PATIENCE) as answer:
            told = json.loads(answer.read(1 << 20))
    except HTTPError as error:
        with error:
            raise Unreachable(f"{address} answers {error.code}") from error
    except (OSError, ValueError) as error:
        raise Unreachable(f"{address} cannot be reached: {error}") from error
    if not isinstance(told, dict):
        raise Unreachable(f"{address} is not a room")
    return told
