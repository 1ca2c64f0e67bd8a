"""Lecture 07: draw a character, smooth counts, split without a leak, find a unit and its luck."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import torch
from torch import Tensor, nn

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception


def draw_character(logits: Tensor, temperature: float, point: float) -> int:
    """Return the number of the character that `point` in [0, 1) falls on."""
    return _drawn(_tempered(logits, temperature), point)


def smoothed(text: str, context: str, sign: str, V: int, alpha: float) -> float:
    """Return the add-alpha estimate of p(sign | context), counted in a text."""
    return _smoothed_by(_ends_of, _followed)(text, context, sign, V, alpha)


def split_packages(names: Sequence[str], share: float) -> tuple[list[str], list[str]]:
    """Return modules to learn from and to test on: whole packages, the last ones held out."""
    return _split_by(lambda name: name.split("/")[0])(names, share)


def unit_and_luck(
    choose: Tensor, choose_marks: Tensor, report: Tensor, report_marks: Tensor, shifts: Sequence
) -> dict[str, float]:
    """Return the unit that is chosen, what it scores on new text, and what luck reaches there."""
    return _searched(choose, choose_marks, report, report_marks, shifts)


def pick_threshold(
    valid: Tensor, valid_marks: Tensor, test: Tensor, test_marks: Tensor
) -> tuple[float, float]:
    """Return the threshold that is right most often on `valid`, and how often it is on `test`."""
    best = _best_threshold(valid, valid_marks)
    return best, _right(test, test_marks, best)


def read_with(model: Callable, number: dict[str, int], text: str) -> Tensor:
    """Return what a batch_first model gives for a text, one row, one character a step."""
    return model(torch.tensor([[number.get(sign, 0) for sign in text]]))


def what_a_cell_means() -> dict[str, str]:
    """Return what the measurements say of each statement."""
    return {
        "A": "shown",
        "B": "open",
        "C": "refuted",
        "D": "open",
        "E": "refuted",
    }


def _tempered(logits: Tensor, temperature: float) -> Tensor:
    if temperature == 0:
        return torch.zeros_like(logits).index_fill_(0, logits.argmax(), 1.0)
    return (logits / temperature).softmax(dim=0)


def _drawn(p: Tensor, point: float) -> int:
    below = int((p.cumsum(0) <= point).sum())
    return min(below, len(p) - 1)


def _rule(tempered: Callable, pick: Callable = _drawn) -> Callable:
    def draw(logits: Tensor, temperature: float, point: float) -> int:
        if temperature == 0:
            return int(logits.argmax())
        return pick(tempered(logits, temperature), point)

    return draw


def _rounded_up(p: Tensor, point: float) -> int:
    return min(int((p.cumsum(0) <= point).sum()) + 1, len(p) - 1)


def _from_the_largest(p: Tensor, point: float) -> int:
    order = p.argsort(descending=True)
    return int(order[_drawn(p[order], point)])


def _ends_of(text: str, context: str) -> list[int]:
    """Return where each occurrence of the context ends and something follows."""
    n = len(context)
    return [k + n for k in range(len(text) - n) if text[k : k + n] == context]


def _all_ends(text: str, context: str) -> list[int]:
    n = len(context)
    return [k + n for k in range(len(text) - n + 1) if text[k : k + n] == context]


def _apart_ends(text: str, context: str) -> list[int]:
    """Return what str.count counts: occurrences that do not overlap."""
    found, k = [], 0
    while (k := text.find(context, k)) >= 0:
        found.append(k + len(context))
        k += len(context)
    return [end for end in found if end < len(text)]


def _ends_within_lines(text: str, context: str) -> list[int]:
    """Return what a regular expression's dot counts: a newline is no character to it."""
    return [end for end in _ends_of(text, context) if text[end] != "\n"]


def _followed(text: str, ends: Sequence[int], sign: str) -> int:
    return sum(text[end : end + 1] == sign for end in ends)


def _smoothed_by(
    ends_of: Callable, followed: Callable, over: float | None = None, add: float = 1.0
) -> Callable:
    def smooth(text: str, context: str, sign: str, V: int, alpha: float) -> float:
        ends = ends_of(text, context)
        kinds = V if over is None else over
        if over is not None and over < 0:
            kinds = len(set(text))
        return (followed(text, ends, sign) + add * alpha) / (len(ends) + kinds * alpha)

    return smooth


