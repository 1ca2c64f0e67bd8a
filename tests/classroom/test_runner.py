"""What goes into a judged process and comes out is plain data; the verdict is the house's."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
from collections import Counter, namedtuple
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import strategies as st

from course_utils.checks.exercise import Exercise
from course_utils.checks.find_exercise import find, places
from course_utils.classroom.handin import stub_id
from course_utils.classroom.locks import held as locks
from course_utils.classroom.locks import limits
from course_utils.classroom.locks.held import held, missing
from course_utils.classroom.locks.landlock import beneath
from course_utils.classroom.locks.limits import Allowance, readable
from course_utils.classroom.locks.seccomp import NATIVE, program
from course_utils.classroom.runner.functions import computed
from course_utils.classroom.runner.packed import NotPlain, pack, unpack
from course_utils.classroom.runner.pool import Pool, Ran, pool
from course_utils.classroom.runner.questions import questions
from course_utils.classroom.runner.replay import Judged, judged
from course_utils.classroom.submission import Piece
from tests.classroom.all_answers import given_to, told_otherwise
from tests.classroom.school import right

SLOW = {"1.10", "10.6", "10.7"}  # their inputs take seconds to draw
Pair = namedtuple("Pair", "h c")
LEAVES = (
    st.none() | st.booleans() | st.integers() | st.text(max_size=5)
    | st.floats() | st.complex_numbers()
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)  # fmt: skip


def there_and_back(value):
    """Return a value as it arrives, by way of JSON."""
    return unpack(json.loads(json.dumps(pack(value))))


def test_plain_values_arrive_as_they_are(drawing):
    """Catches an infinity, a large integer or a nested dict that comes back as something else."""

    @drawing(VALUES, cases=300)
    def arrive(value):
        assert repr(there_and_back(value)) == repr(value)


@pytest.mark.parametrize("dtype", [torch.float64, torch.bfloat16, torch.bool, torch.int8,
                                   torch.complex64, torch.float16])  # fmt: skip
@pytest.mark.parametrize("shape", [(), (0,), (2, 3), (1, 0, 2)])
def test_arrays_arrive_to_the_last_bit(dtype, shape):
    """Catches a dtype or a shape that is lost: a check would call a right answer wrong."""
    value = (torch.randn(shape) * 3).to(dtype)
    back = there_and_back(value)
    assert back.dtype == dtype
    assert back.shape == value.shape
    assert torch.equal(back, value)
    if dtype != torch.bfloat16:
        array = there_and_back(value.numpy())
        assert (array.dtype, array.shape) == (value.numpy().dtype, shape)


def test_other_forms_of_a_right_answer_arrive():
    """Catches styles that the judge takes and the way back does not."""
    assert there_and_back(Pair(1, 2))._asdict() == {"h": 1, "c": 2}
    assert there_and_back(Counter("aab")) == {"a": 2, "b": 1}
    assert there_and_back({"a", 1}) == {"a", 1}
    assert there_and_back(np.float32(0.5)) == np.float32(0.5)
    assert there_and_back(Fraction(1, 2)) == there_and_back(Decimal("0.5")) == 0.5
    turned = torch.ones(2, 3).t().requires_grad_()
    assert torch.equal(there_and_back(turned), turned)
    assert there_and_back(torch.eye(2).to_sparse()).tolist() == [[1, 0], [0, 1]]
    assert type(there_and_back(object())).__name__ == "object"
    assert callable(there_and_back(len))


@pytest.mark.parametrize(
    "packed",
    [
        3, [], ["unknown", 1], ["int", "x"], ["int"], ["tensor", "torch.float64", [2], "AAAA"],
        ["tensor", "torch.float64", [-1], ""], ["tensor", "os.system", [0], ""],
        ["array", "O", [1], "AAAAAAAAAAA="], ["array", "|V8", [1], "AAAAAAAAAAA="],
        ["array", "<f8", ["x"], ""], ["dict", [[["list", []], ["none"]]]], ["named", [1], []],
        ["tensor", "torch.float64", [10**6] * 9, ""], ["float", "0x1p99999"],
        ["set", [["dict", []]]],
    ],
)  # fmt: skip
def test_what_is_damaged_is_refused(packed):
    """Catches a result that ends the grading, or makes it allocate what it says."""
    with pytest.raises(NotPlain):
        unpack(packed)


def test_every_lock_is_seen_to_hold_and_to_be_missing(monkeypatch):
    """Catches a report that says held where nothing was locked."""
    if missing(held()):
        pytest.skip("this machine does not lock everything")
    monkeypatch.setattr(locks, "lock_up", lambda *a: None)
    assert missing(held()) == list(locks.ATTEMPTS)


@pytest.mark.parametrize("machine", NATIVE)
def test_the_filter_jumps_inside_itself(machine):
    """Catches a jump beyond the last step, which the kernel refuses: nothing would be locked."""
    steps = program(machine)
    for place, (_, yes, no, _) in enumerate(steps):
        assert place + 1 + max(yes, no) < len(steps) or steps[place][0] == 0x06
    assert steps[-1] == (0x06, 0, 0, 0x7FFF0000)


def test_what_is_hidden_is_left_out(tmp_path):
    """Catches references that can be read because the folder above them can."""
    for name in ("a/secret/x", "a/open/y", "b/z"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "lib64").symlink_to(tmp_path / "a")  # as an environment has it
    places = beneath(tmp_path, [tmp_path / "a" / "secret"])
    readable = {path.relative_to(tmp_path).as_posix() for path, rights in places if rights & 4}
    assert readable == {"a/open", "b"}


def test_a_class_below_a_readable_folder_is_hidden(tmp_path, monkeypatch):
    """Catches a course below /usr, whose answers and hand-ins every answer could read."""
    if missing(held()):
        pytest.skip("this machine does not lock everything")
    (tmp_path / "usr" / "term").mkdir(parents=True)
    (tmp_path / "usr" / "lib").mkdir()
    (tmp_path / "usr" / "term" / "term.toml").write_text("seed = 3")
    monkeypatch.setattr(limits, "SYSTEM", (*limits.SYSTEM, str(tmp_path / "usr")))
    places = dict(readable([tmp_path / "usr" / "term"]))
    assert tmp_path / "usr" / "term" not in places
    assert tmp_path / "usr" / "lib" in places
    assert not missing(held([tmp_path / "usr" / "term"]))
    monkeypatch.setattr(locks, "readable", lambda hidden: readable())
    assert missing(held([tmp_path / "usr" / "term"])) == [locks.OTHERS]


def test_a_second_copy_of_the_course_gives_nothing_away(tmp_path, monkeypatch):
    """Catches references that can be read because the course is installed, too."""
    copy = tmp_path / "course_utils" / "checks" / "exercises"
    copy.mkdir(parents=True)
    (tmp_path / "torch").mkdir()
    monkeypatch.setattr(limits.site, "getsitepackages", lambda: [str(tmp_path)])
    places = dict(readable())
    assert tmp_path / "torch" in places
    assert not {copy, tmp_path, *copy.parents} & {
        place for place, rights in places.items() if rights & 4
    }


def test_inputs_differ_from_those_of_a_students_check():
    """Catches inputs that a student has seen, and a draw on which a mistake passes."""
    _, exercise = find("2.2")
    drawn = questions(exercise, seed=5)
    assert drawn.unseen
    assert not torch.equal(drawn.exercise.cases()[0][0], exercise.cases()[0][0])
    assert questions(exercise, seed=5).packed == drawn.packed
    assert questions(exercise, seed=6).packed != drawn.packed
    assert not questions(find("2.4")[1], seed=5).unseen


def test_no_case_is_offered_that_her_machine_does_not_have(told):
    """Catches feedback that sends a student to other numbers than those it speaks of."""
    (verdict,) = told("2.2", ["def product_of_jacobians(jacobians):\n    return jacobians[0]"])
    assert verdict.message.startswith("With jacobians = a tensor of shape (3, 5, 5): ")
    assert "case" not in verdict.message


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="no such call here")
def test_who_waits_for_a_busy_machine_does_not_sleep():
    """Catches a right answer called asleep because others took the processor."""
    wait = (
        "def wait():\n    end = time.process_time() + 0.2\n    while time.process_time() < end:\n"
    )
    text = f"import time\n{wait}        pass\n    return 1\nONE = wait()\n{right('02')['2.2']}"
    text = text.replace("product = jacobians[0]", "product = ONE * jacobians[0]")
    asked = questions(find("2.2")[1], seed=3)
    job = asked.job(0, [Piece(stub_id("2.2"), "code", text, True)], stub_id("2.2"))
    with pool(["import torch"], workers=1, allowed=Allowance(wall=0.5)) as opened:
        hog = [sys.executable, "-c", "while True: pass"]
        busy = [opened.workers[0].process, *(subprocess.Popen(hog) for _ in range(5))]
        for one in busy:
            os.sched_setaffinity(one.pid, {min(os.sched_getaffinity(0))})
        ((_, ran),) = opened.run([job])
    for one in busy:
        one.kill()
        one.wait()
    assert judged(asked, ran).kind == "ok"


def test_the_line_is_the_students(told):
    """Catches a line of the grader's in feedback, where a cell stops above its function."""
    above = "def clip(gradients, threshold):\n    return gradients\n"
    texts = [
        f"{above}clip.table = nothing_known",
        f"{above}while True:\n    clip = clip",
        f"from functools import partial\n{above.replace('clip', 'cut')}"
        "def over(number, *rest):\n    return number / 0\nclip = partial(over, 3)",
    ]
    said = [verdict.message for verdict in told("2.7", texts)]
    assert said[0].startswith("your cell stops in the line `clip.table = nothing_known`: NameError")
    assert said[1] == "stopped in the line `while True:`: does the loop end?"
    assert "in the line `return number / 0`: ZeroDivisionError" in said[2]


