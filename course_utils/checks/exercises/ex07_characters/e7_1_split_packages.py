"""Exercise 7.1: mend a split that leaks."""

from __future__ import annotations

from collections.abc import Sequence

from course_utils.checks.change import Change
from course_utils.checks.exercise import Exercise, Misconception
from course_utils.checks.mistakes import mistakes

NAMES = [
    "json/decoder.py", "json/encoder.py", "email/header.py", "email/message.py", "email/utils.py",
    "ast.py", "heapq.py", "xml/sax.py", "xml/dom.py", "cmd.py",
]  # fmt: skip


def split_packages(names: Sequence[str], share: float) -> tuple[list[str], list[str]]:
    """Return modules to learn from and to test on: whole packages, the last ones held out."""
    package = {name: name.split("/")[0] for name in names}
    held: set[str] = set()
    for last in sorted({*package.values()}, reverse=True):
        if sum(package[name] in held for name in names) / len(names) >= share:
            break
        held.add(last)
    train = [name for name in names if package[name] not in held]
    return train, [name for name in names if package[name] in held]


def _last_modules(names: Sequence[str], share: float) -> tuple[list[str], list[str]]:
    held = -(-round(share * len(names) * 1000) // 1000)
    return list(names[: len(names) - held]), list(names[len(names) - held :])


def _every_nth(names: Sequence[str], share: float) -> tuple[list[str], list[str]]:
    step = round(1 / share)
    return [n for k, n in enumerate(names) if k % step], list(names[::step])


EXERCISE = Exercise(
    number="7.1",
    task="mend a split that leaks",
    kind="debug",
    reference=split_packages,
    takes="names: paths such as 'email/header.py'; share: how much to hold out, at least",
    gives="two lists of names in the order given: to learn from, to test on",
    example=(["a/x.py", "a/y.py", "b.py", "c.py"], 0.3),
    cases=lambda: [
        (["a/x.py", "b/y.py", "b/z.py", "c.py"], 0.5),
        (NAMES, 0.2),
        (NAMES[::-1], 0.4),
        ([*NAMES, "json/tool.py", "zlib.py", "email/parser.py"], 0.25),
        (["os/path.py", "xml/dom/a.py", "ast.py", "xml/sax/b.py", "xml/c.py", "wave.py"], 0.2),
    ],
    hints=(
        "What do two modules of one package share? The part of the path before the slash.",
        "Take packages from the end of the alphabet until they hold enough modules.",
        "held grows package by package, in reverse alphabetical order, while the modules in it are "
        "fewer than share * len(names).",
    ),
    misconceptions=(
        Misconception(
            "the last modules",
            _last_modules,
            "You cut the list of modules: a package with modules on both sides of the cut is read "
            "in training and asked for in the test.",
        ),
        Misconception(
            "every nth module",
            _every_nth,
            "Every nth module is held out: its neighbours in the same package, which share its "
            "names and its style, are in training.",
        ),
        Misconception(
            "modules sorted, not packages",
            Change('name.split("/")[0]', "name"),
            "You hold out single modules, the last in the alphabet. Hold out their packages.",
        ),
        Misconception(
            "a share of the packages",
            Change(
                "sum(package[name] in held for name in names) / len(names)",
                "len(held) / len({*package.values()})",
            ),
            "You hold out a share of the packages. You need a share of the modules: packages "
            "have different sizes.",
        ),
        *mistakes("""
            up to the last slash
                name.split("/")[0] => name.rpartition("/")[0] or name
                Your package is everything up to the last slash. xml/dom/a.py and xml/sax/b.py both
                belong to xml, the part before the first slash: your split cuts xml in two.
            modules outside a package taken together
                name.split("/")[0] => name.partition("/")[0] if "/" in name else ""
                All modules without a slash are one package in your split. Each of them is its own.
            never more than the share
                in held for name => in held | {last} for name &&
                >= share => > share
                You stop before the share is reached. At least `share` of all modules are held out,
                so the package that crosses it goes to the test as well.
            one package too many
                >= share => > share
                You go on where the share is reached exactly: at least `share` is enough.
            the first packages
                reverse=True => reverse=False
                You hold out the first packages of the alphabet. You need the last.
        """),
        Misconception(
            "training and test exchanged",
            lambda names, share: split_packages(names, share)[::-1],
            "The two lists are swapped: first what is learned from.",
        ),
    ),
)
