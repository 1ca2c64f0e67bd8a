"""Every exercise of the course: its solution, its stub, its misconceptions and its hints."""

from __future__ import annotations

import importlib.util
import inspect
import math
from collections import namedtuple
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from course_utils.checks import case, check, hint, lecture_calls, show_solution
from course_utils.checks.exercise import KINDS_OF_EXERCISES, Exercise, Misconception
from course_utils.checks.find_exercise import all_exercises, find
from course_utils.checks.judging.judge import judge
from course_utils.checks.statement import Statement
from course_utils.pages.notebook import lectures, read
from tools.rules.exercises import stub_of

ROOT = Path(__file__).resolve().parents[2]
EXERCISES = all_exercises()
EVERY = pytest.mark.parametrize("number", sorted(EXERCISES))
MISCONCEPTIONS = [(n, m) for n, (_, e) in sorted(EXERCISES.items()) for m in e.misconceptions]


def solution_of(module: str, function: str):
    """Return a function of solutions/, which no test may need to be there."""
    file = ROOT / "solutions" / f"{module}.py"
    if not file.is_file():
        pytest.skip("this copy of the course came without solutions/")
    spec = importlib.util.spec_from_file_location(f"solutions_{module}", file)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return getattr(loaded, function)


def stubs() -> dict[str, str]:
    """Return the text of every stub in the lectures, by the function's name."""
    cells = [cell for path in lectures(ROOT / "notebooks") for cell in read(path).code]
    return {stub.name: c.source for c in cells if "exercise" in c.tags and (stub := stub_of(c))}


@EVERY
def test_the_solution_is_right(number):
    """Catches a solution that is wrong, and a check that refuses a right answer."""
    module, exercise = EXERCISES[number]
    verdict = judge(exercise, solution_of(module, exercise.function))
    assert verdict.kind == "ok", verdict.message


@EVERY
def test_the_stub_is_not_attempted(number):
    """Catches a stub that stops the lecture, or is judged before anybody wrote in it."""
    module, exercise = EXERCISES[number]
    if not any((ROOT / "notebooks").glob(f"{module[2:4]}_*.ipynb")):
        pytest.skip(f"lecture {module[2:4]} is not written yet")
    names = {}
    exec(stubs()[exercise.function], names)
    assert judge(exercise, names[exercise.function]).kind == "not attempted"


@pytest.mark.parametrize(
    ("number", "misconception"), MISCONCEPTIONS, ids=lambda v: getattr(v, "name", v)
)
def test_a_misconception_is_told_by_its_own_message(number, misconception):
    """Catches a misconception that passes, or that another one's message hides."""
    _, exercise = EXERCISES[number]
    verdict = judge(exercise, misconception.wrong)
    assert (verdict.kind, verdict.message) == ("misconception", misconception.message)


@EVERY
def test_an_exercise_is_complete(number):
    """Catches a hint or a message that is missing, and arguments that share their sizes."""
    module, exercise = EXERCISES[number]
    assert number.partition(".")[0] == str(int(module[2:4]))
    assert len(exercise.hints) == 3
    assert len({*exercise.hints}) == 3
    assert all(exercise.hints)
    assert len(exercise.misconceptions) + len(exercise.reasons) >= 2
    assert len({m.message for m in exercise.misconceptions}) == len(exercise.misconceptions)
    cases = exercise.cases()
    assert len(cases) >= (2 if exercise.parameters else 1)
    assert all(len(case) == len(inspect.signature(exercise.reference).parameters) for case in cases)


@EVERY
def test_an_exercise_says_what_it_takes_and_gives(number):
    """Catches an exercise whose types a learner must guess, and an example that does not run."""
    exercise = EXERCISES[number][1]
    assert exercise.kind in KINDS_OF_EXERCISES
    assert exercise.gives or exercise.choices
    assert exercise.takes or not exercise.parameters
    assert exercise.example is None or str(exercise.number) in repr(Statement(exercise))
    for name, answer in _by_name(exercise):
        options = exercise.options.get(name, exercise.options.get("", ()))
        assert not exercise.choices or _chosen(answer) <= set(options)
    for key in exercise.reasons if exercise.choices else ():  # else on what an answer does
        name, choice = key if isinstance(key, tuple) else ("", key)
        known = {part for choices in exercise.options.values() for part in choices}
        assert choice in known | set(exercise.options), (name, choice)


def _by_name(exercise):
    """Return the reference's answers to the first case by name."""
    answer = exercise.reference(*exercise.cases()[0])
    return answer.items() if isinstance(answer, dict) else [("", answer)]


def _chosen(answer):
    return set(answer) if isinstance(answer, set | frozenset) else {answer}


