"""An answer is found wherever a student put it, with all it stands on, and nothing is run."""

from __future__ import annotations

import ast
import warnings

import pytest

from course_utils.classroom.extract import Page, form_of
from course_utils.classroom.submission import Piece

STUB = "def clip(gradients, threshold):\n    ...\n"
GIVEN = ("torch", "math", "print")


def page(*cells: str, stub: str = STUB, mine: bool = True) -> Page:
    """Return a notebook: cells of the student, then the stub's cell, then its check."""
    own = [Piece("", "code", text, True) for text in cells]
    lecture = [Piece("s1", "code", "scale = 3\nfar = scale + 1", False)]
    return Page([*lecture, *own, Piece("ex-2-7-stub", "code", stub, mine),
                 Piece("ex-2-7-check", "code", 'check("2.7", clip)', False)])  # fmt: skip


def answer(*cells: str, stub: str = STUB, mine: bool = True):
    """Return what is found for exercise 2.7."""
    return page(*cells, stub=stub, mine=mine).answer("2.7", "clip", "ex-2-7-stub", GIVEN)


def made(*cells: str, stub: str = STUB, mine: bool = True):
    """Run what is found; return the function."""
    found = answer(*cells, stub=stub, mine=mine)
    assert found.status == "there"
    space: dict = {"print": None}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(found.text, space)
    return space["clip"]


@pytest.mark.parametrize(
    ("cells", "stub", "value"),
    [
        ((), "def clip(g, t):\n    return g + t", 3),
        (("def helper(a):\n    return 10 * a",), "def clip(g, t):\n    return helper(g)", 10),
        (("a = 1", "b = a + 1", "c = 7"), "def clip(g, t):\n    return b", 2),
        (("a = 1", "a = a + 1", "a += 5"), "def clip(g, t):\n    return a", 7),
        (("t = {}\nt['x'] = 4",), "def clip(g, k):\n    return t['x']", 4),
        (("import math as m",), "def clip(g, t):\n    return m.floor(2.5)", 2),
        (("def helper():\n    return 1", "def helper():\n    return 2"),
         "def clip(g, t):\n    return helper()", 2),
        (("for k in range(5):\n    last = k",), "def clip(g, t):\n    return last", 4),
        (("class A:\n    x = 6",), "def clip(g, t):\n    return A().x", 6),
        (("def twice(f):\n    return lambda *a: 2 * f(*a)",),
         "@twice\ndef clip(g, t):\n    return g", 2),
        ((), "clip = lambda g, t: g - t", -1),
        (("def better(g, t):\n    return 9",), "clip = better", 9),
        ((), "%time x = 1\n!ls\ndef clip(g, t):\n    return 8", 8),
        ((), "from __future__ import annotations\ndef clip(g, t):\n    return 8", 8),
        (("def clip(g, t):\n    return 5",), STUB, 5),  # written above, the stub left
        ((), "def clip(g, t):\n    return far", 4),  # what the lecture has made
        ((), "def clip(g, t):\n    def inner():\n        return g\n    return inner()", 1),
        (("print(1 / 0)",), "def clip(g, t):\n    return 8", 8),  # not what it stands on
        (("def broken(",), "def clip(g, t):\n    return 8", 8),
        (("from math import floor",), "def clip(g, t):\n    return floor(2.5)", 2),
        (("class A:\n    far = 9",), "def clip(g, t):\n    return far", 4),  # not the class's
        (("def fill():\n    global k\n    k = 3\n    return k",),
         "def clip(g, t):\n    return fill()", 3),
        ((), "def clip(g, t):\n    return 7 if g is 1 else 8", 7),  # Python warns of it
        ((), "def clip(g, t):\n    return 8\nclip = lambda *a, cut=clip: cut(*a) + 1", 9),
        ((), "def clip(g, t):\n    return clip.far\nclip.far = 8", 8),
        (("t = {}", "for k in range(3):\n    t[k] = k * k"), "def clip(g, k):\n    return t[k]", 4),
        (("t = [1]\nif t:\n    t[0], x = 6, 7",), "def clip(g, k):\n    return t[0]", 6),
        (("t = []", "for k in range(3):\n    t.append(k)"), "def clip(g, k):\n    return t[k]", 2),
        (("import math", "math.gone()"), "def clip(g, t):\n    return math.floor(2.5)", 2),
    ],
)  # fmt: skip
def test_an_answer_comes_with_what_it_stands_on(cells, stub, value):
    """Catches a helper left behind, a later one of another exercise, a magic that breaks all."""
    assert made(*cells, stub=stub)(1, 2) == value


