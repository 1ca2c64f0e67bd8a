"""Cut a text into sentences of tokens, for models that read one sentence at a time."""

from __future__ import annotations

import re

from course_utils.data.tokens import GLUE, tokenize

_ENDS = frozenset(".?!")
_CLOSERS = frozenset("\"')]”’")
# a full stop after these words does not end a sentence, nor after single letters ("J. Q. Adams")
_SHORT = frozenset(
    re.findall(
        r"\w+",
        "Mr Mrs Dr St No Nos Messrs Gen Col Capt Gov Hon Jr Sr Lieut Lt Maj Sen Rep Vol Art Sec "
        "vs etc Inc Co viz",
    )
)


def sentences(text: str) -> list[list[str]]:
    """Return each sentence's tokens, without spaces; a new line always ends a sentence."""
    found = []
    for line in text.split("\n"):
        found += _split(tokenize(line))
    return found


def _split(tokens: list[str]) -> list[list[str]]:
    found, sentence = [], []
    for n, token in enumerate(tokens):
        if token == GLUE or token.isspace():
            continue
        sentence.append(token.replace(GLUE * 2, GLUE))
        if _may_end(sentence) and _may_begin(tokens[n + 1 :][:2]):
            found.append(sentence)
            sentence = []
    return [*found, sentence] if sentence else found


def _may_end(sentence: list[str]) -> bool:
    """Return whether a sentence can end here, judging by its own words."""
    last = len(sentence) - 1
    while last > 0 and sentence[last] in _CLOSERS:
        last -= 1
    if sentence[last] not in _ENDS:
        return False
    before = sentence[last - 1] if last else ""
    initial = len(before) == 1 and before.isupper() and before != "I"
    return sentence[last] != "." or not (before in _SHORT or initial)


def _may_begin(following: list[str]) -> bool:
    """Return whether a sentence may begin with the tokens that follow."""
    if not following:
        return True
    token = following[0]
    if token == GLUE or token in _CLOSERS - {'"'} or token in _ENDS:
        return False
    if token == '"':  # closing when the line ends or more space follows, else opening
        return False if len(following) == 1 else following[1][0].isupper()
    return not token[0].islower() and token not in ",;:-—"
