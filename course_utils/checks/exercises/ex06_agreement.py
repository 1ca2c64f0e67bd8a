"""Lecture 06: tests that cannot be passed by luck, and evidence that a unit carries number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor

from course_utils.checks.cases import some
from course_utils.checks.exercise import Exercise, Misconception

Forms = tuple[str, str]  # singular, plural
Pair = tuple[str, str]  # subject, verb
CONDITIONS = ("SS", "SP", "PS", "PP")


def minimal_pairs(subject: Forms, attractor: Forms, verb: Forms) -> dict[str, tuple[str, str, str]]:
    """Return for every condition the beginning, the right form of the verb, the wrong one."""
    return _pairs_agreeing_with(0)(subject, attractor, verb)


def find_leaks(train: Sequence[Pair], test: Sequence[Pair], base: Mapping[str, str]) -> list[int]:
    """Return the places in `test` whose subject and verb stand together in `train`, in any form."""
    seen = {(base[subject], base[verb]) for subject, verb in train}
    return [n for n, (subject, verb) in enumerate(test) if (base[subject], base[verb]) in seen]


def same_bag(words: Sequence[str], number: str) -> tuple[list[str], str]:
    """Return a beginning of the same words whose subject has the other number, and that number."""
    return _exchanged(words), _other(number)


def accuracy_by_condition(conditions: Sequence[str], margins: Tensor) -> dict[str, float]:
    """Return the share of right answers in every condition; where neither form wins, a half."""
    return _shares(lambda margin: (margin > 0) + 0.5 * (margin == 0))(conditions, margins)


def drop_with_control(choose: Tensor, report: Tensor) -> dict[str, float]:
    """Return the unit with the largest drop, its drop on other items, and the others' median."""
    return _with_control(choose, report, choose)


def push_to_plural(
    h: Tensor, W: Tensor, singular: Sequence[int], plural: Sequence[int], unit: int
) -> Tensor:
    """Return by how much a unit raises plural forms over singular ones, on average over verbs."""
    return h[unit] * (W[plural, unit] - W[singular, unit]).mean()


def what_the_evidence_allows() -> dict[str, str]:
    """Return what the four measurements say of each statement."""
    return {
        "A": "shown",
        "B": "refuted",
        "C": "refuted",
        "D": "refuted",
        "E": "open",
        "F": "open",
    }


def _pairs_agreeing_with(noun: int, swap: bool = False, order: tuple[int, int] = (0, 1)):
    def pairs(subject: Forms, attractor: Forms, verb: Forms) -> dict[str, tuple[str, str, str]]:
        found = {}
        for condition in CONDITIONS:
            numbers = ["SP".index(number) for number in condition]
            nouns = (subject[numbers[0]], attractor[numbers[1]])
            beginning = f"the {nouns[order[0]]} near the {nouns[order[1]]}"
            right = numbers[noun]
            forms = (verb[right], verb[1 - right])
            found[condition] = (beginning, *(forms[::-1] if swap else forms))
        return found

    return pairs


def _leaks_by(seen: Callable, ask: Callable) -> Callable:
    """Return a search that asks for each test pair whether it is among what training has."""

    def search(train: Sequence[Pair], test: Sequence[Pair], base: Mapping[str, str]) -> list[int]:
        known = {seen(base, *pair) for pair in train}
        return [n for n, pair in enumerate(test) if ask(base, *pair) in known]

    return search


def _words_alone(together: Callable[[bool, bool], bool]) -> Callable:
    def search(train: Sequence[Pair], test: Sequence[Pair], base: Mapping[str, str]) -> list[int]:
        subjects, verbs = ({base[word] for word in words} for words in zip(*train, strict=True))
        return [
            n
            for n, (subject, verb) in enumerate(test)
            if together(base[subject] in subjects, base[verb] in verbs)
        ]

    return search


def _clean(train: Sequence[Pair], test: Sequence[Pair], base: Mapping[str, str]) -> list[int]:
    leaks = find_leaks(train, test, base)
    return [n for n in range(len(test)) if n not in leaks]


