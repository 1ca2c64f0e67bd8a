"""What counts as a batch of sentences, for everything that takes one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set


def token_lists(sentences: Iterable[Iterable[str]]) -> list[list[str]]:
    """Return a batch as lists; refuse whatever is not sentences of tokens."""
    batch = [_items(sentence) for sentence in _items(sentences)]
    for token in (token for sentence in batch for token in sentence):
        if not isinstance(token, str):
            raise TypeError(f"a token must be a string, not {type(token).__name__}: {token!r}")
    return batch


def _items(found: object) -> list:
    if isinstance(found, str | bytes | Set | Mapping) or not isinstance(found, Iterable):
        raise TypeError(
            "a batch is a list of sentences, and a sentence a list of tokens, as in "
            f"[['Hello', 'world']]; here is {type(found).__name__} in the place of a list"
        )
    return list(found)
