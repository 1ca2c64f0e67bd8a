"""A check never raises, never hangs without a word, and leaves everything as it was."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest
import torch
from psutil import Process
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode_stack

from course_utils.checks import check, lecture_calls
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.find_exercise import places
from course_utils.checks.judging import apart
from course_utils.checks.judging.apart import can_fork, judge_safely
from course_utils.checks.judging.judge import judge
from course_utils.checks.judging.put_back import put_back

EXERCISE = Exercise(
    number="0.1",
    task="a sum",
    reference=lambda x, y: x + y,
    cases=lambda: [(torch.ones(2), torch.zeros(2)), (torch.ones(3), torch.ones(3))],
    misconceptions=(Misconception("no y", lambda x, y: x, "y is missing"),),
    hints=("a", "b", "c"),
)
forks = pytest.mark.skipif(not can_fork(), reason="nothing can be forked here")


class Other(TorchFunctionMode):
    def __torch_function__(self, function, types, arguments=(), named=None):
        raise RuntimeError("a mode was left behind")


class Deeper(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, arguments=(), named=None):
        raise RuntimeError("a mode was left behind")


LEFT_BEHIND = {
    "Python's random numbers": (lambda: random.seed(5), random.getstate),
    "NumPy's": (lambda: np.random.seed(5), lambda: str(np.random.get_state())),  # noqa: NPY002
    "PyTorch's": (lambda: torch.manual_seed(5), lambda: torch.get_rng_state().tolist()),
    "dtype": (lambda: torch.set_default_dtype(torch.float16), torch.get_default_dtype),
    "device": (lambda: torch.set_default_device("meta"), torch.get_default_device),
    "threads": (lambda: torch.set_num_threads(torch.get_num_threads() + 1), torch.get_num_threads),
    "gradients": (lambda: torch.set_grad_enabled(False), torch.is_grad_enabled),
    "anomaly": (lambda: torch.autograd.set_detect_anomaly(True), torch.is_anomaly_enabled),
    "deterministic": (
        lambda: torch.use_deterministic_algorithms(True),
        torch.are_deterministic_algorithms_enabled,
    ),
    "modes": (lambda: Other().__enter__(), _get_current_function_mode_stack),
    "deeper modes": (lambda: Deeper().__enter__(), _get_current_dispatch_mode_stack),
    "recursion": (lambda: sys.setrecursionlimit(4321), sys.getrecursionlimit),
    "folder": (lambda: os.chdir("/"), os.getcwd),
    "floating point": (lambda: np.seterr(all="ignore"), np.geterr),
    "warnings": (lambda: warnings.simplefilter("error"), lambda: list(warnings.filters)),
}


@pytest.mark.parametrize("what", LEFT_BEHIND)
def test_nothing_is_left_behind(what):
    """Catches a check after which the lecture's next cells compute something else."""
    change, look = LEFT_BEHIND[what]

    def answer(x, y):
        found = x + y
        change()
        return found

    before = look()
    assert judge(EXERCISE, answer).kind == "ok"
    assert look() == before
    with put_back():
        change()
        inside = look()
    assert inside != before, "the change changed nothing: the test would not notice"


FIRST = """
import random, numpy, torch
from course_utils.checks import check
random.seed(3), numpy.random.seed(3), torch.manual_seed(3)
def state():
    return random.getstate(), str(numpy.random.get_state()), torch.get_rng_state().tolist()
before = state()
check("3.1", lambda *given: 1)
assert state() == before
"""


