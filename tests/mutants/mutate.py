"""Every small mistake that a module could have: one changed place each, as source that runs."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from typing import NamedTuple

COMPARISONS = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
SYMMETRIC = {"max", "min", "suppress", "equal", "promote_types", "maximum", "minimum"}
DROPPED = (ast.Expr, ast.AugAssign, ast.Raise)
# what a reader is told, and what only says what kind a thing is
LEFT_ALONE = (ast.JoinedStr, ast.arg, ast.Raise)


class Mutant(NamedTuple):
    """One changed place: the function it is in, its line, what stood there and what stands there.

    `source` is the whole module with it.
    """

    where: str
    line: int
    before: str
    after: str
    source: str


def mutants_of(source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module, in the order of its lines."""
    tree = ast.parse(source)
    for where, parent, field, index, node in _places(tree, "module"):
        for changed in _changes(node):
            before, after = ast.unparse(node), ast.unparse(changed)
            _put(parent, field, index, ast.copy_location(changed, node))
            mutated = ast.unparse(ast.fix_missing_locations(tree))
            _put(parent, field, index, node)
            yield Mutant(where, node.lineno, before, after, mutated + "\n")


def _places(node: ast.AST, where: str) -> Iterator[tuple]:
    """Yield (function, parent, field, index, node) of all nodes that a mistake may be made in."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        where = node.name if where == "module" else f"{where}.{node.name}"
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "type_params", "op", "ops"):
            continue
        for index, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST) and not _is_docstring(child):
                place = index if isinstance(value, list) else None
                if hasattr(child, "lineno"):
                    yield where, node, field, place, child
                if not isinstance(child, LEFT_ALONE):
                    yield from _places(child, where)


def _is_docstring(node: ast.AST) -> bool:
    value = getattr(node, "value", None) if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant)


def _put(parent: ast.AST, field: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[index] = node


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what may stand by mistake in the place of a node."""
    if isinstance(node, ast.Compare):
        for number, operator in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[number] = COMPARISONS[type(operator)]()
            yield changed
    elif isinstance(node, ast.BinOp | ast.BoolOp) and type(node.op) in ARITHMETIC:
        if not _joins_texts(node):
            changed = copy.deepcopy(node)
            changed.op = ARITHMETIC[type(node.op)]()
            yield changed
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        yield copy.deepcopy(node.operand)
    elif isinstance(node, ast.Constant):
        yield from _other_constants(node.value)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        changed = copy.deepcopy(node)
        changed.test = ast.UnaryOp(ast.Not(), changed.test)
        yield changed
    elif isinstance(node, DROPPED):
        yield ast.Pass()
    elif isinstance(node, ast.Call) and len(node.args) > 1 and not _is_symmetric(node.func):
        changed = copy.deepcopy(node)
        changed.args[:2] = changed.args[1::-1]
        starred = any(isinstance(argument, ast.Starred) for argument in node.args[:2])
        if not starred and ast.dump(changed) != ast.dump(node):
            yield changed


def _other_constants(value: object) -> Iterator[ast.Constant]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int):
        yield ast.Constant(value + 1)
    elif isinstance(value, float):
        yield ast.Constant(2 * value + 0.001)


def _is_symmetric(function: ast.expr) -> bool:
    """Return whether its first two arguments may change places."""
    return ast.unparse(function).rsplit(".", 1)[-1] in SYMMETRIC


def _joins_texts(node: ast.BinOp | ast.BoolOp) -> bool:
    """Return whether this adds texts, which is no arithmetic, or names two types."""
    parts = [node.left, node.right] if isinstance(node, ast.BinOp) else []
    texts = [p for p in parts if isinstance(p, ast.JoinedStr)]
    texts += [p for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
    return bool(texts)
