"""Split text into words and punctuation, and reassemble exactly the same text.

Tokens are plain: "Congress", ",", "'s", "1,250.50", "well-being", "\\n\\n". The space between two
of them follows from rules of English typesetting, and is written down only where the text breaks
them: a missing space as the token GLUE, an unexpected one as the token " ".
"""

from __future__ import annotations

import re
from collections.abc import Iterable

GLUE = "⁀"  # the two neighbours stand together although the rules would part them

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|'s\b|’s\b"  # a possessive is a token of its own
    r"|\d+(?:[.,]\d+)*(?:st|nd|rd|th|d|s)?(?![^\W\d_])|\d+(?:[.,]\d+)*"
    r"|[^\W\d_]+(?:(?!'s\b|’s\b)['’-][^\W\d_]+)*"
    r"|.",
    re.DOTALL,
)
_LEANS_LEFT = frozenset(".,;:!?)]}%") | {"'s", "’s", "”", "°"}
_LEANS_RIGHT = frozenset("([{$£#“")
_STANDS_CLOSE = frozenset("—–/-_*")  # no space on either side


def tokenize(text: str) -> list[str]:
    """Return the tokens of a text; `detokenize` gives the same text back, to the last character."""
    tokens: list[str] = []
    spacing = _Spacing()
    gap = ""
    for match in _TOKEN.finditer(text):
        if match["space"]:
            gap = match[0]
            continue
        token = GLUE * 2 if match[0] == GLUE else match[0]
        tokens.extend(spacing.exception(gap, token))
        tokens.append(token)
        spacing.after(token)
        gap = ""
    return [*tokens, gap] if gap else tokens


def detokenize(tokens: Iterable[str]) -> str:
    """Return the text that the tokens stand for."""
    pieces: list[str] = []
    spacing = _Spacing()
    for token in tokens:
        if token == GLUE:
            spacing.close()
            continue
        pieces.append(spacing.before(token))
        pieces.append(GLUE if token == GLUE * 2 else token)
        spacing.after(token)
    return "".join(pieces)


class _Spacing:
    """The rules: what goes between the previous token and the next one."""

    def __init__(self) -> None:
        self.closed = True  # nothing may come between: start of text, after "(" or white space
        self.quoted = False  # an odd number of straight quotes since the last line began

    def before(self, token: str) -> str:
        """Return the space that the rules put before a token."""
        close = token.isspace() or token in _LEANS_LEFT or token in _STANDS_CLOSE
        return "" if self.closed or close or (token == '"' and self.quoted) else " "

    def after(self, token: str) -> None:
        """Remember what a token means for the next one."""
        if token == '"':
            self.quoted = not self.quoted
        if "\n" in token:
            self.quoted = False
        opens = token in _LEANS_RIGHT or token in _STANDS_CLOSE or (token == '"' and self.quoted)
        self.closed = token.isspace() or opens

    def close(self) -> None:
        """Allow no space before the next token."""
        self.closed = True

    def exception(self, gap: str, token: str) -> list[str]:
        """Return the tokens that say what the rules would get wrong, and take them in."""
        if gap == self.before(token):
            return []
        mark = gap or GLUE
        if gap:
            self.after(gap)
        else:
            self.close()
        return [mark]
