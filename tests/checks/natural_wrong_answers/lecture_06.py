"""Lecture 06: minimal pairs, a leak, a bag of words, accuracy, a control, an efferent weight."""

from __future__ import annotations

import statistics

NUMBERS = ("SS", "SP", "PS", "PP")


def _pairs(order="right", agree=0, conditions=NUMBERS, nouns=(0, 1), determiner="the"):
    def minimal_pairs(subject, attractor, verb):
        found = {}
        for numbers in conditions:
            first, second = ("SP".index(n) for n in numbers)
            words = (subject[first], attractor[second])
            beginning = f"{determiner} {words[nouns[0]]} near {determiner} {words[nouns[1]]}"
            right = (first, second)[agree]
            pair = (verb[right], verb[1 - right])
            found[numbers] = (beginning, *(pair if order == "right" else pair[::-1]))
        return found

    return minimal_pairs


def _leaks(key):
    def find_leaks(train, test, base):
        return key(train, test, base)

    return find_leaks


def _bag(change, number=None):
    def same_bag(words, number_now):
        other = {"S": "P", "P": "S"}[number_now]
        return change(list(words)), other if number is None else number(number_now)

    return same_bag


def _swapped(words):
    words[1], words[4] = words[4], words[1]
    return words


def _accuracy(right, total=None):
    def accuracy_by_condition(conditions, margins):
        found = {}
        for name in conditions:
            mine = [m for c, m in zip(conditions, margins, strict=True) if c == name]
            of = len(mine) if total is None else total(conditions, margins)
            found[name] = sum(right(float(m)) for m in mine) / of
        return found

    return accuracy_by_condition


def _control(choose_by="choose", report_by="report", best=max, middle=statistics.median, own=False):
    def drop_with_control(choose, report):
        by = {"choose": choose.tolist(), "report": report.tolist()}
        unit = by[choose_by].index(best(by[choose_by]))
        others = [d for n, d in enumerate(by["report"]) if own or n != unit]
        return {"unit": unit, "drop": by[report_by][unit], "others": middle(others)}

    return drop_with_control


def _push(of):
    def push_to_plural(h, W, singular, plural, unit):
        return of(h, W[singular], W[plural], unit)

    return push_to_plural


def _pair_of(subject, attractor, verb, numbers):
    first, second = ("SP".index(n) for n in numbers)
    return f"the {subject[first]} near the {attractor[second]}", verb[first], verb[1 - first]


