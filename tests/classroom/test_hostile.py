"""No hostile answer gets a point, reaches another's files, or stops or slows anybody.

Each is a whole cell as a student could hand it in. Most are harmless where the locks hold, so what
they try is noted: a lock that does not hold makes one of them right, or leaves something behind.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
from pathlib import Path

import psutil
import pytest

from course_utils.checks.find_exercise import find
from course_utils.classroom.handin import stub_id
from course_utils.classroom.locks.held import held, missing
from course_utils.classroom.locks.limits import AFTER, REFERENCES, Allowance, lock_up, readable
from course_utils.classroom.runner.pool import pool
from course_utils.classroom.runner.questions import questions
from course_utils.classroom.runner.replay import judged
from course_utils.classroom.submission import Piece
from tests.classroom.school import processes_of, right

NUMBER, FUNCTION = "2.2", "product_of_jacobians"  # a matrix of seed and shape that nobody knows
ALLOWED = Allowance(seconds=1, wall=3.0)
JUDGING = 4  # seconds of a processor beyond what the answer itself may take
F_SETSIG = 10  # of fcntl.h
HEAD = f"def {FUNCTION}(jacobians):\n"
RIGHT = right("02")[NUMBER]
VERDICT = '{"number": "2.2", "kind": "ok", "message": "Correct"}'
REFERENCE = str(REFERENCES / "ex02_gradients" / "e2_2_product_of_jacobians.py")


def body(*lines: str) -> str:
    """Return the function with these lines."""
    return HEAD + "".join(f"    {line}\n" for line in lines)


def raw(line: str) -> str:
    """Return the function writing this line wherever it can; it may break off its quotes."""
    return body(
        "import os, json",
        "P = 2**61 - 1",  # all its multiples have the hash 0
        f"line = ('{line}').encode() + b'\\n'",
        "for file in range(3, 64):",
        "    try:",
        "        os.write(file, line)",
        "    except OSError: pass",
        "os._exit(0)",
    )


HOSTILE = {
    # pretending
    "always equal": "class Yes:\n    __eq__ = lambda a, b: True\n    __hash__ = object.__hash__\n"
    + body("return Yes()"),
    "equal float": "class Yes(float):\n    __eq__ = lambda a, b: True\n    __sub__ = __rsub__ = "
    "lambda a, b: 0.0\n" + body("return Yes(3)"),
    "lying array": "import torch\nclass Yes:\n    __array__ = lambda self, *a, **k: 1 / 0\n"
    "    shape = (5, 5)\n" + body("return Yes()"),
    "lying tensor": "import torch\nclass Yes(torch.Tensor):\n    @classmethod\n"
    "    def __torch_function__(cls, f, types, args=(), kwargs=None):\n"
    "        return torch.tensor(True)\n" + body("return torch.zeros(5, 5).as_subclass(Yes)"),
    "lying dict": "class Yes(dict):\n    __getitem__ = get = lambda *a: 1\n"
    "    __contains__ = lambda *a: True\n" + body("return Yes()"),
    "lying list": "class Yes(list):\n    __len__ = lambda s: 5\n    __iter__ = lambda s: iter([])\n"
    + body("return Yes()"),
    "lying class": "class Yes:\n    @property\n    def __class__(self):\n        import torch\n"
    "        return torch.Tensor\n" + body("return Yes()"),
    "a repr that raises": "class Yes:\n    def __repr__(self):\n        raise SystemExit\n"
    + body("return Yes()"),
    "a name that is markup": "Yes = type('<script>alert(1)</script>', (), {})\n"
    + body("return Yes()"),
    "an error that is markup": body("raise ValueError('<script>alert(1)</script>')"),
    "an error that cannot be said": "class E(Exception):\n    def __str__(self):\n"
    "        raise KeyboardInterrupt\n" + body("raise E"),
    # changing the judge
    "patched allclose": "import torch\n" + body("torch.allclose = torch.equal = lambda *a, **k: "
    "True", "torch.Tensor.__eq__ = lambda a, b: True", "return jacobians[0]"),
    "patched json": "import json\n" + body(f"json.dumps = lambda *a: {VERDICT!r}", "return 1"),
    "patched pack": body("import course_utils.classroom.runner.child as c",
                         f"c.pack = lambda *a: ['text', {VERDICT!r}]", "return 1"),
    "patched verdict": body("import course_utils.checks.judging.judge as j",
                            "j.judge = lambda *a: j.Verdict('2.2', 'ok', '')", "return 1"),
    "patched reference": body("import course_utils.checks.exercise as e",
                              "e.Exercise.reference = property(lambda s: 1)", "return 1"),
    # telling a verdict
    "a verdict to every file": body(
        "import os",
        "for file in range(64):",
        "    try:",
        f"        os.write(file, b'\\n' + {VERDICT.encode()!r} + b'\\n')",
        "    except OSError: pass",
        "os._exit(0)",
    ),
    "lines of its own": body(
        "import os, json",
        "for file in range(3, 64):",
        "    try:",
        "        os.write(file, b'{\"answer\": {\"status\": \"there\"}}\\n')",
        "        os.write(file, b'{\"is\": [\"none\"]}\\n')",
        "    except OSError: pass",
        "os._exit(0)",
    ),
    "a line of infinite place": raw('{"style": 1e999, "case": 0, "value": ["none"]}'),
    "a line of many digits": raw('{"style": 0, "case": 0, "value": ["int", "\' + "f" * 4000000 + '
                                 '\'"]}'),
    "a line of many fields": raw('{"style": 0, "case": 0, "value": ["named", \' + json.dumps(["a"]'
                                 ' * 99999) + \', []]}'),
    "a line of numbers that collide": raw(  # a set of them takes hours
        '{"is": ["set", [\' + ",".join(f\'["int", "{k * P:x}"]\' for k in range(2 * 10**5))'
        " + ']]}"),
    "a line of many kinds": raw(  # a megabyte of classes for ten letters each
        '{"is": ["list", [\' + ",".join(f\'["other", "k{k}"]\' for k in range(3 * 10**5)) + \']]}'),
    "lines of places that collide": raw(
        '\' + "\\n".join(f\'{{"style": {k * P}, "case": 0}}\' for k in range(10**5)) + \''),
    "a line of no answer": raw('{"answer": 3, "flags": 3}'),
    "asks and never listens": body(
        "import os",
        "for _ in range(3000):",
        "    os.write(4, b'{\"ask\": 0, \"with\": [\"none\"], \"x\": \"' + b'x' * 99 + b'\"}\\n')",
        "return jacobians[0]"),
    "a deep line": body("import os", "os.write(4, b'[' * 100000 + b'\\n')", "return 1"),
    "no line at all": body("import os", "os._exit(0)"),
    "an exit": body("raise SystemExit(0)"),
    "an exit above": "import sys\nsys.exit(0)\n" + body("return 1"),
    # looking
    "reads the reference": body(
        f"path, space = {REFERENCE!r}, {{}}",
        "exec(open(path).read(), space)",
        f"return space[{FUNCTION!r}](jacobians)",
    ),
    "imports the reference": "from course_utils.checks.find_exercise import find\n"
    + body(f"return find({NUMBER!r})[1].reference(jacobians)"),
    "asks the solutions": "import sys\n" + body("sys.path.insert(0, 'ROOT')",
        "from solutions.ex02_gradients import product_of_jacobians as p", "return p(jacobians)"),
    "reads its neighbours": body("import os", "return os.listdir('/proc')"),
    "reads the parent": body("import os", "return open(f'/proc/{os.getppid()}/mem','rb').read(9)"),
    "reads a submission": body("return open('SCRATCH/theirs').read()"),
    "walks through frames": body(
        "import sys", "frame = sys._getframe()",
        "while frame:",
        "    for value in list(frame.f_locals.values()):",
        "        if hasattr(value, 'reference') and value.reference.__name__ != '_nothing':",
        "            return value.reference(jacobians)",
        "    frame = frame.f_back", "return 1"),
    "searches the heap": body(
        "import gc",
        "for value in gc.get_objects():",
        "    if getattr(value, '__name__', '') == 'product_of_jacobians' and 'exercises' in "
        "str(getattr(value, '__module__', '')):",
        "        return value(jacobians)", "return 1"),
    # reaching out
    "writes a file": body("open('SCRATCH/mine', 'w').write('x')", "return jacobians[0]"),
    "deletes a file": body("import os", "os.remove('SCRATCH/theirs')", "return jacobians[0]"),
    "changes a mode": body("import os", "os.chmod('SCRATCH/theirs', 0)", "return jacobians[0]"),
    "connects": body("import socket", "socket.create_connection(('127.0.0.1', 9), 1)"),
    "starts a program": body("import subprocess", "subprocess.run(['touch', 'SCRATCH/mine'])"),
    "a system call": body("import os", "return os.system('touch SCRATCH/mine')"),
    "kills its parent": body("import os", "os.kill(os.getppid(), 9)", "return jacobians[0]"),
    "kills its group": body("import os", "os.killpg(0, 9)", "return jacobians[0]"),
    "slows its grader": body("import os", "os.sched_setaffinity(os.getppid(), {0})",
        "os.sched_setscheduler(os.getppid(), os.SCHED_IDLE, os.sched_param(0))"),
    "a file that kills": body("import fcntl, os", "fcntl.fcntl(4, fcntl.F_SETOWN, os.getppid())",
        "fcntl.fcntl(4, 10, 9)", "fcntl.fcntl(4, fcntl.F_SETFL, os.O_ASYNC)", "return 1"),
    "takes its limits off": body("import resource",
        "resource.setrlimit(resource.RLIMIT_CPU, (99, 99))", "while True: pass"),
    "a daemon": body("import os, time",
        "if os.fork() == 0:", "    os.setsid(); time.sleep(60)", "return jacobians[0]"),
    "a fork bomb": body("import os", "while True: os.fork()"),
    "a daemon by clone": body("import ctypes",
        "if ctypes.CDLL(None).fork() == 0:", "    while True: pass", "return jacobians[0]"),
    # taking
    "an endless loop": body("while True: pass"),
    "an endless loop that listens to nobody": body("while True:", "    try:", "        while True: "
        "pass", "    except BaseException: pass"),
    "an endless loop in C": body("return sum(iter(int, 1))"),
    "sleeps": body("import time", "time.sleep(600)"),
    "all memory": body("return [bytearray(1 << 28) for _ in range(100)]"),
    "endless recursion": body("return product_of_jacobians(jacobians)"),
    "recursion in C": body("import sys", "sys.setrecursionlimit(10**9)", "x = []",
        "for _ in range(10**6): x = [x]", "return repr(x)"),
    "ends itself": body("import ctypes", "ctypes.string_at(0)"),
    "a gigabyte of print": body("for _ in range(200): print('x' * 10**6)", "return 1"),
    "a gigabyte into files": body("import os", "for f in range(64):", "    try:",
        "        for _ in range(100): os.write(f, b'x' * 10**6)", "    except OSError: pass",
        "return 1"),
    "a value too large": body("import torch", "return torch.zeros(3000, 3000)"),
    "a value too deep": body("x = []", "for _ in range(1000): x = [x]", "return x"),
    "a value in itself": body("x = []", "x.append(x)", "return x"),
    "a number too large": body("return 10 ** 100000"),
    "endless values": body("class E(dict):", "    def items(self):",
        "        while True: yield 1, 1", "return E()"),
    "threads": body("import threading", "for _ in range(10**5): threading.Thread(target=lambda: "
        "__import__('time').sleep(9)).start()", "return 1"),
    "a thread that writes on": body("import threading, os", "def on():", "    while True:",
        "        os.write(4, b'x')", "threading.Thread(target=on).start()", "return 1"),
    # cells that are hard to read
    "brackets": "(" * 4000,
    "signs": "x = " + "-" * 50000 + "1",
    "a null": "x = 1\x00",
    "deep code": "x = " + "[" * 90 + "]" * 90 + "\n" + body("return x"),
    "a long sum": "x = " + "+".join(["1"] * 20000) + "\n" + body("return x"),
}  # fmt: skip


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Judge every hostile answer, and a right one after each few; return what came of them."""
    if no := missing(held()):
        pytest.skip(f"this machine does not lock {', '.join(no)}")
    scratch = tmp_path_factory.mktemp("scratch")
    (scratch / "theirs").write_text("somebody else's")
    asked = questions(find(NUMBER)[1], seed=77)
    texts = {**HOSTILE, **{f"right {k}": RIGHT for k in range(4)}}
    jobs = [
        asked.job(name, [Piece(stub_id(NUMBER), "code", _placed(text, scratch), True)],
                  stub_id(NUMBER))
        for name, text in texts.items()
    ]  # fmt: skip
    found = {}
    with pool(["import torch"], workers=1, allowed=ALLOWED) as opened:
        warm = psutil.Process(opened.workers[0].process.pid)
        start = _used(warm)
        for job, told in opened.run(jobs):
            verdict = judged(asked, told)
            found[job.key] = verdict, _used(warm) - start
            start = _used(warm)
        workers = [worker.process.poll() for worker in opened.workers]
    return found, scratch, workers