def test_every_solution_belongs_to_an_exercise():
    """Catches a solution left behind by an exercise that was renamed."""
    wanted = {f"{module}.py" for module, _ in EXERCISES.values()}
    found = {file.name for file in (ROOT / "solutions").glob("ex*.py")}
    assert found <= wanted


# ── the judge, on an exercise of its own ──────────────────────────────────────────────────────────


def blend(a, b, share):
    return share * a + (1 - share) * b


def swapped(a, b, share):
    return share * b + (1 - share) * a


def unstable(a, b, share):
    return a.reshape(2, 2)


def some_cases():
    torch.manual_seed(3)
    return [
        (torch.randn(n, m, dtype=torch.float64), torch.randn(n, m, dtype=torch.float64), 0.25)
        for n, m in ((3, 5), (7, 11))
    ]


EXERCISE = Exercise(
    number="0.1",
    task="a blend",
    reference=blend,
    cases=some_cases,
    misconceptions=(
        Misconception("swapped", swapped, "The two are swapped."),
        Misconception("unstable", unstable, "Do not assume a shape."),
    ),
    hints=("one", "two", "three"),
    gradients=True,
)


def in_place(a, b, share):
    with torch.no_grad():
        a *= share
    return a + (1 - share) * b


def forgets_to_return(a, b, share):
    share * a + (1 - share) * b


def transposed(a, b, share):
    return blend(a, b, share).T


def divides_by_zero(a, b, share):
    return blend(a, b, share) * (a - a) / (a - a)


def cut_off(a, b, share):
    return blend(a.detach(), b, share)


def half_a_gradient(a, b, share):
    return blend(a, b, share) + 0.5 * (a - a.detach())


def two_values(a, b, share):
    return share * a, (1 - share) * b


def stops(a, b, share):
    raise KeyError("no such gate")


def exits(a, b, share):
    raise SystemExit(1)


def a_word(a, b, share):
    return "blend"


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (blend, "ok", "gradients"),
        (lambda a, b, share: b + share * (a - b), "ok", ""),
        (torch.nn.Bilinear, "error", "your function stops"),
        (in_place, "wrong", "changes its argument a in place"),
        (forgets_to_return, "wrong", "`return`"),
        (transposed, "wrong", "shape (3, 5), yours has shape (5, 3)"),
        (divides_by_zero, "wrong", "NaN"),
        (cut_off, "wrong", "cut off"),
        (half_a_gradient, "wrong", "the values agree, but the gradient"),
        (two_values, "wrong", "shape (3, 5), yours has shape (2,)"),
        (a_word, "wrong", "yours is 'blend'"),
        (lambda a, b, share: blend(a, b, share) + 1e-3, "wrong", "is off: at ["),
        (swapped, "misconception", "The two are swapped."),
        (lambda a, b, share: a.reshape(1, 1), "misconception", "Do not assume a shape."),
        (stops, "error", "KeyError"),
        (exits, "error", "SystemExit"),
        (lambda a: a, "error", "positional argument"),
        ("blend", "error", "not 'blend'"),
        (None, "error", "not a NoneType"),
        (7, "error", "not the number 7"),
    ],
)
def test_the_judge_says_what_is_wrong(answer, kind, says):
    """Catches a wrong answer that passes, and a judge that stops with somebody else's error."""
    verdict = judge(EXERCISE, answer)
    assert verdict.kind == kind, verdict.message
    assert says in verdict.message


def untouched_dots(a, b): ...


def untouched_with_words(a, b):
    """Say what to do."""
    ...  # noqa: PIE790 - as a learner sees it


def untouched_pass(a, b):
    pass


def started(a, b):
    """Say what to do."""
    a + b


def started_with_error(a, b):
    raise NotImplementedError


@pytest.mark.parametrize("answer", [untouched_dots, untouched_with_words, untouched_pass])
def test_an_empty_function_is_not_attempted(answer):
    """Catches a stub with a docstring that is taken for an answer."""
    assert judge(EXERCISE, answer).kind == "not attempted"


@pytest.mark.parametrize("answer", [started, started_with_error])
def test_a_started_function_is_judged(answer):
    """Catches work in progress that is told "no hurry"."""
    assert judge(EXERCISE, answer).kind == "error"


def test_answers_cannot_spoil_the_next_check():
    """Catches inputs that one answer changes for the next."""
    judge(EXERCISE, in_place)
    assert judge(EXERCISE, blend).kind == "ok"


# ── answers that nobody expects ───────────────────────────────────────────────────────────────────


def generates(a, b, share):
    yield blend(a, b, share)


def holds_itself(a, b, share):
    found = []
    found.append(found)
    return found