def test_a_learned_table_is_no_answer(told):
    """Catches inputs that never change: the values of a check would do as an answer."""
    _, exercise = find("2.3")
    table = {float(U.sum()): float(exercise.reference(U, s, k)) for U, s, k in exercise.cases()}
    text = f"table = {table}\ndef largest_allowed(U, slope, lag):\n    return table[float(U.sum())]"
    assert told("2.3", [text])[0].kind == "error"


SUMMED = "import torch\ndef mean(x, y):\n    return {}\n"


def differentiated(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the mean."""
    return (x + y) / 2


GRADED = Exercise("9.9", "", differentiated, lambda: [(torch.rand(3), torch.rand(3))], (), (),
                  gradients=True)  # fmt: skip


@pytest.fixture(scope="module")
def told():
    """Return what says what is told of some answers to one exercise."""
    with pool(["import torch", "import math"], workers=1) as opened:
        yield partial(told_by, opened)


def told_by(opened: Pool, number: str | Exercise, texts: list[str]) -> list[Judged]:
    """Return what is said of some answers."""
    exercise = number if isinstance(number, Exercise) else find(number)[1]
    asked = questions(exercise, seed=3)
    stub = stub_id(exercise.number)
    jobs = [asked.job(k, [Piece(stub, "code", text, True)], stub) for k, text in enumerate(texts)]
    found = {job.key: judged(asked, ran) for job, ran in opened.run(jobs)}
    return [found[k] for k in range(len(texts))]


PACKED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3)
    | st.sampled_from(["none", "int", "float", "tensor", "array", "named", "dict", "list", "0x1"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["style", "case", "value", "raised", "changed", "gradients", "is"]), inner,
        max_size=4),
    max_leaves=8,
)  # fmt: skip
LINES = st.lists(
    st.dictionaries(
        st.sampled_from(
            ["style", "case", "value", "raised", "changed", "gradients", "is", "failed", "stopped",
             "answer", "flags"]
        ),
        st.sampled_from([0, 0, 1, 2]) | PACKED,
        max_size=6,
    ),
    max_size=4,
)  # fmt: skip


def test_whatever_a_process_tells_gets_a_verdict(drawing):
    """Catches one line of one student that ends the grading of everybody."""
    asked = questions(find("2.2")[1], seed=3)
    begun = {"answer": {"status": "there", "text": "x = 1", "form": ""}, "flags": []}

    @drawing(LINES, st.booleans(), cases=150)
    def judge_lines(lines, begins):
        told = Ran([begun, *lines] if begins else list(lines))
        verdict = judged(asked, told)
        assert verdict.kind in ("wrong", "error", "stopped", "not attempted")
        json.dumps(verdict.as_json())


def test_a_cases_own_functions_take_no_large_arguments(told):
    """Catches two arguments that together span more than the grader's memory."""
    wide = "def both_ways(x, ahead, back, h_0):\n    many = x.new_ones(90000, 1, x.shape[-1])\n"
    wide += "    return ahead(many, h_0.new_ones(90000, h_0.shape[-1]))\n"
    (verdict,) = told("8.2", [wide])
    assert verdict.kind == "error"
    assert "more than any case holds" in verdict.message


def test_gradients_are_judged_outside(told):
    """Catches a gradient that is cut off or wrong, and is called right because values agree."""
    answers = ["(x + y) / 2", "(x + y.detach()) / 2", "(x + y) / 2 + (x - x.detach())", "x * 0 + y"]
    texts = [SUMMED.replace("mean", "differentiated").format(answer) for answer in answers]
    verdicts = told(GRADED, texts)
    assert [v.kind for v in verdicts] == ["ok", "wrong", "wrong", "wrong"]
    assert "cut off" in verdicts[1].message
    assert "gradient" in verdicts[2].message


def test_a_cases_own_functions_answer_from_outside(told):
    """Catches an exercise whose inputs hold functions, which cannot be sent."""
    endless = "def both_ways(x, ahead, back, h_0):\n    while True:\n        ahead(x[0], h_0)\n"
    odd = "def both_ways(x, ahead, back, h_0):\n    return ahead(x, 'no state')\n"
    verdicts = told("8.2", [right("08")["8.2"], endless, odd])
    assert [v.kind for v in verdicts] == ["ok", "error", "error"]
    assert "called too often" in verdicts[1].message


TUNED = """def start_and_tune(classifier, language_model, loss, rates):
    w = {name: language_model.get(name, own).clone() for name, own in classifier.items()}
"""
WAYS = {
    "autograd": """    w = {name: value.requires_grad_() for name, value in w.items()}
    slopes = torch.autograd.grad(loss(weights=w), [*w.values()])
    return {name: w[name] - rates[name] * slope for name, slope in zip(w, slopes)}
""",
    "torch.func": """    slopes = torch.func.grad(loss)(w)
    return {name: w[name] - rates[name] * slopes[name] for name in w}
""",
    "an optimizer": """    w = {name: torch.nn.Parameter(value) for name, value in w.items()}
    sgd = torch.optim.SGD([{"params": [w[name]], "lr": rates[name]} for name in w])
    loss(w).backward()
    sgd.step()
    return {name: value.detach() for name, value in w.items()}
""",
    "small differences": """    def at(name, k, further):
        moved = {other: value.clone() for other, value in w.items()}
        moved[name].view(-1)[k] += further
        return float(loss(moved))
    def slope(name):
        numbers = range(w[name].numel())
        found = [at(name, k, 1e-5) - at(name, k, -1e-5) for k in numbers]
        return torch.tensor(found).reshape(w[name].shape) / 2e-5
    return {name: w[name] - rates[name] * slope(name) for name in w}
""",
}


@pytest.mark.parametrize("way", WAYS)
def test_slopes_come_back_through_a_cases_own_function(told, way):
    """Catches a loss that is computed outside and leaves its gradient there: nobody was right."""
    assert told("8.6", [TUNED + WAYS[way]])[0].kind == "ok"


def test_slopes_of_second_order_are_refused(told):
    """Catches a gradient of a gradient that is told as zero."""
    twice = """    w = {name: value.requires_grad_() for name, value in w.items()}
    slopes = torch.autograd.grad(loss(w), [*w.values()], create_graph=True)
    torch.autograd.grad(slopes[0].sum(), w["recurrent"])
"""
    assert told("8.6", [TUNED + twice])[0].kind == "error"


def spread(x: torch.Tensor, times: Callable) -> torch.Tensor:
    """Return what the function makes of a vector."""
    return times(x)


@pytest.mark.parametrize("size", [3, 300_000])
def test_many_numbers_come_back_whole(told, size):
    """Catches a pipe that takes 64 kB of an answer, which waits for the rest for ever."""
    made = {"made": torch.arange(size) % 7 + 0.5}
    stretched = Exercise("9.8", "", spread,
        lambda: [(torch.rand(2), lambda x: x.sum() * made["made"])], (), ())  # fmt: skip
    right, short = "def spread(x, times):\n    return times(x)", "    return times(x)[:-1]"
    verdicts = told(stretched, [right, f"def spread(x, times):\n{short}"])
    assert [v.kind for v in verdicts] == ["ok", "wrong"]


@pytest.mark.parametrize("size", [2, 300])
def test_many_slopes_come_back_whole(told, size):
    """Catches slopes that are cut off, or that are told without a word where they are too many."""
    matrix = torch.arange(float(size * size)).reshape(size, size).double() % 5
    sloped = Exercise("9.7", "", spread, lambda: [(torch.rand(size), lambda x: matrix @ x)], (), (),
                      gradients=True)  # fmt: skip
    texts = ["times(x)", "times(x.detach()) + 0 * x", "times(x + 0)"]
    verdicts = told(sloped, [f"def spread(x, times):\n    return {text}" for text in texts])
    assert [v.kind for v in verdicts] == ["ok", "wrong", "ok"]


def test_a_function_outside_counts_in_the_numbers_of_the_answer():
    """Catches a table that is float32 outside while the same call is float64 in a check."""
    made = [lambda x: torch.zeros(2) + x]
    asked = {"ask": 0, "with": pack([(1.5,), {}]), "follow": []}
    for style in ("torch.float64", "torch.float32"):
        value = unpack(computed(made, {**asked, "style": style})["value"])
        assert str(value.dtype) == style


def test_slopes_are_told_only_of_what_has_them():
    """Catches a slope for a whole number, and one for what a loss does not use."""
    made = [lambda x, y: (x.sum() * 3, y.detach(), torch.tensor(4))]
    given = pack([(torch.ones(2), torch.ones(3)), {}])
    asked = {"ask": 0, "with": given, "follow": [True, True], "style": "torch.float32"}
    found = computed(made, asked)
    assert found["follows"] == [True, False]
    one, other = unpack(found["slopes"])
    assert one.tolist() == [[3, 3]]
    assert other is None
    assert "slopes" not in computed(made, {**asked, "follow": [False, False]})
    assert "raised" in computed(made, {**asked, "follow": [True]})
    wide = [lambda x, y: x.sum() * torch.ones(3000)]
    assert "more slopes" in computed(wide, asked)["raised"][1]


def test_named_values_keep_their_slopes(told):
    """Catches an answer with names for its two values, right in the lecture, an error here."""
    pair = Exercise("9.6", "", two, lambda: [(torch.rand(3),)], (), (), gradients=True)
    text = "from collections import namedtuple\nBoth = namedtuple('Both', 'a b')\n"
    assert told(pair, [f"{text}def two(x):\n    return Both(x * 2, x + 1)"])[0].kind == "ok"


def two(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return two values."""
    return x * 2, x + 1


def test_solutions_and_mistakes_are_told_as_in_the_lecture():
    """Catches an exercise that nobody can solve where it counts, and a mistake without its name.

    A few by lot: which ones they are, a failure says; `make bench ONLY=classroom` takes all.
    """
    lot = random.Random()
    numbers = lot.sample(sorted(places().keys() - SLOW), 5)
    some = [[*lot.sample(others, min(3, len(others))), right]
            for right, *others in map(given_to, numbers)]  # fmt: skip
    assert not told_otherwise(itertools.chain(*some))


def test_numbers_may_be_written_in_any_style(told):
    """Catches an answer in NumPy or float32, right in the lecture, wrong when it counts."""
    text = "import numpy as np\ndef largest_allowed(U, slope, lag):\n"
    in_numpy = f"{text}    return (slope * np.linalg.norm(np.asarray(U), 2)) ** lag"
    floats = f"{text}    return (slope * torch.linalg.matrix_norm(U, ord=2)).item() ** lag"
    in_place = f"{text}    U *= slope\n    return torch.linalg.matrix_norm(U, ord=2) ** lag"
    late = f"{text}    return 1 / (lag - 5)"
    verdicts = told("2.3", [in_numpy, floats, in_place, late])
    assert [v.kind for v in verdicts] == ["ok", "ok", "wrong", "error"]
    assert "changes its argument U in place" in verdicts[2].message