def _used(warm: psutil.Process) -> float:
    """Return the processor's seconds that judging took so far, here and in judged processes."""
    theirs = warm.cpu_times()
    return sum(os.times()[:4]) + theirs.children_user + theirs.children_system


def _placed(text: str, scratch: Path) -> str:
    return text.replace("SCRATCH", str(scratch)).replace("ROOT", str(REFERENCES.parents[3]))


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_answer_gets_nothing(ran, name):
    """Catches a way to a point without an answer, and one that costs others their time."""
    (verdict, seconds) = ran[0][name]
    assert verdict.kind in ("wrong", "error", "stopped", "not attempted")
    assert seconds < ALLOWED.seconds + AFTER + JUDGING


def test_right_answers_beside_them_are_right(ran):
    """Catches a hostile answer that spoils the process in which the next ones run."""
    assert {ran[0][f"right {k}"][0].kind for k in range(4)} == {"ok"}
    assert ran[2] == [None]


CALLS = {
    "an affinity": lambda file: os.sched_setaffinity(os.getppid(), os.sched_getaffinity(0)),
    "a policy": lambda file: os.sched_setparam(os.getppid(), os.sched_param(0)),
    "an owner": lambda file: fcntl.fcntl(file, fcntl.F_SETOWN, os.getppid()),
    "a signal": lambda file: fcntl.fcntl(file, F_SETSIG, signal.SIGTERM),
    "a lease": lambda file: fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK),
    "a host's name": lambda file: socket.sethostname(socket.gethostname()),
}


@pytest.mark.parametrize("name", CALLS)
def test_no_call_reaches_another_process(ran, name):
    """Catches a grader that is slowed or ended by other means than a signal."""
    reading, writing = os.pipe()
    with open(__file__) as file:
        child = os.fork()
        if child == 0:
            try:
                lock_up(ALLOWED, readable())
                CALLS[name](file.fileno())
            except PermissionError:
                os.write(writing, b"refused")
            finally:
                os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with open(reading, "rb") as pipe:
        assert pipe.read() == b"refused"


def test_nothing_is_left_behind(ran):
    """Catches a file written, deleted or changed, and a process that outlives its answer."""
    (theirs,) = ran[1].iterdir()
    assert theirs.read_text() == "somebody else's"
    assert theirs.stat().st_mode & 0o400
    assert processes_of(os.getpid()) == []
