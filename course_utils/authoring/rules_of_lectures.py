"""Rules for a lecture as a whole: its promise, claims, exercises, explorers and end."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator

import course_utils.explorers as explorers
from course_utils.authoring.notebook import Cell, Notebook, literal
from course_utils.authoring.rules import Breach
from course_utils.authoring.words import prose_share
from course_utils.checks.catalogue import all_exercises

LEAST_PROSE, MOST_PROSE = 0.55, 0.75  # 60 to 70 % is the aim
END = ("Summary", "Questions", "Sources")
ITEM = re.compile(r"^(?:[-*]|\d+\.) +\S", re.MULTILINE)
NUMBERED = re.compile(r"^\d+\. +\S", re.MULTILINE)


def it_begins_with_a_promise(notebook: Notebook) -> Iterator[Breach]:
    """The first slide says what for, and three goals."""
    first = notebook.cells[0]
    title, _, rest = first.source.partition("\n")
    if not (first.is_prose and first.slide == "slide"):
        yield Breach(1, "is not a prose cell on a slide", "begin with title, promise, three goals")
    if not re.match(rf"# {notebook.lecture} \S", title):
        yield Breach(1, "has not the lecture's title", f"begin with `# {notebook.lecture} Title`")
    if (goals := len(ITEM.findall(rest))) != 3:
        yield Breach(1, f"lists {goals} goals", "list three: what will a learner be able to do?")
    if not ITEM.split(rest)[0].strip():
        yield Breach(1, "promises nothing", "say before the goals what the lecture is for")


def it_ends_as_all_do(notebook: Notebook) -> Iterator[Breach]:
    """Summary, five to eight questions, sources."""
    sections = notebook.sections()
    if tuple(sections)[-3:] != END:
        yield Breach(0, "does not end as the others", f"let it end with ## {', ## '.join(END)}")
        return
    prose = {name: "\n".join(c.source for c in sections[name] if c.is_prose) for name in END}
    if not 5 <= (count := len(NUMBERED.findall(prose["Questions"]))) <= 8:
        yield Breach(0, f"asks {count} questions at the end", "ask 5 to 8, numbered `1.`")
    if not ITEM.search(prose["Sources"]):
        yield Breach(0, "names no source", "list them under ## Sources")


def prose_carries_it(notebook: Notebook) -> Iterator[Breach]:
    """A lecture is read more than typed; lecture 00 is a guide and may be all prose."""
    share = prose_share(notebook)
    if notebook.lecture != "00" and not LEAST_PROSE <= share <= MOST_PROSE:
        what = f"is {share:.0%} prose, {LEAST_PROSE:.0%} to {MOST_PROSE:.0%} is right"
        yield Breach(0, what, "say more, or move code into the package; or say less")


def claims_can_break(notebook: Notebook) -> Iterator[Breach]:
    """Every claim has its own number, a band, and words for what was measured."""
    last = 0
    for cell in notebook.code:
        for call in cell.calls("claim"):
            number = literal(call.args[0]) if call.args else None
            match = re.fullmatch(rf"{notebook.lecture}\.(\d+)", str(number))
            if not match:
                do = f"number it {notebook.lecture}.1, {notebook.lecture}.2, ..."
                yield Breach(cell.number, f"has a claim numbered {number!r}", do)
                continue
            if int(match[1]) <= last:
                do = "number the claims in the order in which they stand, each once"
                yield Breach(cell.number, f"claim {number} comes after {last}", do)
            last = max(last, int(match[1]))
            yield from _parts_of_claim(cell, call, str(number))


def _parts_of_claim(cell: Cell, call: ast.Call, number: str) -> Iterator[Breach]:
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    given |= dict(zip(("number", "value", "low", "high", "says"), call.args, strict=False))
    if "low" not in given and "high" not in given:
        yield Breach(cell.number, f"claim {number} has no band", "give low or high, or both")
    said = given.get("says")
    if not (isinstance(said, ast.JoinedStr) or (literal(said) and str(literal(said)).strip())):
        yield Breach(cell.number, f"claim {number} says nothing", 'give says="what was measured"')
    if call not in cell.statements("claim"):
        do = "let it stand for itself, in no loop, function or condition"
        yield Breach(cell.number, f"claim {number} is no statement of its own", do)


def exercises_are_whole(notebook: Notebook) -> Iterator[Breach]:
    """Every stub has its check, its place in the catalogue and its solution, all alike."""
    known, seen = all_exercises(), set()
    checks = {id(call): cell for cell in notebook.code for call in cell.calls("check")}
    for place, cell in enumerate(notebook.code):
        if "exercise" not in cell.tags:
            continue
        if (stub := stub_of(cell)) is None:
            do = "leave one `def` in it, with the body `...`, and nothing else"
            yield Breach(cell.number, "is tagged `exercise` but is no stub", do)
            continue
        call = check_of(notebook.code[place + 1]) if place + 1 < len(notebook.code) else None
        if call is None or getattr(call.args[1], "id", None) != stub.name:
            do = f'let check("N.M", {stub.name}) stand alone in the next code cell'
            yield Breach(cell.number, "is a stub without its check", do)
            continue
        checks.pop(id(call))
        number = str(literal(call.args[0]))
        seen.add(number)
        yield from _twins(notebook, cell, stub, number, known)
    for cell in checks.values():
        yield Breach(cell.number, "checks no stub", "put its stub before it, tagged `exercise`")
    for number in sorted(known):
        if f"{int(number.partition('.')[0]):02d}" == notebook.lecture and number not in seen:
            do = "ask it in the lecture, or take it out of the catalogue"
            yield Breach(0, f"never asks exercise {number}", do)


def _twins(notebook, cell, stub, number, known) -> Iterator[Breach]:
    if number not in known or f"{int(number.partition('.')[0]):02d}" != notebook.lecture:
        do = f"there are {', '.join(sorted(known))}: correct the number, or write the exercise"
        yield Breach(cell.number, f"asks exercise {number}, which this lecture has not", do)
        return
    module, exercise = known[number]
    if exercise.function != stub.name:
        do = f"call it {exercise.function}, as in checks/{module}.py, or rename that"
        yield Breach(cell.number, f"asks for a function {stub.name}", do)
    elif (wanted := list(inspect.signature(exercise.reference).parameters)) != _names(stub):
        do = f"name the arguments as the reference does: {', '.join(wanted)}"
        yield Breach(cell.number, f"takes ({', '.join(_names(stub))})", do)
    if (notebook.root / "solutions").is_dir():  # absent in the copy that learners are given
        file = notebook.root / "solutions" / f"{module}.py"
        solution = function_in(file.read_text(encoding="utf-8") if file.exists() else "", stub.name)
        if solution is None:
            do = f"write {stub.name} in solutions/{file.name}"
            yield Breach(cell.number, f"exercise {number} has no solution", do)
        elif signature(solution) != signature(stub):
            do = f"the solution has {signature(solution)}: make them the same"
            yield Breach(cell.number, f"has the signature {signature(stub)}", do)


def explorers_exist(notebook: Notebook) -> Iterator[Breach]:
    """An explorer's name is one that the package has."""
    for cell in notebook.code:
        for node in ast.walk(cell.tree):
            name = getattr(
                node, "id", getattr(node, "attr", "")
            )  # explore_x or explorers.explore_x
            if name.startswith("explore_") and name not in explorers.__all__:
                do = f"there are {', '.join(explorers.__all__)}"
                yield Breach(cell.number, f"asks for {name}, which is not there", do)