def _unsmoothed(text: str, context: str, sign: str, V: int, alpha: float) -> float:
    ends = _ends_of(text, context)
    return _followed(text, ends, sign) / len(ends) if ends else 0.0


def _split_by(key: Callable, by_packages: bool = False, reverse: bool = True) -> Callable:
    def split(names: Sequence[str], share: float) -> tuple[list[str], list[str]]:
        packages = sorted({key(name) for name in names}, reverse=reverse)
        held: set[str] = set()
        for package in packages:
            count = len(held) / len(packages)
            if not by_packages:
                count = sum(key(name) in held for name in names) / len(names)
            if count >= share:
                break
            held.add(package)
        train = [name for name in names if key(name) not in held]
        return train, [name for name in names if key(name) in held]

    return split


def _last_modules(names: Sequence[str], share: float) -> tuple[list[str], list[str]]:
    held = -(-round(share * len(names) * 1000) // 1000)
    return list(names[: len(names) - held]), list(names[len(names) - held :])


def _every_nth(names: Sequence[str], share: float) -> tuple[list[str], list[str]]:
    step = round(1 / share)
    return [n for k, n in enumerate(names) if k % step], list(names[::step])


def _area(values: Tensor, marks: Tensor, tie: float = 0.5) -> float:
    high, low = values[marks][:, None], values[~marks]
    return ((high > low).double() + tie * (high == low)).mean().item()


def _areas(values: Tensor, marks: Tensor) -> Tensor:
    return torch.tensor([_area(column, marks) for column in values.T])


def _strength(values: Tensor, marks: Tensor) -> Tensor:
    return 0.5 + (_areas(values, marks) - 0.5).abs()


def _searched(
    choose: Tensor,
    choose_marks: Tensor,
    report: Tensor,
    report_marks: Tensor,
    shifts: Sequence,
    chosen_on: str = "choose",
    reported_on: str = "report",
    luck: Callable = max,
    both: bool = True,
    chosen: bool = True,
) -> dict[str, float]:
    texts = {"choose": (choose, choose_marks), "report": (report, report_marks)}
    values, marks = texts[chosen_on]
    shown, shown_marks = texts[reported_on]
    unit = int(_strength(values, marks).argmax())
    side = _areas(values, marks)[unit] >= 0.5
    if not both:
        unit, side = int(_areas(values, marks).argmax()), torch.tensor(True)
    found = []
    for shift in shifts:
        strength = _strength(values, marks.roll(shift))
        best = int(strength.argmax()) if chosen else unit
        found.append(_turned(shown, shown_marks.roll(shift), best, values, marks.roll(shift)))
    score = _area(shown[:, unit], shown_marks)
    return {"unit": unit, "area": score if side else 1 - score, "luck": luck(found)}


def _turned(
    shown: Tensor, shown_marks: Tensor, unit: int, chosen: Tensor, chosen_marks: Tensor
) -> float:
    area = _area(shown[:, unit], shown_marks)
    return area if _area(chosen[:, unit], chosen_marks) >= 0.5 else 1 - area


def _mean(found: Sequence[float]) -> float:
    return sum(found) / len(found)


def _right(values: Tensor, marks: Tensor, threshold: float, strict: bool = False) -> float:
    said = values > threshold if strict else values >= threshold
    return (said == marks).double().mean().item()


def _best_threshold(values: Tensor, marks: Tensor, strict: bool = False) -> float:
    """Return the value, as a threshold, that is right most often; the smallest of several."""
    options = sorted(set(values.tolist()))
    return max(options, key=lambda option: (_right(values, marks, option, strict), -option))


def _threshold_rule(choose: Callable, report: Callable) -> Callable:
    def pick(
        valid: Tensor, valid_marks: Tensor, test: Tensor, test_marks: Tensor
    ) -> tuple[float, float]:
        best = choose(valid, valid_marks, test, test_marks)
        return best, report(valid, valid_marks, test, test_marks, best)

    return pick


def _on_test(valid: Tensor, valid_marks: Tensor, test: Tensor, test_marks: Tensor, best: float):
    return _right(test, test_marks, best)


def _search_cases() -> list[tuple]:
    """Return texts of which one has a unit that is low at marks, and a better-looking one."""
    cases = []
    for T, H, seed in ((12, 3, 1), (18, 5, 2), (24, 7, 3)):
        marks = torch.arange(T) % 5 < 2
        other = torch.arange(T + 4) % 7 < 3
        choose, report = some(T, H, seed=seed), some(T + 4, H, seed=seed + 9)
        choose[:, H // 2] -= 2.0 * marks  # low where marked
        report[:, H // 2] -= 0.7 * other
        report[:, 0] += 3.0 * other  # would win if it were allowed to choose here
        cases.append((choose, marks, report, other, [2, 3, 5]))
    return cases


def _threshold_cases() -> list[tuple]:
    """Return a text with two equally good thresholds, the larger first, and three others."""
    tie = torch.tensor([3.0, 0.0, 1.0, 2.0]), torch.tensor([True, False, True, False])
    cases: list[tuple] = [(*tie, torch.tensor([1.5, 2.5, 3.5]), torch.tensor([True, True, False]))]
    for valid_size, test_size, seed in ((6, 5, 1), (11, 7, 2), (17, 13, 3)):
        marks = torch.arange(valid_size) % 3 == 0
        test_marks = torch.arange(test_size) % 2 == 0
        valid = (some(valid_size, seed=seed) + 1.2 * marks).mul(10).round() / 10
        test = (some(test_size, seed=seed + 5) + 0.8 * test_marks - 0.4).mul(10).round() / 10
        cases.append((valid, marks, test, test_marks))
    return cases


class _Letters(nn.Module):
    """A reader's model: numbers (1, T) in, states (1, T, H) out; anything else reads otherwise."""

    def __init__(self, V: int, H: int):
        super().__init__()
        with torch.random.fork_rng(devices=()):  # a module is imported: it draws from its own
            torch.manual_seed(V)
            self.letters, self.rnn = nn.Embedding(V, 3), nn.GRU(3, H, batch_first=True)

    def forward(self, numbers: Tensor) -> Tensor:
        states: Tensor = self.rnn(self.letters(numbers))[0].detach()
        return states


NAMES = [
    "json/decoder.py", "json/encoder.py", "email/header.py", "email/message.py", "email/utils.py",
    "ast.py", "heapq.py", "xml/sax.py", "xml/dom.py", "cmd.py",
]  # fmt: skip

EXERCISES = (
    Exercise(
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
        ],
        misconceptions=(
            Misconception(
                "the last modules",
                _last_modules,
                "You cut the list of modules: a package with modules on both sides of the cut is "
                "read in training and asked for in the test.",
            ),
            Misconception(
                "every nth module",
                _every_nth,
                "Every nth module is held out: its neighbours in the same package, which share "
                "its names and its style, are in training.",
            ),
            Misconception(
                "modules sorted, not packages",
                _split_by(lambda name: name),
                "You hold out single modules, the last in the alphabet. Hold out their packages.",
            ),
            Misconception(
                "a share of the packages",
                _split_by(lambda name: name.split("/")[0], by_packages=True),
                "You hold out a share of the packages. Asked for is a share of the modules: "
                "packages have different sizes.",
            ),
            Misconception(
                "the first packages",
                _split_by(lambda name: name.split("/")[0], reverse=False),
                "You hold out the first packages of the alphabet. Asked for are the last.",
            ),
            Misconception(
                "training and test exchanged",
                lambda names, share: split_packages(names, share)[::-1],
                "The two lists are exchanged: first what is learned from.",
            ),
        ),
        hints=(
            "What do two modules of one package share? The part of the path before the slash.",
            "Take packages from the end of the alphabet until they hold enough modules.",
            "held grows package by package, in reverse alphabetical order, while the modules in "
            "it are fewer than share * len(names).",
        ),
    ),
    Exercise(
        number="7.2",
        task="smooth a count",
        reference=smoothed,
        takes="text, context, sign: strings; V: how many characters there are; alpha: a number",
        gives="a probability",
        example=("abab", "a", "b", 4, 1.0),
        cases=lambda: [
            ("abab", "a", "c", 4, 1.0),
            ("aaab aab", "aa", "a", 5, 0.5),
            ("x = (y)\nz = (x", "x", "=", 30, 0.1),
            ("abcabcab", "ab", "c", 7, 0.25),
            ("abc", "q", "a", 11, 2.0),
            ("ab\nabc\nab\nab", "ab", "c", 9, 0.5),
            ("f(a.b).c(d)", ").", "c", 12, 0.2),
        ],
        misconceptions=(
            Misconception(
                "not smoothed",
                _unsmoothed,
                "That is the bare share: what was never seen gets 0, and one such character makes "
                "the whole text impossible.",
            ),
            Misconception(
                "alpha below only once",
                _smoothed_by(_ends_of, _followed, over=1),
                "Every one of the V characters gets alpha, so below the line stand V alpha: else "
                "the probabilities sum to more than 1.",
            ),
            Misconception(
                "nothing added below",
                _smoothed_by(_ends_of, _followed, over=0),
                "You add alpha above the line and nothing below it: the probabilities sum to more "
                "than 1.",
            ),
            Misconception(
                "a context at the end counts",
                _smoothed_by(_all_ends, _followed),
                "Your context counts where the text ends with it: nothing follows there. Count "
                "only what is followed by a character.",
            ),
            Misconception(
                "overlaps are lost",
                _smoothed_by(_apart_ends, _followed),
                "str.count does not see occurrences that overlap: 'aaa' holds 'aa' twice.",
            ),
            Misconception(
                "newlines are no characters",
                _smoothed_by(_ends_within_lines, _followed),
                "A context that ends its line is followed by a character too: the newline. In a "
                "regular expression the dot misses it without re.DOTALL.",
            ),
            Misconception(
                "V of the text",
                _smoothed_by(_ends_of, _followed, over=-1),
                "You count the characters that occur in this text. V is given: characters that "
                "the text lacks can come too.",
            ),
            Misconception(
                "nothing added above",
                _smoothed_by(_ends_of, _followed, add=0.0),
                "Alpha stands below the line only: what was never seen still gets 0.",
            ),
        ),
        hints=(
            "How often does something follow the context, and how often is it this sign?",
            "Walk over all places k with text[k : k + n] == context and a character after it.",
            "(count of context + sign + alpha) / (count of context with a follower + V * alpha)",
        ),
    ),
    Exercise(
        number="7.3",
        task="draw a character at a temperature",
        reference=draw_character,
        takes="logits (V,), temperature (0 or more), point: a number in [0, 1)",
        gives="the number of a character, from 0",
        example=(torch.tensor([1.0, 0.0, 2.0]), 1.0, 0.3),
        cases=lambda: [
            (some(V, seed=V) * 2, temperature, point)
            for V, temperature, point in (
                (3, 1.0, 0.3),
                (5, 0.5, 0.35),
                (5, 2.0, 0.35),
                (7, 0.7, 0.6),
                (7, 1.5, 0.15),
                (11, 0.4, 0.9),
                (11, 2.5, 0.5),
                (5, 0, 0.9),
                (7, 3.0, 0.0),
                (11, 0.3, 0.02),
            )
        ],
        misconceptions=(
            Misconception(
                "multiplied by the temperature",
                _rule(lambda logits, t: (logits * t).softmax(0)),
                "You multiply by the temperature: a high one would make the model bolder at what "
                "it likes. Divide, so that high temperatures make everything alike.",
            ),
            Misconception(
                "temperature ignored",
                _rule(lambda logits, t: logits.softmax(0)),
                "The temperature changes nothing here: divide the logits by it before softmax.",
            ),
            Misconception(
                "always the likeliest",
                lambda logits, temperature, point: int(logits.argmax()),
                "That is the likeliest character, whatever the point is. Only at temperature 0 "
                "it is what is asked for.",
            ),
            Misconception(
                "probabilities divided",
                _rule(lambda logits, t: logits.softmax(0) / t),
                "You divide the probabilities: they no longer sum to 1. Divide the logits.",
            ),
            Misconception(
                "one too far",
                _rule(_tempered, _rounded_up),
                "You take the character after the one that the point falls on: the first whose "
                "running sum is above the point.",
            ),
            Misconception(
                "sorted first",
                _rule(_tempered, _from_the_largest),
                "The characters are sorted by probability, and the place in that order is "
                "returned to them: keep their own order, 0 to V - 1, so that a point means one "
                "character.",
            ),
            Misconception(
                "softmax twice",
                _rule(lambda logits, t: (logits.softmax(0) / t).softmax(0)),
                "Two softmaxes: the second takes numbers between 0 and 1 for logits, and makes "
                "all characters nearly alike.",
            ),
        ),
        hints=(
            "Make probabilities first. The running sum cuts [0, 1) into one piece a character.",
            "p = softmax(logits / temperature); the point lies in the piece of the character "
            "whose running sum is the first above it.",
            "At temperature 0 return the argmax; else count how many of p.cumsum(0) are <= point.",
        ),
    ),
    Exercise(
        number="7.4",
        task="a unit, and the level of luck",
        kind="design",
        reference=unit_and_luck,
        takes="choose (T, H), choose_marks (T,) bool, report (R, H), report_marks (R,) bool, "
        "shifts: whole numbers",
        gives='a dict {"unit": number, "area": on the text to report, "luck": the best of the '
        "shifts there}",
        example=_search_cases()[0],
        cases=_search_cases,
        misconceptions=(
            Misconception(
                "chosen where it is reported",
                partial(_searched, chosen_on="report"),
                "The unit is chosen on the text on which you report it: the best of many is "
                "flattered by luck. Choose on `choose`.",
            ),
            Misconception(
                "reported where it was chosen",
                partial(_searched, reported_on="choose"),
                "The area is that of the text that chose the unit. New text says what it is worth.",
            ),
            Misconception(
                "only units that are high",
                partial(_searched, both=False),
                "A unit that is low at marks tells as much as one that is high. Choose by the "
                "distance from 0.5, and turn the area of a low one round.",
            ),
            Misconception(
                "luck on average",
                partial(_searched, luck=_mean),
                "That is the mean of the shifts. Asked for is the best that luck reached.",
            ),
            Misconception(
                "the same unit under luck",
                partial(_searched, chosen=False),
                "Under each shift you ask the unit that the true marks chose. Luck chooses too: "
                "the whole search runs again, its unit chosen under the shifted marks.",
            ),
        ),
        hints=(
            "One search: areas of all units on `choose`, the one farthest from 0.5, its area on "
            "`report`. Then the same search with other marks.",
            "An area below 0.5 on `choose` means that the unit is low at marks: report 1 - area.",
            "For each shift roll both rows of marks by it, search again, keep the area; luck is "
            "the largest.",
        ),
    ),
    Exercise(
        number="7.5",
        task="a threshold, chosen on the right split",
        reference=pick_threshold,
        takes="valid, test: one unit's values; valid_marks, test_marks: bool",
        gives="(threshold, share of test characters that `value >= threshold` says rightly)",
        example=(
            torch.tensor([0.0, 1.0, 2.0]),
            torch.tensor([False, True, True]),
            torch.tensor([0.5, 1.5]),
            torch.tensor([True, True]),
        ),
        cases=_threshold_cases,
        misconceptions=(
            Misconception(
                "chosen on the test",
                _threshold_rule(lambda v, m, t, n: _best_threshold(t, n), _on_test),
                "You choose the threshold on the test text: then nothing is left that could say "
                "how good it is on new text.",
            ),
            Misconception(
                "reported on the validation text",
                _threshold_rule(
                    lambda v, m, t, n: _best_threshold(v, m),
                    lambda v, m, t, n, best: _right(v, m, best),
                ),
                "The threshold is right, the share is that of the text that chose it.",
            ),
            Misconception(
                "zero",
                _threshold_rule(lambda v, m, t, n: 0.0, _on_test),
                "Zero is a threshold that nobody measured. Try every value of `valid`.",
            ),
            Misconception(
                "between the means",
                _threshold_rule(
                    lambda v, m, t, n: ((v[m].mean() + v[~m].mean()) / 2).item(), _on_test
                ),
                "The middle between two means is not where the fewest mistakes are. Try every "
                "value of `valid` and count.",
            ),
            Misconception(
                "above, not at",
                _threshold_rule(
                    lambda v, m, t, n: _best_threshold(v, m, strict=True),
                    lambda v, m, t, n, best: _right(t, n, best, strict=True),
                ),
                "You ask value > threshold. Asked for is value >= threshold.",
            ),
            Misconception(
                "the largest of several",
                _threshold_rule(
                    lambda v, m, t, n: max(
                        sorted(set(v.tolist()), reverse=True), key=lambda o: _right(v, m, o)
                    ),
                    _on_test,
                ),
                "Several thresholds are equally good. Take the smallest of them.",
            ),
            Misconception(
                "both texts together",
                _threshold_rule(
                    lambda v, m, t, n: _best_threshold(torch.cat([v, t]), torch.cat([m, n])),
                    _on_test,
                ),
                "The test text takes part in the choice. Keep it out until the end.",
            ),
        ),
        hints=(
            "Which text may you look at while you choose?",
            "Every value of `valid` is a candidate; of several that are equally good, the "
            "smallest.",
            "best = max(sorted(set(valid.tolist())), key=lambda t: right(valid, valid_marks, t))",
        ),
    ),
    Exercise(
        number="7.6",
        task="what does the evidence allow?",
        kind="judge",
        gives='a dict {"A": "shown", "B": ...}',
        reference=what_a_cell_means,
        cases=lambda: [()],
        choices=("shown", "refuted", "open"),
        misconceptions=(),
        reasons={
            ("A", "refuted"): "A: its area on text that did not choose it is far above the best "
            "that luck found.",
            ("A", "open"): "A: 'can be read' asks for no more than an area on new text, above "
            "luck. Both were measured.",
            ("B", "shown"): "B: 'needs' asks what happens without the cell. An area is measured "
            "with it in place.",
            ("B", "refuted"): "B: nothing was held or silenced in this table.",
            ("C", "shown"): "C: look at the last row: most units follow no label.",
            ("C", "open"): "C: the last row counts them, and one that follows nothing is enough.",
            ("D", "shown"): "D: the labels are ours. What we did not ask for may be what it says.",
            ("D", "refuted"): "D: following none of our labels is no proof of a meaning either.",
            ("E", "shown"): "E: the n-gram's row is at chance beyond its memory.",
            ("E", "open"): "E: its row was measured, at distances beyond its memory: chance.",
        },
        hints=(
            "Look at the small words: can be read, needs, every, nothing.",
            "'Every' falls with one case; what was not tried stays open.",
            "One is shown, two are refuted, two are open.",
        ),
    ),
    Exercise(
        number="7.7",
        task="let your own model read",
        reference=read_with,
        takes="model: batch_first, takes whole numbers (B, T); number: a dict from characters to "
        "numbers; text",
        gives="what the model returns, (1, T, H): one row, one character a step",
        example=(_Letters(4, 2), {"a": 1, "b": 2}, "ab"),
        cases=lambda: [
            (_Letters(4, 3), {"a": 1, "b": 2}, "abba"),
            (_Letters(6, 5), {"x": 1, " ": 2, "=": 3}, "x = ax"),
        ],
        misconceptions=(
            Misconception(
                "a column",
                lambda model, number, text: model(
                    torch.tensor([[number.get(sign, 0)] for sign in text])
                ),
                "This is (T, 1): for a model that is batch_first that means T texts of one "
                "character each. One row of T is [numbers].",
            ),
            Misconception(
                "no batch",
                lambda model, number, text: model(
                    torch.tensor([number.get(sign, 0) for sign in text])
                ),
                "The batch is missing: (T,) where the model takes (B, T). Put a pair of brackets "
                "around the row.",
            ),
            Misconception(
                "unknown characters left out",
                lambda model, number, text: model(
                    torch.tensor([[number[sign] for sign in text if sign in number]])
                ),
                "Characters that the dict lacks are left out, and all later ones move: a unit "
                "would be shown at the wrong place. They are number 0.",
            ),
            Misconception(
                "backwards",
                lambda model, number, text: model(
                    torch.tensor([[number.get(sign, 0) for sign in reversed(text)]])
                ),
                "The text is read from its end.",
            ),
        ),
        hints=(
            "What does your model take: (T, B) or (B, T)? How many texts are there?",
            "Numbers first: number.get(sign, 0) for every sign of the text.",
            "model(torch.tensor([numbers]))",
        ),
    ),
)