def _exchanged(words: Sequence[str]) -> list[str]:
    """Return the words with the two nouns, places 1 and 4, exchanged."""
    return [words[0], words[4], *words[2:4], words[1], *words[5:]]


def _other(number: str) -> str:
    return "P" if number == "S" else "S"


def _shares(right: Callable[[float], float], of: Callable | None = None) -> Callable:
    def shares(conditions: Sequence[str], margins: Tensor) -> dict[str, float]:
        found = {}
        for name in dict.fromkeys(conditions):
            own = [m for c, m in zip(conditions, margins.tolist(), strict=True) if c == name]
            found[name] = sum(map(right, own)) / (of(conditions) if of else len(own))
        return found

    return shares


def _overall(conditions: Sequence[str], margins: Tensor) -> dict[str, float]:
    return dict.fromkeys(conditions, ((margins.sign() + 1) / 2).mean().item())


def _with_control(
    by: Tensor, report: Tensor, choose: Tensor, drop: Tensor | None = None, middle=torch.median
) -> dict[str, float]:
    unit = int(by.argmax())
    others = torch.cat([report[:unit], report[unit + 1 :]])
    shown = report if drop is None else drop
    return {"unit": unit, "drop": shown[unit].item(), "others": float(middle(others))}


def _median_of_all(choose: Tensor, report: Tensor) -> dict[str, float]:
    return {**drop_with_control(choose, report), "others": report.quantile(0.5).item()}


def _lower_median_of_all(choose: Tensor, report: Tensor) -> dict[str, float]:
    return {**drop_with_control(choose, report), "others": report.median().item()}