def test_another_exercises_helper_is_not_taken():
    """Catches one notebook-wide namespace: a helper that is redefined further down."""
    first = page("def helper():\n    return 1", stub="def clip(g, t):\n    return helper()")
    later = Piece("", "code", "def helper():\n    return 2", True)
    found = Page([*first.pieces, later]).answer("2.7", "clip", "ex-2-7-stub", GIVEN)
    assert "return 1" in found.text
    assert "return 2" not in found.text


def test_a_helper_may_stand_in_the_checks_cell():
    """Catches a helper beside the call of check that gives way to a later one."""
    first = page(stub="def clip(g, t):\n    return helper()").pieces[:-1]
    check = Piece("ex-2-7-check", "code", "helper = lambda: 1\ncheck('2.7', clip)", True)
    later = Piece("", "code", "helper = lambda: 2", True)
    found = Page([*first, check, later]).answer("2.7", "clip", "ex-2-7-stub", GIVEN)
    assert "lambda: 1" in found.text
    assert "lambda: 2" not in found.text


def test_an_untouched_stub_may_be_all_there_is():
    """Catches a stub that is gone only because nothing stands before it."""
    stub = Piece("ex-2-7-stub", "code", STUB, False)
    assert Page([stub]).answer("2.7", "clip", "ex-2-7-stub", GIVEN).status == "untouched"
    assert Page([]).answer("2.7", "clip", "ex-2-7-stub", GIVEN).status == "missing"


def test_what_is_given_is_not_run_again():
    """Catches a lecture's own import, which takes seconds, in front of every answer."""
    lecture = Piece("setup", "code", "import torch", False)
    stub = Piece("ex-2-7-stub", "code", "def clip(g, t):\n    return torch.ones(1)", True)
    found = Page([lecture, stub]).answer("2.7", "clip", "ex-2-7-stub", GIVEN)
    assert "import torch" not in found.text


@pytest.mark.parametrize(
    ("stub", "status"),
    [
        (STUB, "untouched"),
        ("def clip(g, t):\n    'Return it.'\n    pass", "untouched"),
        ("def clip(g, t)\n    return g", "broken"),
        ("x = 1", "missing"),
        ("(" * 5000, "broken"),
    ],
)
def test_what_is_no_answer_is_told_apart(stub, status):
    """Catches a stub that counts as an error, and a broken cell that counts as a stub."""
    found = answer(stub=stub)
    assert found.status == status
    assert bool(found.said) == (status == "broken")
    if stub.endswith("return g"):
        assert found.said == "SyntaxError in line 1: expected ':'"


def test_an_answer_in_the_check_itself():
    """Catches check("2.8", {"A"}) without a function, which check accepts."""
    call = Piece("ex-2-8-check", "code", 'letters = {"A"}\ncheck("2.8", letters | {"B"})', True)
    other = Piece("ex-2-9-check", "code", 'check("2.9", {"C"})', True)
    found = Page([call, other]).answer("2.8", "what_follows", "ex-2-8-stub", GIVEN)
    space: dict = {}
    exec(found.text, space)
    assert space["answer_in_the_check"] == {"A", "B"}


def test_what_should_be_looked_at_is_flagged():
    """Catches references used, and a check of one's own, that go unnoticed."""
    assert page("from course_utils.checks.find_exercise import find").flags() == [
        "looks into the checks"
    ]
    assert page("def check(*a):\n    print('Correct')").flags() == ["defines check itself"]
    assert page("from course_utils.checks import check").flags() == []
    lecture = Piece("s2", "code", "import course_utils.checks.exercises", False)
    assert Page([lecture]).flags() == []


def test_renamed_code_has_the_same_form():
    """Catches a copy that escapes by new names, comments and another docstring."""
    body = "    out = []\n    for g in xs:\n        out.append(g * min(1, t / sum(xs)))\n"
    more = "    print(out, t, [k for k in out if k > t])\n    return [g + t for g in out]"
    one = f"def clip(xs, t):\n    '''Clip.'''\n{body}{more}"
    other = one.replace("out", "result").replace("g", "v").replace("Clip", "My own words")
    third = one.replace("min", "max")
    forms = [form_of(ast.parse(text).body[0]) for text in (one, other, third)]
    assert forms[0] == forms[1] != forms[2]
    assert form_of(ast.parse("def f(x):\n    return x").body[0]) == ""