def mixed_keys(a, b, share):
    return {1: a, "b": b}


def on_no_device(a, b, share):
    return blend(a, b, share).to("meta")


def sparse_but_right(a, b, share):
    return blend(a, b, share).to_sparse()


def complex_but_right(a, b, share):
    return blend(a, b, share) + 0j


def through_numpy(a, b, share):
    return blend(a.detach().numpy(), b.detach().numpy(), share)


def in_place_on_leaf(a, b, share):
    a *= share
    return a


def breaks_the_graph(a, b, share):
    middle = a.exp()
    found = blend(a, b, share) + 0 * (middle * b)
    middle.zero_()
    return found


class Mute(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def fails_without_words(a, b, share):
    raise Mute


def fails_at_length(a, b, share):
    raise ValueError("x" * 10_000)


def leaves_by_a_side_door(a, b, share):
    raise GeneratorExit


class Blend:
    def __init__(self, a, b, share):
        self.value = blend(a, b, share)


class Callable:
    def __call__(self, a, b, share=0.25):
        return blend(a, b, share)


class Hostile:
    def __array__(self, *arguments, **options):
        raise MemoryError("no numbers here")


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (generates, "wrong", "is a generator"),
        (holds_itself, "wrong", "shape"),
        (mixed_keys, "wrong", "is a dict of 2"),
        (on_no_device, "error", ""),
        (complex_but_right, "wrong", "complex"),
        (through_numpy, "wrong", "cut off"),
        (in_place_on_leaf, "error", "in the line `a *= share`: it changes one of its arguments"),
        (breaks_the_graph, "error", "inplace operation"),
        (fails_without_words, "error", "Mute"),
        (fails_at_length, "error", "xxx…"),
        (leaves_by_a_side_door, "error", "GeneratorExit"),
        (Blend, "wrong", "is a Blend"),
        (Callable(), "ok", ""),
        (lambda a, b, share: Hostile(), "wrong", "is a Hostile"),
        (lambda a, b, share: ..., "wrong", "is an ellipsis"),
        (lambda *given, **named: blend(*given, **named), "ok", ""),
    ],
)
def test_odd_answers_get_a_verdict(answer, kind, says):
    """Catches a check that raises, or passes what it could not read."""
    for exercise in (EXERCISE, replace(EXERCISE, gradients=False)):
        verdict = judge(exercise, answer)
        assert len(verdict.message) < 700
        if exercise.gradients:
            assert verdict.kind == kind, verdict.message
            assert says in verdict.message
            assert "_engine_run_backward" not in verdict.message


def test_a_sparse_answer_is_read():
    """Catches a right answer refused for how it is stored."""
    assert judge(replace(EXERCISE, gradients=False), sparse_but_right).kind == "ok"


def test_what_an_answer_prints_is_kept_once():
    """Catches a line of debugging that appears again for every case and misconception."""

    def talks(a, b, share):
        print("here")
        return a

    assert judge(EXERCISE, talks).printed == "here\n"


@pytest.mark.parametrize("off", [torch.no_grad, torch.inference_mode])
def test_gradients_are_judged_wherever_check_is_called(off):
    """Catches "and its gradients too" where none was compared."""
    with off():
        assert judge(EXERCISE, blend).kind == "ok"
        assert "cut off" in judge(EXERCISE, cut_off).message


def made(reference, *cases, gradients=False) -> Exercise:
    """Return an exercise without misconceptions."""
    return replace(
        EXERCISE,
        reference=reference,
        cases=lambda: list(cases),
        misconceptions=(),
        gradients=gradients,
    )


@pytest.mark.parametrize(
    ("want", "have", "kind"),
    [
        ([math.inf], [math.inf], "ok"), ([math.inf], [5.0], "wrong"), ([5.0], [math.inf], "wrong"),
        ([-math.inf], [math.inf], "wrong"), ([math.nan], [math.nan], "ok"),
        ([math.nan], [5.0], "wrong"), ([math.nan, 1.0], [math.nan, math.nan], "wrong"),
        ([], [], "ok"), ([1.0], [1.0 + 1e-9], "ok"),
    ],
)  # fmt: skip
def test_infinities_and_nan_are_values(want, have, kind):
    """Catches a finite number that passes for an infinite one, and NaN that passes for anything."""
    exercise = made(lambda: torch.tensor(want), ())
    assert judge(exercise, lambda: torch.tensor(have)).kind == kind


def test_a_gradient_is_named_by_its_own_argument():
    """Catches "argument 1" for the second, when the first is a list of word numbers."""
    exercise = made(
        lambda ids, table: table[ids], (torch.tensor([1, 0]), torch.ones(3, 2)), gradients=True
    )
    assert (
        "with respect to table is cut off"
        in judge(exercise, lambda ids, table: table.detach()[ids]).message
    )