def _drops() -> list[tuple[Tensor, Tensor]]:
    """Return drops of even numbers of units, so that the others have one in the middle."""
    cases = []
    for H in (6, 8, 12):
        choose, report = some(H, seed=H).abs() / 9, some(H, seed=H + 1).abs() / 9
        choose[H // 2], report[H // 2] = 0.5, 0.31
        report[0] = 0.62  # luck on the items that are reported
        if H == 8:
            report[H // 2] = 0.01  # and on those that chose
        cases.append((choose, report))
    return cases


BASE = {
    **dict(zip(["boys", "girl", "girls", "boy", "dogs", "dog", "cat", "cats"],
               ["boy", "girl", "girl", "boy", "dog", "dog", "cat", "cat"], strict=True)),
    **dict(zip(["sees", "see", "greets", "greet", "loves", "love", "fears", "fear"],
               ["see", "see", "greet", "greet", "love", "love", "fear", "fear"], strict=True)),
}  # fmt: skip

EXERCISES = (
    Exercise(
        number="6.1",
        task="minimal pairs in all four conditions",
        reference=minimal_pairs,
        takes="subject, attractor, verb: (singular, plural) forms each",
        gives='a dict {"SS": (beginning, right form, wrong form), "SP": ..., "PS": ..., "PP": ...}',
        example=(("key", "keys"), ("door", "doors"), ("opens", "open")),
        cases=lambda: [
            (("key", "keys"), ("door", "doors"), ("opens", "open")),
            (("man", "men"), ("mouse", "mice"), ("sees", "see")),
        ],
        misconceptions=(
            Misconception(
                "agrees with the nearest noun",
                _pairs_agreeing_with(1),
                "Your verb agrees with the noun that stands next to it. The first noun is the "
                "subject; the other is there to attract you.",
            ),
            Misconception(
                "wrong form first",
                _pairs_agreeing_with(0, swap=True),
                "Your two forms are exchanged: first the right one, then the wrong one. (A verb "
                "with an s is singular.)",
            ),
            Misconception(
                "attractor first",
                _pairs_agreeing_with(0, order=(1, 0)),
                "The subject must come first: the SUBJECT near the ATTRACTOR.",
            ),
            Misconception(
                "nearest noun and wrong form first",
                _pairs_agreeing_with(1, swap=True),
                "Two things at once: the verb agrees with the first noun, and its right form "
                "comes first.",
            ),
            Misconception(
                "only congruent conditions",
                lambda *forms: {
                    name: pair for name, pair in minimal_pairs(*forms).items() if name in "SSPP"
                },
                "SP and PS are missing: without them a model that asks the nearest noun is "
                "always right.",
            ),
            Misconception(
                "only incongruent conditions",
                lambda *forms: {
                    name: pair
                    for name, pair in minimal_pairs(*forms).items()
                    if name in ("SP", "PS")
                },
                "SS and PP are missing: without them a model that contradicts the nearest noun "
                "is always right.",
            ),
            Misconception(
                "always singular first",
                lambda subject, attractor, verb: {
                    name: (beginning, *verb)
                    for name, (beginning, *_) in minimal_pairs(subject, attractor, verb).items()
                },
                "The right form comes first, and it is not the same in all conditions: where the "
                "subject is plural, so is the verb.",
            ),
            Misconception(
                "attractor's number first",
                lambda *forms: {name: minimal_pairs(*forms)[name[::-1]] for name in CONDITIONS},
                "You read SP the other way round: the subject's number comes first.",
            ),
            Misconception(
                "no determiner",
                lambda *forms: {
                    name: (beginning.replace("the ", ""), *pair)
                    for name, (beginning, *pair) in minimal_pairs(*forms).items()
                },
                "The words are right, but 'the' is missing before the nouns.",
            ),
            Misconception(
                "another determiner",
                lambda *forms: {
                    name: (beginning.replace("the ", "a "), *pair)
                    for name, (beginning, *pair) in minimal_pairs(*forms).items()
                },
                "'a' gives the number away. 'the' stands before both numbers.",
            ),
        ),
        hints=(
            "The first letter of a condition is the subject's number, the second the attractor's. "
            "Which of them decides the verb?",
            "Loop over SS, SP, PS, PP; 0 for S and 1 for P picks a form of each pair.",
            'With a, b = ["SP".index(n) for n in condition]: the beginning is '
            'f"the {subject[a]} near the {attractor[b]}", the forms verb[a], verb[1 - a].',
        ),
    ),
    Exercise(
        number="6.2",
        task="find the leak in a test set",
        kind="debug",
        reference=find_leaks,
        takes="train, test: lists of (subject, verb) as they stand in sentences; base: a dict "
        "from every form to its word",
        gives="a list of places in test, from 0, in rising order",
        example=([("boys", "see")], [("boy", "sees"), ("girl", "sees")], BASE),
        cases=lambda: [
            (
                [("boys", "see"), ("girl", "greets"), ("dog", "loves")],
                [
                    ("boy", "sees"),
                    ("girl", "sees"),
                    ("girl", "greets"),
                    ("cat", "loves"),
                    ("boys", "fear"),
                    ("dogs", "love"),
                ],
                BASE,
            ),
            (
                [("cats", "love"), ("cat", "sees"), ("dog", "greets")],
                [
                    ("boys", "greet"),
                    ("cats", "greet"),
                    ("dog", "fears"),
                    ("cat", "loves"),
                    ("dogs", "greet"),
                ],
                BASE,
            ),
        ],
        misconceptions=(
            Misconception(
                "same forms only",
                _leaks_by(lambda base, s, v: (s, v), lambda base, s, v: (s, v)),
                "You compare the forms as they stand. Who has read 'boys see' knows that boy and "
                "see go together, and 'boy sees' leaks: compare base[...].",
            ),
            Misconception(
                "subject alone, as it stands",
                _leaks_by(lambda base, s, v: s, lambda base, s, v: s),
                "You look at the subject alone, and at its form. Every noun must be known from "
                "training; the leak is the pair of subject and verb.",
            ),
            Misconception(
                "subject alone",
                _leaks_by(lambda base, s, v: base[s], lambda base, s, v: base[s]),
                "You look at the subject alone. Every noun must be known from training; the leak "
                "is the pair of subject and verb.",
            ),
            Misconception(
                "verb alone",
                _leaks_by(lambda base, s, v: base[v], lambda base, s, v: base[v]),
                "You look at the verb alone. The leak is the pair of subject and verb.",
            ),
            Misconception(
                "both, but not together",
                _words_alone(lambda subject, verb: subject and verb),
                "You ask whether both words are in training somewhere. The leak is that they "
                "stand there together.",
            ),
            Misconception(
                "either of them",
                _words_alone(lambda subject, verb: subject or verb),
                "You ask whether one of the words is in training. The leak is that both stand "
                "there together.",
            ),
            Misconception(
                "the clean ones",
                _clean,
                "These are the items without a leak. Asked for are those with one.",
            ),
            Misconception(
                "the pairs themselves",
                lambda train, test, base: [test[n] for n in find_leaks(train, test, base)],
                "These are the right pairs. Asked for are their places in test.",
            ),
            Misconception(
                "how many",
                lambda train, test, base: len(find_leaks(train, test, base)),
                "That is how many leak. Asked for is which: their places in test.",
            ),
            Misconception(
                "yes or no for each",
                lambda train, test, base: [
                    n in find_leaks(train, test, base) for n in range(len(test))
                ],
                "Right, item by item. Asked for are the places where this is True.",
            ),
            Misconception(
                "words against forms",
                _leaks_by(lambda base, s, v: (s, v), lambda base, s, v: (base[s], base[v])),
                "You turn the forms of test into words and look them up among the forms of train: "
                "base[...] is needed on both sides.",
            ),
            Misconception(
                "counted from one",
                lambda train, test, base: [n + 1 for n in find_leaks(train, test, base)],
                "The right items, counted from 1. Places start at 0.",
            ),
            Misconception(
                "places in train",
                lambda train, test, base: find_leaks(test, train, base),
                "These are the places in train. Asked for are the places in test.",
            ),
        ),
        hints=(
            "What would a model have to remember from training to answer without grammar?",
            "Make a set of (base[subject], base[verb]) of the training pairs.",
            "[n for n, (s, v) in enumerate(test) if (base[s], base[v]) in seen]",
        ),
    ),
    Exercise(
        number="6.3",
        task="a test that no bag of words can pass",
        kind="design",
        reference=same_bag,
        takes="words: the NOUN PREPOSITION the NOUN and perhaps more, the nouns of different "
        "numbers; number: S or P, that of the subject",
        gives="two values: a list of words, and the number of its subject",
        example=(["the", "keys", "near", "the", "door"], "P"),
        cases=lambda: [
            (["the", "keys", "near", "the", "door"], "P"),
            (["the", "man", "behind", "the", "dogs", "probably"], "S"),
        ],
        misconceptions=(
            Misconception(
                "nothing changed but the number",
                lambda words, number: (list(words), _other(number)),
                "The same sentence cannot have a subject of another number: the words must stand "
                "in another order.",
            ),
            Misconception(
                "nothing changed",
                lambda words, number: (list(words), number),
                "That is the question itself. Asked for is one of the same words with the other "
                "answer.",
            ),
            Misconception(
                "number kept",
                lambda words, number: (_exchanged(words), number),
                "The order is right. But now the other noun is the subject: which number has it?",
            ),
            Misconception(
                "all words reversed",
                lambda words, number: (list(words)[::-1], _other(number)),
                "The same bag, but no English. Exchange only what must be exchanged.",
            ),
            Misconception(
                "sorted",
                lambda words, number: (sorted(words), _other(number)),
                "A sorted bag is no English. Exchange only what must be exchanged.",
            ),
            Misconception(
                "one noun twice",
                lambda words, number: ([*words[:4], words[1], *words[5:]], _other(number)),
                "One noun now stands there twice: the bag has changed.",
            ),
            Misconception(
                "one noun twice, the other",
                lambda words, number: ([words[0], words[4], *words[2:]], _other(number)),
                "The second noun now stands there twice: the bag has changed.",
            ),
            Misconception(
                "the end cut off",
                lambda words, number: (
                    [*words[3:5], words[2], *words[:2]],
                    _other(number),
                ),
                "Nothing may be lost: the words after the second noun belong to the bag.",
            ),
        ),
        hints=(
            "A bag of words knows which words there are, not where. What decides the number?",
            "Which two words would you exchange so that the other noun becomes the subject?",
            "Exchange words[1] and words[4]; the number becomes the other one.",
        ),
    ),
    Exercise(
        number="6.4",
        task="accuracy in every condition",
        reference=accuracy_by_condition,
        takes="conditions: a list of N names; margins (N,): log p(right) - log p(wrong)",
        gives="a dict from every condition to a share between 0 and 1",
        example=(["SS", "SP", "SS"], torch.tensor([1.0, -2.0, 0.0])),
        cases=lambda: [
            (["SS", "SP", "SS", "PS"], torch.tensor([0.25, -2.0, 0.0, 3.0])),
            (["P", "S", "P", "S", "P"], torch.tensor([1.0, 0.0, -0.5, 0.25, 0.75])),
            (["PP", "SP", "PP", "PP"], torch.tensor([-1.0, 0.125, 0.0, 0.0])),
        ],
        misconceptions=(
            Misconception(
                "a tie is wrong",
                _shares(lambda m: m > 0),
                "Where the margin is 0 neither form wins: count a half, as a coin would get.",
            ),
            Misconception(
                "a tie is right",
                _shares(lambda m: m >= 0),
                "Where the margin is 0 neither form wins. A model that knows nothing at all would "
                "get 1: count a half.",
            ),
            Misconception(
                "turned round",
                _shares(lambda m: (m < 0) + 0.5 * (m == 0)),
                "You count the wrong answers: right is log p(right) above log p(wrong).",
            ),
            Misconception(
                "turned round, ties too",
                _shares(lambda m: m < 0),
                "You count the wrong answers, and where neither form wins none: right is log "
                "p(right) above log p(wrong), and a tie is a half.",
            ),
            Misconception(
                "of all items",
                _shares(lambda m: (m > 0) + 0.5 * (m == 0), len),
                "You divide by the number of all items. Each condition has a number of its own.",
            ),
            Misconception(
                "counted, not divided",
                _shares(lambda m: (m > 0) + 0.5 * (m == 0), lambda conditions: 1),
                "These are counts. Divide by how many items the condition has.",
            ),
            Misconception(
                "the same for all",
                _overall,
                "Every condition gets the rate of all items. The mean hides what the conditions "
                "were made for.",
            ),
            Misconception(
                "mean of the signs",
                _shares(lambda m: (m > 0) - (m < 0)),
                "Right as 1 and wrong as -1 gives a number from -1 to 1. A share counts a wrong "
                "answer as 0.",
            ),
            Misconception(
                "mean margin",
                _shares(lambda m: m),
                "That is the mean margin: one very sure answer would outweigh many. Count right "
                "and wrong.",
            ),
        ),
        hints=(
            "For one condition: which items belong to it, and how many of them are right?",
            "Right is 1 where the margin is above 0, a half where it is 0.",
            "right = (margins > 0) + 0.5 * (margins == 0), then the mean over the items of each.",
        ),
    ),
    Exercise(
        number="6.5",
        task="an ablation with its control",
        kind="design",
        reference=drop_with_control,
        takes="choose, report (H,): how much accuracy each unit's loss costs, on two sets of items",
        gives='a dict {"unit": number, "drop": its drop on new items, "others": the median drop of '
        "the other units there}",
        example=(torch.tensor([0.0, 0.25, 0.125, 0.0]), torch.tensor([0.0, 0.5, 0.125, 0.25])),
        cases=_drops,
        misconceptions=(
            Misconception(
                "chosen where it is reported",
                lambda choose, report: _with_control(report, report, choose),
                "You choose the unit on the items on which you report it: the best of many is "
                "flattered by luck. Choose by `choose`, report by `report`.",
            ),
            Misconception(
                "reported where it was chosen",
                lambda choose, report: _with_control(choose, report, choose, drop=choose),
                "The unit is right, its drop is the one that made you choose it: too good to be "
                "true. New items say what it is.",
            ),
            Misconception(
                "control with the unit in it",
                _median_of_all,
                "The control holds the unit itself. Leave it out.",
            ),
            Misconception(
                "control with the unit in it, the lower of two",
                _lower_median_of_all,
                "report.median() holds the unit itself. Leave it out.",
            ),
            Misconception(
                "mean of the others",
                lambda choose, report: _with_control(choose, report, choose, middle=torch.mean),
                "That is the mean of the others: one strong unit among them moves it. Asked for "
                "is the median, the typical unit.",
            ),
            Misconception(
                "smallest drop",
                lambda choose, report: _with_control(-choose, report, choose),
                "You took the unit whose loss costs least.",
            ),
            Misconception(
                "control on the items that chose",
                lambda choose, report: {
                    **drop_with_control(choose, report),
                    "others": _with_control(choose, choose, choose)["others"],
                },
                "The unit and its drop are right. The others' median must come from the same items "
                "as the drop.",
            ),
            Misconception(
                "all on the items that chose",
                lambda choose, report: _with_control(choose, choose, choose),
                "Everything here comes from the items that chose the unit: there it looks better "
                "than it is. Report on the others.",
            ),
            Misconception(
                "chosen on both",
                lambda choose, report: _with_control(choose + report, report, choose),
                "You look at report while you choose: items flatter what they choose.",
            ),
            Misconception(
                "counted from one",
                lambda choose, report: {
                    **drop_with_control(choose, report),
                    "unit": int(choose.argmax()) + 1,
                },
                "The right unit, counted from 1. Units are numbered from 0.",
            ),
            Misconception(
                "drop above the others",
                lambda choose, report: (
                    lambda found: {**found, "drop": found["drop"] - found["others"]}
                )(drop_with_control(choose, report)),
                "You take the others' median off the drop. Report both, side by side.",
            ),
            Misconception(
                "mean of both sets",
                lambda choose, report: {
                    **drop_with_control(choose, report),
                    "drop": (choose + report)[choose.argmax()].item() / 2,
                },
                "Half of this drop was measured where it was chosen. Report it on new items only.",
            ),
            Misconception(
                "largest of the others",
                lambda choose, report: _with_control(choose, report, choose, middle=torch.max),
                "That is the largest drop of the others. Asked for is the median: what a typical "
                "unit's loss costs.",
            ),
        ),
        hints=(
            "Which of the two sets may you look at while you choose?",
            "The unit comes from choose, its drop and the control from report.",
            "unit = choose.argmax(); the others are all entries of report but report[unit].",
        ),
    ),
    Exercise(
        number="6.6",
        task="read an efferent weight",
        reference=push_to_plural,
        takes="h (H,); W (V, H) of the softmax; singular, plural: rows of the verbs' forms; unit",
        gives="a number: how many nats this unit adds to the plural forms' advantage",
        example=(torch.tensor([2.0, 1.0]), torch.tensor([[1.0, 0.0], [3.0, 5.0]]), [0], [1], 0),
        cases=lambda: [
            (some(H, seed=1), some(V, H, seed=2), [0, 2, 4][:n], [1, 3, 5][:n], unit)
            for H, V, n, unit in ((3, 7, 2, 1), (5, 7, 3, 4), (7, 11, 3, 0))
        ],
        misconceptions=(
            Misconception(
                "without h",
                lambda h, W, singular, plural, unit: (W[plural, unit] - W[singular, unit]).mean(),
                "Those are the weights alone. What arrives is the weight times what the unit "
                "says, h[unit].",
            ),
            Misconception(
                "singular over plural",
                lambda h, W, singular, plural, unit: -push_to_plural(h, W, singular, plural, unit),
                "The sign is turned round: asked for is plural minus singular.",
            ),
            Misconception(
                "sum over the verbs",
                lambda h, W, singular, plural, unit: (
                    len(plural) * push_to_plural(h, W, singular, plural, unit)
                ),
                "You add up over the verbs. Asked for is the mean: what one verb gets.",
            ),
            Misconception(
                "all units",
                lambda h, W, singular, plural, unit: ((W[plural] - W[singular]) @ h).mean(),
                "That is what all units do together. Only one of them is asked about.",
            ),
            Misconception(
                "plural forms only",
                lambda h, W, singular, plural, unit: h[unit] * W[plural, unit].mean(),
                "A unit may raise both forms alike, and then decides nothing: subtract what the "
                "singular forms get.",
            ),
            Misconception(
                "singular forms only",
                lambda h, W, singular, plural, unit: h[unit] * W[singular, unit].mean(),
                "That is what the singular forms get. Asked for is what the plural forms get more.",
            ),
            Misconception(
                "added",
                lambda h, W, singular, plural, unit: (
                    h[unit] * (W[plural, unit] + W[singular, unit]).mean()
                ),
                "You add what both forms get. The advantage is the difference.",
            ),
            Misconception(
                "absolute values",
                lambda h, W, singular, plural, unit: (
                    (h[unit] * (W[plural, unit] - W[singular, unit])).abs().mean()
                ),
                "Without signs nobody knows for which number the unit speaks.",
            ),
            Misconception(
                "mean over units too",
                lambda h, W, singular, plural, unit: h[unit] * (W[plural] - W[singular]).mean(),
                "You average the weights of all units. Only the column of this one is asked for.",
            ),
            Misconception(
                "first verb only",
                lambda h, W, singular, plural, unit: (
                    h[unit] * (W[plural[0], unit] - W[singular[0], unit])
                ),
                "That is what one verb gets. Asked for is the mean over all verbs.",
            ),
            Misconception(
                "without h, singular over plural",
                lambda h, W, singular, plural, unit: (W[singular, unit] - W[plural, unit]).mean(),
                "The weights alone, and turned round: it is h[unit] times plural minus singular.",
            ),
        ),
        hints=(
            "The score of a word is W[word] @ h + b. Which one term of this sum is the unit's?",
            "For one verb: h[unit] * W[plural form, unit] minus the same for the singular form.",
            "h[unit] * (W[plural, unit] - W[singular, unit]).mean()",
        ),
    ),
    Exercise(
        number="6.7",
        task="what does the evidence allow?",
        kind="judge",
        gives='a dict {"A": "shown", "B": ...}',
        reference=what_the_evidence_allows,
        cases=lambda: [()],
        choices=("shown", "refuted", "open"),
        misconceptions=(),
        reasons={
            ("A", "refuted"): "A: both of the small network's rows speak for it.",
            ("A", "open"): "A: silenced, it costs answers; moved, it moves the verb. That is what "
            "'takes part' means.",
            ("B", "shown"): "B: look at the wide network: no unit costs as much there.",
            ("B", "open"): "B: 'every' falls with one network, and the wide one is it.",
            ("C", "shown"): "C: in the wide network the unit that can be read does not cost "
            "anything when it is lost: another one knows the same.",
            ("C", "open"): "C: one unit that is read and costs nothing settles it, and the third "
            "row has one.",
            ("D", "shown"): "D: the Elman network has no gates. Look at its row.",
            ("D", "open"): "D: one network without gates that agrees ends this sentence.",
            ("E", "shown"): "E: nobody here has looked at a network that read real English.",
            ("E", "refuted"): "E: a small grammar cannot speak against it either.",
            (
                "F",
                "shown",
            ): "F: agreeing needs a number, not a meaning. The table asks for no more.",
            ("F", "refuted"): "F: nothing in the table asks what a word means.",
        },
        hints=(
            "Look at the small words: takes part, every, no, needs. How much does each promise?",
            "'Every' and 'needs' fall with one case. What was not asked stays open.",
            "One is shown, three are refuted, two are open.",
        ),
    ),
)