def test_the_first_check_draws_nothing(tmp_path):
    """Catches exercises that draw numbers when they are imported: the first check imports all."""
    where = {**os.environ, "COURSE_PROGRESS": str(tmp_path / "progress.json")}
    ran = subprocess.run([sys.executable, "-c", FIRST], env=where, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert f"of {len(places())} solved" in ran.stdout, (
        "no progress was asked for, so not all was imported"
    )


class NoName(type):
    @property
    def __name__(cls):
        raise RuntimeError("no name")


class Nameless(metaclass=NoName):
    pass


class Quitting(Exception):
    def __str__(self):
        raise SystemExit(2)


class Looking:
    def __init__(self, error):
        self.error = error

    @property
    def __code__(self):
        raise self.error

    def __call__(self, x, y):
        return x + y


class Endless(list):
    def __iter__(self):
        while True:
            yield 1.0


def quits(x, y):
    raise Quitting


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (quits, "error"),
        (lambda x, y: Nameless(), "error"),
        (Nameless(), "error"),
        (Looking(RuntimeError("no code")), "error"),
        (Looking(SystemExit(3)), "error"),
        (lambda x, y: torch.quantize_per_tensor((x + y).float(), 0.1, 0, torch.quint8), "ok"),
        (lambda x, y: [1.0] * 3_000_000, "wrong"),
        (lambda x, y: Endless([1.0] * len(x)), "misconception"),
        (lambda x, y: Endless([1.0]), "wrong"),
        (lambda x, y: (n for n in iter(int, 1)), "wrong"),
        (lambda x, y: sys.exit(3), "error"),
    ],
)
def test_strange_answers_get_a_verdict(answer, kind):
    """Catches a check that raises, exits or reads for ever."""
    start = time.monotonic()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = judge(EXERCISE, answer)
    assert found.kind == kind, found.message
    assert time.monotonic() - start < 10


def test_half_characters_become_a_sign():
    """Catches a verdict that no page can show: it is sent as UTF-8."""

    def fails(x, y):
        print("half \ud800")
        raise ValueError("a \ud800")

    found = judge(EXERCISE, fails)
    assert found.message.encode().endswith(b"ValueError: a ?")
    assert found.printed == "half ?\n"


def test_an_answer_is_not_looked_at_in_the_kernel(shown):
    """Catches what `inspect` asks of any object: there its own code would run, and hang."""
    asked = []

    class Wrapped:
        @property
        def __wrapped__(self):
            asked.append(1)

        def __call__(self, x, y):
            return x + y

    check("0.1", Wrapped())
    assert shown[-1].startswith("✓ Exercise 0.1")
    assert not asked


def test_a_strange_number_is_told(capsys):
    """Catches a number that ends the cell when it is asked for its text."""
    check(Quitting(), EXERCISE.reference)
    assert "not a Quitting" in capsys.readouterr().out


def test_printing_is_bounded():
    """Catches an answer that fills the page, or the server's log, with what it prints."""

    def talks(x, y):
        for _ in range(100_000):
            print("here")
        return x

    found = judge(EXERCISE, talks)
    assert found.kind == "misconception"
    assert len(found.printed) < 2100


@pytest.fixture
def shown(monkeypatch):
    notes = []
    monkeypatch.setattr(lecture_calls, "display", lambda note: notes.append(repr(note)))
    monkeypatch.setattr(lecture_calls, "find", lambda number: ("ex00_start", EXERCISE))
    return notes


BEGUN = -1  # an eventfd of the test that listens: an answer counts it up, in a copy too


def loops(x, y):
    n = 0
    while n < 10:
        os.eventfd_write(BEGUN, 1)
    return x


def counts(x, y):
    for n in iter(int, 1):
        os.eventfd_write(BEGUN, 1 + n)
    return x


def sleeps(x, y):
    return os.eventfd_write(BEGUN, 1), time.sleep(600)


@pytest.fixture
def stop_button(shown, monkeypatch):
    """Press the stop button when the answer runs and the page has said how to stop it."""
    display, begun = lecture_calls.display, os.eventfd(0)
    monkeypatch.setattr(sys.modules[__name__], "BEGUN", begun)

    def shows(note):
        display(note)
        if "has been running" in shown[-1]:
            os.eventfd_read(begun)  # waits until the answer is where it stays
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(lecture_calls, "display", shows)
    yield
    os.close(begun)