def test_an_argument_without_influence_may_be_left_out():
    """Catches "cut off" where the gradient is zero."""
    exercise = made(lambda a, b: a + 0 * b, (torch.ones(3), torch.ones(3)), gradients=True)
    assert judge(exercise, lambda a, b: a).kind == "ok"


Pair = namedtuple("Pair", "one two")


@pytest.mark.parametrize(
    "argument",
    [
        [torch.ones(3)], (torch.ones(3),), {0: torch.ones(3)}, np.ones(3), [np.ones(3)],
        Pair([torch.ones(3)], 2), [[1.0, 2.0]], {0: [1.0]},
    ],
    ids=repr,
)  # fmt: skip
def test_a_changed_container_is_told_and_spoils_nothing(argument):
    """Catches lists, dicts and arrays that one answer changes for the next."""

    def inner(box):
        while not isinstance(box, torch.Tensor | np.ndarray) and not isinstance(box[0], float):
            box = box[0]
        return box

    def spoils(box):
        found = 1.0 * inner(box)[0]
        inner(box)[0] = 7.0
        return found

    exercise = made(lambda box: inner(box)[0] * 1.0, (argument,))
    before = repr(argument)
    assert "changes its argument box in place" in judge(exercise, spoils).message
    assert repr(argument) == before
    assert judge(exercise, lambda box: inner(box)[0]).kind == "ok"


# ── what a lecture calls ───────────────────────────────────────────────────────────────


@pytest.fixture
def shown(monkeypatch):
    """Collect what would be displayed."""
    notes = []
    monkeypatch.setattr(lecture_calls, "display", notes.append)
    return notes


def test_check_shows_and_never_raises(shown):
    """Catches a check that stops Run All."""
    check("0.1", stops)
    check("99.9", blend)
    check(0.1, stops)
    check("²", blend)
    assert "KeyError" in repr(shown[2])
    assert "there is no exercise '²'" in repr(shown[3])
    assert "KeyError" in repr(shown[0])
    assert "there is no exercise '99.9'" in repr(shown[1])


def test_text_of_a_learner_is_escaped(shown):
    """Catches an error message that becomes markup."""

    def evil(u, h_before, x):
        raise ValueError("<script>alert(1)</script>")

    check("0.1", evil)
    assert "<script>" not in shown[0]._repr_html_()
    assert "&lt;script&gt;" in shown[0]._repr_html_()


def test_hints_come_in_three_steps(shown):
    """Catches a first hint that gives all away, and a fourth that fails."""
    lecture_calls._hints_given.clear()
    for _ in range(4):
        hint("0.1")
    expected = find("0.1")[1].hints
    assert [note.text for note in shown] == [*expected, expected[-1]]
    assert "Hint 1 of 3" in repr(shown[0])
    assert "show_solution" in repr(shown[3])
    assert "show_solution" not in repr(shown[2])


def test_a_hidden_case_can_be_called_up():
    """Catches a message whose input nobody can see, and a call in it that gives another case."""
    told = judge(find("7.4")[1], lambda *_: {"unit": 0, "area": 0.5, "luck": 0.5}).message
    assert told.endswith('import case; unit_and_luck(*case("7.4", 1))')
    first = find("7.4")[1].cases()[0]
    assert all(torch.equal(*pair) for pair in zip(case("7.4", 1)[:4], first[:4], strict=True))
    case("7.4", 1)[0].zero_()
    assert case("7.4", 1)[0].any()
    assert "case(" not in judge(find("2.5")[1], lambda rate: 0).message
    with pytest.raises(ValueError, match="1 to 4"):
        case("7.4", 5)


def test_the_solution_is_shown_where_it_is(shown):
    """Catches a solution that is not the tested one."""
    module, exercise = find("0.1")
    solution_of(module, exercise.function)
    show_solution("0.1")
    assert repr(shown[0]).startswith(f"def {exercise.function}(")
    assert shown[0]._repr_markdown_().startswith("```python\ndef ")


def test_a_copy_without_solutions_says_so(shown, monkeypatch, tmp_path):
    """Catches a learner's copy that stops with a missing file."""
    monkeypatch.setattr(lecture_calls, "SOLUTIONS", tmp_path / "solutions")
    show_solution("0.1")
    assert "no folder solutions/" in repr(shown[0])


def test_an_unknown_number_names_the_known():
    """Catches "KeyError: 2.9"."""
    with pytest.raises(ValueError, match=r"there are 0\.1"):
        find("2.9")
