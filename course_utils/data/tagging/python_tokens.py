"""The role of each word in a line of Python: the parser knows it, a network has to find out.

Names all look alike. Whether one is read, bound, called, an attribute, an argument's keyword, or
the name of something defined or imported follows only from the rest of the line.
"""

from __future__ import annotations

import ast
import io
import keyword
import tokenize
from collections.abc import Iterator
from random import Random

from course_utils.data.source_code import module_texts
from course_utils.data.tagging.examples import Example, Task

LABELS = (
    "operator", "keyword", "number", "string", "read", "bound", "called",
    "attribute", "method", "parameter", "argument", "defined", "imported",
)  # fmt: skip
SHORTEST, LONGEST = 3, 40
NUMBER, STRING = "0", '"…"'  # what stands for every number and every string
LAYOUT = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT,
          tokenize.ENDMARKER, tokenize.ENCODING}  # fmt: skip
Place = tuple[int, int]


def label_source(source: str) -> list[Example]:
    """Return each logical line of a module as words and what they do; ValueError if no Python."""
    try:
        roles = roles_of(ast.parse(source))
        return list(_lines(source, roles))
    except (SyntaxError, tokenize.TokenError) as error:
        raise ValueError(f"this is not Python: {error}") from error


def roles_of(tree: ast.AST) -> dict[Place, str]:
    """Return the parser's role for every name that has a position of its own."""
    roles: dict[Place, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            role = "read" if isinstance(node.ctx, ast.Load) else "bound"
            roles.setdefault((node.lineno, node.col_offset), role)
        elif isinstance(node, ast.arg):
            roles[node.lineno, node.col_offset] = "parameter"
        elif isinstance(node, ast.keyword) and node.arg is not None:
            roles[node.lineno, node.col_offset] = "argument"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            roles[node.func.lineno, node.func.col_offset] = "called"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            end = (node.func.end_lineno or 0, (node.func.end_col_offset or 0))
            roles[end[0], end[1] - len(node.func.attr)] = "method"
    return roles


def _lines(source: str, roles: dict[Place, str]) -> Iterator[Example]:
    words: list[str] = []
    labels: list[str] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NEWLINE:
            if SHORTEST <= len(words) <= LONGEST:
                yield Example(words, labels)
            words, labels = [], []
        if token.type in LAYOUT:
            continue
        word, label = _judge(token, words, labels, roles)
        words.append(word)
        labels.append(label)


def _judge(
    token: tokenize.TokenInfo, words: list[str], labels: list[str], roles: dict[Place, str]
) -> tuple[str, str]:
    word, before = token.string, words[-1] if words else ""
    if token.type == tokenize.NUMBER:
        return NUMBER, "number"
    if token.type == tokenize.STRING:
        return STRING, "string"
    if token.type != tokenize.NAME:
        return word, "operator"
    role = roles.get(token.start)
    if keyword.iskeyword(word):
        return word, "keyword"
    if words[:1] in (["import"], ["from"]):
        return word, "imported"
    if before in ("def", "class"):
        return word, "defined"
    if role:
        return word, role
    if before == ".":
        return word, "attribute"
    return word, "bound"  # behind global, nonlocal, as: the parser gives these no place


def python_task(size: int = 4000, held_out: int = 500) -> Task:
    """Return lines of the standard library; no module and no line is in two parts."""
    seen: set[tuple[str, ...]] = set()
    test, valid = _part("test", held_out, seen), _part("valid", held_out, seen)
    return Task("python", "tagging", _part("train", size, seen), valid, test)


def _part(part: str, wanted: int, seen: set[tuple[str, ...]]) -> list[Example]:
    """Return new lines, about equally many from each module, in an arbitrary order."""
    # the parser counts bytes; and a string in pieces differs between versions
    plain = [text for text in module_texts(part) if text.isascii() and not has_pieces(text)]
    share = -(-3 * wanted // len(plain))
    examples: list[Example] = []
    for source in plain:
        lines = label_source(source)
        for example in lines[:: max(1, len(lines) // share)]:
            if tuple(example.words) not in seen:
                seen.add(tuple(example.words))
                examples.append(example)
    Random(0).shuffle(examples)
    return examples[:wanted]


def has_pieces(source: str) -> bool:
    """Return whether a source may hold strings with expressions in them."""
    return 'f"' in source or "f'" in source or "match " in source