@pytest.mark.skipif(not hasattr(os, "eventfd"), reason="this system has no eventfd")
@pytest.mark.parametrize(
    ("answer", "line"),
    [
        (loops, "in the line `while n < 10:`: does the loop end?"),
        (counts, "in the line `for n in iter(int, 1):`: does the loop end?"),
        (sleeps, "in the line `return os.eventfd_write(BEGUN, 1), time.sleep(600)`."),
    ],
)
@pytest.mark.parametrize("apart_or_here", [pytest.param("apart", marks=forks), "here"])
def test_a_loop_without_end_can_be_stopped(
    answer, line, apart_or_here, shown, stop_button, monkeypatch
):
    """Catches a check that hangs without a word, and an interrupt that shows package frames."""
    monkeypatch.setattr(apart, "PATIENCE", 0.05)
    if apart_or_here == "here":
        monkeypatch.setattr(apart, "can_fork", lambda: False)
    check("0.1", answer)
    assert "has been running" in shown[0]
    assert shown[-1].startswith(f"■ Exercise 0.1: stopped {line}")


@forks
def test_an_answer_is_stopped_in_the_end(shown, monkeypatch):
    """Catches a page that waits for ever where nobody is there to press a button."""

    def turns(x, y):
        while True:
            x = x + 1

    monkeypatch.setattr(apart, "PATIENCE", 0.2)
    monkeypatch.setattr(apart, "LIMIT", 0.8)
    check("0.1", turns)
    assert "does the loop end?" in shown[-1]


@forks
@pytest.mark.parametrize("child", ["goes on", "loops"])
def test_what_an_answer_starts_ends_with_it(child, shown):
    """Catches a verdict that waits for an answer's own process, a second one from it, and one that
    computes for ever."""
    reading, writing = os.pipe()

    def splits(x, y):
        if os.fork() == 0:
            while child == "loops":
                time.sleep(0.01)
        return x + y

    start = time.monotonic()
    check("0.1", splits)
    assert time.monotonic() - start < apart.LIMIT / 2
    os.close(writing)
    assert os.read(reading, 1) == b"", "somebody still holds the other end"
    os.close(reading)
    assert shown[-1].startswith("✓ Exercise 0.1")


def exits_at_once(x, y):
    os._exit(0)


def dies(x, y):
    os.kill(os.getpid(), signal.SIGSEGV)


def does_not_listen(x, y):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        pass


@forks
@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (exits_at_once, "ends Python itself. Is there an exit()"),
        (dies, "ends Python itself (SIGSEGV)"),
        (does_not_listen, "ignored the stop signal"),
    ],
)
def test_what_ends_the_kernel_does_not(answer, says, shown, monkeypatch):
    """Catches "the kernel appears to have died", and with it the learner's session."""
    monkeypatch.setattr(apart, "LIMIT", 1.0)
    monkeypatch.setattr(apart, "GRACE", 0.3)
    check("0.1", answer)
    assert says in shown[-1]


CRASHES = """
import faulthandler, os, signal
from course_utils.checks import check
faulthandler.enable()
check("3.1", lambda *given: os.kill(os.getpid(), signal.SIGSEGV))
print("went on", flush=True)
os.kill(os.getpid(), signal.SIGSEGV)
"""


@forks
def test_only_a_crash_of_our_own_is_told_as_one():
    """Catches a page of "Fatal Python error" for a copy that was meant to die, or none for us."""
    where = {**os.environ, "COURSE_PROGRESS": "off"}
    ran = subprocess.run([sys.executable, "-c", CRASHES], env=where, capture_output=True, text=True)
    assert "ends Python itself (SIGSEGV)" in ran.stdout
    assert "went on" in ran.stdout
    assert ran.returncode == -signal.SIGSEGV
    assert ran.stderr.count("Fatal Python error: Segmentation fault") == 1


@forks
def test_a_second_press_of_the_stop_button_breaks_nothing(shown, stop_button, monkeypatch):
    """Catches a press while the copy is being ended: it lived on, with all of a core."""
    monkeypatch.setattr(apart, "PATIENCE", 0.05)
    monkeypatch.setattr(apart, "GRACE", 0.3)
    before, end = Process().children(), apart._end

    def pressed_again(child):
        os.kill(os.getpid(), signal.SIGINT)
        return end(child)

    def deaf(x, y):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.eventfd_write(BEGUN, 1)
        time.sleep(20)  # long, and not for ever: nobody might be left to end it

    monkeypatch.setattr(apart, "_end", pressed_again)
    try:
        check("0.1", deaf)
    except KeyboardInterrupt:  # it would end all tests, not this one
        pytest.fail("the press went through")
    assert "ignored the stop signal" in shown[-1]
    assert Process().children() == before
    with pytest.raises(KeyboardInterrupt):  # a check gives the button back
        os.kill(os.getpid(), signal.SIGINT)