def stub_of(cell: Cell) -> ast.FunctionDef | None:
    """Return the function of a stub: alone in its cell, doing nothing."""
    if len(cell.tree.body) != 1 or not isinstance(stub := cell.tree.body[0], ast.FunctionDef):
        return None
    body = [s for s in stub.body if not (isinstance(s, ast.Expr) and _is_text(s.value))]
    nothing = all(isinstance(s, ast.Expr) and literal(s.value) is ... for s in body)
    return stub if nothing and len(body) == 1 and not stub.decorator_list else None


def check_of(cell: Cell) -> ast.Call | None:
    """Return the call of a check cell: alone in its cell, a number and a function."""
    calls = cell.statements("check")
    alone = len(cell.tree.body) == 1 and len(calls) == 1
    return calls[0] if alone and len(calls[0].args) == 2 else None


def function_in(text: str, name: str) -> ast.FunctionDef | None:
    """Return a function of a module by its name."""
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return next((node for node in functions if node.name == name), None)


def signature(function: ast.FunctionDef) -> str:
    """Return a function's arguments, defaults and annotations as they are written."""
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{function.name}({ast.unparse(function.args)}){returns}"


def _names(function: ast.FunctionDef) -> list[str]:
    arguments = function.args
    return [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]


def _is_text(node: ast.expr) -> bool:
    return isinstance(literal(node), str)


RULES = (
    it_begins_with_a_promise,
    it_ends_as_all_do,
    prose_carries_it,
    claims_can_break,
    exercises_are_whole,
    explorers_exist,
)