WRONG = {
    "6.1": [
        lambda s, a, v: {n: (_pair_of(s, a, v, n)[0], *v) for n in NUMBERS},
        lambda s, a, v: {n: _pair_of(s, a, v, n[::-1]) for n in NUMBERS},
        lambda s, a, v: {n: (_pair_of(s, a, v, n)[0].replace("the ", ""),
                             *_pair_of(s, a, v, n)[1:]) for n in NUMBERS},
        lambda s, a, v: {n: " ".join(_pair_of(s, a, v, n)[:2]) for n in NUMBERS},
        _pairs(agree=1), _pairs(order="wrong"), _pairs(conditions=("SS", "PP")),
        _pairs(conditions=("SP", "PS")), _pairs(nouns=(1, 0)), _pairs(determiner="a"),
        _pairs(agree=1, order="wrong"),
    ],
    "6.2": [
        _leaks(lambda train, test, base: [
            (s, v) for s, v in test if (base[s], base[v]) in {(base[a], base[b]) for a, b in train}
        ]),
        _leaks(lambda train, test, base: sum(
            (base[s], base[v]) in {(base[a], base[b]) for a, b in train} for s, v in test)),
        _leaks(lambda train, test, base: [
            (base[s], base[v]) in {(base[a], base[b]) for a, b in train} for s, v in test]),
        _leaks(lambda train, test, base: [
            n for n, (s, v) in enumerate(test) if (base[s], base[v]) in train]),
        _leaks(lambda train, test, base: [n for n, t in enumerate(test) if t in train]),
        _leaks(lambda train, test, base: [
            n for n, (s, v) in enumerate(test) if s in {a for a, _ in train}]),
        _leaks(lambda train, test, base: [
            n for n, (s, v) in enumerate(test)
            if base[s] in {base[a] for a, _ in train} and base[v] in {base[b] for _, b in train}]),
        _leaks(lambda train, test, base: [
            n for n, (s, v) in enumerate(test)
            if base[s] in {base[a] for a, _ in train} or base[v] in {base[b] for _, b in train}]),
        _leaks(lambda train, test, base: [
            n for n, (s, v) in enumerate(test)
            if (base[s], base[v]) not in {(base[a], base[b]) for a, b in train}]),
        _leaks(lambda train, test, base: [
            n + 1 for n, (s, v) in enumerate(test)
            if (base[s], base[v]) in {(base[a], base[b]) for a, b in train}]),
        _leaks(lambda train, test, base: [
            n for n, (s, v) in enumerate(test) if base[v] in {base[b] for _, b in train}]),
        _leaks(lambda train, test, base: [
            n for n, (s, v) in enumerate(train)
            if (base[s], base[v]) in {(base[a], base[b]) for a, b in test}]),
        _leaks(lambda train, test, base: [
            n for n, (s, v) in enumerate(test)
            if base[s] in {base[a] for a, _ in train}]),
    ],
    "6.3": [
        _bag(lambda w: w), _bag(lambda w: w[::-1]), _bag(_swapped, lambda n: n),
        _bag(lambda w: w, lambda n: n), _bag(sorted), _bag(lambda w: w[3:5] + w[2:3] + w[:2]),
        _bag(lambda w: [*w[:4], w[1], *w[5:]]), _bag(lambda w: [w[0], w[4], *w[2:]]),
    ],
    "6.4": [
        _accuracy(lambda m: (m > 0) - (m < 0)),
        _accuracy(lambda m: m > 0), _accuracy(lambda m: m >= 0), _accuracy(lambda m: m < 0),
        _accuracy(lambda m: (m > 0) + 0.5 * (m == 0), lambda c, m: len(m)),
        _accuracy(lambda m: (m > 0) + 0.5 * (m == 0), lambda c, m: 1), _accuracy(lambda m: m),
        lambda conditions, margins: dict.fromkeys(
            conditions, sum((m > 0) + 0.5 * (m == 0) for m in margins.tolist()) / len(margins)),
        _accuracy(lambda m: m > 0.5),
    ],
    "6.5": [
        lambda choose, report: {"unit": int(choose.argmax()), "drop": report[choose.argmax()],
                                "others": report.median()},
        lambda choose, report: {"unit": int(choose.argmax()), "drop": report[choose.argmax()],
                                "others": statistics.median(sorted(choose.tolist())[:-1])},
        lambda choose, report: {"unit": int((choose + report).argmax()),
                                "drop": report[(choose + report).argmax()],
                                "others": statistics.median(
                                    x for n, x in enumerate(report.tolist())
                                    if n != int((choose + report).argmax()))},
        _control(choose_by="report"), _control(report_by="choose"), _control(own=True),
        _control(middle=statistics.mean), _control(best=min),
        _control(choose_by="report", report_by="report", own=True), _control(middle=max),
        _control(own=True, middle=statistics.mean),
    ],
    "6.6": [
        _push(lambda h, s, p, u: h[u] * (p - s).mean()),
        _push(lambda h, s, p, u: h[u] * (p[0, u] - s[0, u])),
        _push(lambda h, s, p, u: (p - s)[:, u].mean()),
        _push(lambda h, s, p, u: h[u] * (s - p)[:, u].mean()),
        _push(lambda h, s, p, u: h[u] * (p - s)[:, u].sum()),
        _push(lambda h, s, p, u: ((p - s) @ h).mean()),
        _push(lambda h, s, p, u: h[u] * p[:, u].mean()),
        _push(lambda h, s, p, u: h[u] * (p + s)[:, u].mean()),
        _push(lambda h, s, p, u: (h[u] * (p - s)[:, u]).abs().mean()),
        _push(lambda h, s, p, u: (s - p)[:, u].mean()),
        _push(lambda h, s, p, u: h[u] * s[:, u].mean()),
    ],
}  # fmt: skip