@forks
def test_who_presses_on_waits_no_longer(shown, monkeypatch):
    """Catches a grace that begins anew with every press."""
    monkeypatch.setattr(apart, "GRACE", 0.3)

    def deaf(x, y):
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        for _ in range(400):
            os.kill(os.getppid(), signal.SIGINT)  # the reader's finger
            time.sleep(0.05)

    start = time.monotonic()
    check("0.1", deaf)
    assert "ignored the stop signal" in shown[-1]
    assert time.monotonic() - start < 10


@forks
def test_an_answer_may_not_take_all_memory(shown):
    """Catches a list without end that takes what the lecture and the desktop need."""
    check("0.1", lambda x, y: bytearray(2 * apart.MORE_MEMORY))
    assert "MemoryError" in shown[-1]


LOW_LIMIT = """
import os, resource
from pathlib import Path
from course_utils.checks import check
from course_utils.checks.find_exercise import find
exercise = find("0.1")[1]
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (256 << 20),) * 2)
check("0.1", lambda *given: os._exit(0))
check("0.1", exercise.reference)
"""


@forks
def test_a_machine_with_a_limit_of_its_own_judges_as_well():
    """Catches: on a login node (`ulimit -v`) every right answer "ends Python itself", or one that
    does is judged in the lecture."""
    where = {**os.environ, "COURSE_PROGRESS": "off"}
    ran = subprocess.run([sys.executable, "-c", LOW_LIMIT], env=where, capture_output=True)
    ends, correct = ran.stdout.decode().splitlines()
    assert "ends Python itself" in ends
    assert correct.startswith("✓ Exercise 0.1: Correct")


@forks
def test_a_copy_that_cannot_be_made_ready_is_not_the_answers_fault(shown, monkeypatch):
    """Catches: "your function ends Python itself" where the system does not let us prepare."""

    def refuses():
        raise FileNotFoundError("/proc is not mounted here")

    monkeypatch.setattr(apart, "_limit_memory", refuses)
    check("0.1", EXERCISE.reference)
    assert shown[-1].startswith("✓ Exercise 0.1")


@forks
def test_what_an_answer_prints_is_shown_once_and_where_it_belongs(shown, capfd):
    """Catches lost printing, and lines that go round the page into the server's log."""

    def talks(x, y):
        print("here I am")
        os.write(1, b"in the log")
        return x + y

    check("0.1", talks)
    assert capfd.readouterr().out == "here I am\n"


@forks
def test_a_copy_is_never_left_over():
    """Catches processes that stay behind, one a check."""
    before = Process().children()  # torch.compile's, when it ran in this process
    for answer in (EXERCISE.reference, exits_at_once):
        judge_safely(EXERCISE, answer, print)
    assert Process().children() == before


@forks
def test_autograd_works_in_the_copy_after_it_was_used(monkeypatch):
    """Catches a fork that PyTorch does not survive: threads, autograd, large products."""
    monkeypatch.setattr(apart, "LIMIT", 10.0)
    threads = torch.get_num_threads()
    torch.set_num_threads(2)  # a pool, of which the copy inherits nothing but the memory
    a = torch.randn(300, 300, requires_grad=True)
    (a @ a).sum().backward()

    def large(x, y):
        w = torch.ones(300, 300, requires_grad=True)
        (w @ w).sum().backward()
        return x + y + 0 * w.grad[0, 0]

    try:
        assert judge_safely(EXERCISE, large, print).kind == "ok"
    finally:
        torch.set_num_threads(threads)


@forks
def test_the_kernel_never_sees_what_the_copy_does():
    """Catches a fork that is not one: globals of the lecture changed by an answer."""
    seen = []

    def answer(x, y):
        seen.append(1)
        return x + y

    assert judge_safely(EXERCISE, answer, print).kind == "ok"
    assert not seen
    with contextlib.suppress(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
