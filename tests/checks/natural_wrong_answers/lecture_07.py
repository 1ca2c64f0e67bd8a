"""Lecture 07: a split, a smoothed count, a draw, a unit with its luck, a threshold, a reader."""

from __future__ import annotations

import numpy as np
import torch


def _split(choose):
    def split_packages(names, share):
        held = choose(list(names), share)
        return [n for n in names if n not in held], [n for n in names if n in held]

    return split_packages


def _package(name):
    return name.split("/")[0]


def _first_packages(names, share):
    held = []
    for package in sorted(set(map(_package, names))):
        if len(held) >= share * len(names):
            break
        held += [n for n in names if _package(n) == package]
    return held


def _share_of_packages(names, share):
    packages = sorted(set(map(_package, names)))
    last = packages[len(packages) - round(share * len(packages)) :]
    return [n for n in names if _package(n) in last]


def _smooth(above, below):
    def smoothed(text, context, sign, V, alpha):
        n, c = text.count(context + sign), text.count(context)
        return above(n, alpha) / (below(c, V, alpha, text) or 1)

    return smoothed


def _draw(p_of, pick=None):
    def draw_character(logits, temperature, point):
        if temperature == 0:
            return int(logits.argmax())
        p = p_of(logits.double(), temperature)
        total = np.cumsum(p.numpy())
        return int(np.searchsorted(total, point)) if pick is None else pick(p, point)

    return draw_character


def _softmax(z):
    return torch.softmax(z, dim=0)


def _area(values, marks):
    a, b = values[marks], values[~marks]
    return float((a[:, None] > b).double().mean())


def _unit(choose_on, report_on, luck=max, turned=True, luck_search=True):
    def unit_and_luck(choose, choose_marks, report, report_marks, shifts):
        texts = {"c": (choose, choose_marks), "r": (report, report_marks)}
        (v, m), (w, n) = texts[choose_on], texts[report_on]

        def search(by):
            areas = [_area(v[:, k], m.roll(by)) for k in range(v.shape[1])]
            far = [abs(a - 0.5) if turned else a for a in areas]
            best = far.index(max(far))
            found = _area(w[:, best], n.roll(by))
            return best, 1 - found if turned and areas[best] < 0.5 else found

        unit, area = search(0)
        found = [search(by)[1] for by in shifts]
        if not luck_search:
            found = [_area(w[:, unit], n.roll(by)) for by in shifts]
        return {"unit": unit, "area": area, "luck": luck(found)}

    return unit_and_luck


def _mean(found):
    return sum(found) / len(found)


def _threshold(candidates, choose_on="valid", report_on="test"):
    def pick_threshold(valid, valid_marks, test, test_marks):
        texts = {"valid": (valid, valid_marks), "test": (test, test_marks)}

        def right(name, t):
            values, marks = texts[name]
            return ((values >= t) == marks).double().mean().item()

        best = max(candidates(valid, valid_marks, test), key=lambda t: right(choose_on, t))
        return best, right(report_on, best)

    return pick_threshold


def _read(shape):
    def read_with(model, number, text):
        return model(shape([number.get(s, 0) for s in text]))

    return read_with


WRONG = {
    "7.1": [
        _split(lambda names, share: names[-round(share * len(names)) :]),
        _split(lambda names, share: names[: round(share * len(names))]),
        _split(lambda names, share: sorted(names)[-round(share * len(names)) :]),
        _split(_first_packages),
        _split(_share_of_packages),
        _split(lambda names, share: names[:: round(1 / share)]),
    ],
    "7.2": [
        _smooth(lambda n, a: n, lambda c, V, a, t: c),
        _smooth(lambda n, a: n + a, lambda c, V, a, t: c + a),
        _smooth(lambda n, a: n + a, lambda c, V, a, t: c),
        _smooth(lambda n, a: n + a, lambda c, V, a, t: c + V * a),
        _smooth(lambda n, a: n + a, lambda c, V, a, t: c + len(set(t)) * a),
        _smooth(lambda n, a: n, lambda c, V, a, t: c + V * a),
        _smooth(lambda n, a: n + a, lambda c, V, a, t: len(t) + V * a),
    ],
    "7.3": [
        _draw(lambda z, t: _softmax(z * t)),
        _draw(lambda z, t: _softmax(z)),
        _draw(lambda z, t: _softmax(z) / t),
        _draw(lambda z, t: _softmax(z / t), lambda p, u: int(p.argmax())),
        _draw(lambda z, t: _softmax(_softmax(z) / t)),
        _draw(
            lambda z, t: _softmax(z / t),
            lambda p, u: int(np.searchsorted(np.cumsum(np.sort(p.numpy())[::-1]), u)),
        ),
        _draw(lambda z, t: _softmax(z / t), lambda p, u: int((p.cumsum(0) <= u).sum()) + 1),
    ],
    "7.4": [
        _unit("r", "r"),
        _unit("c", "c"),
        _unit("c", "r", turned=False),
        _unit("c", "r", luck=_mean),
        _unit("c", "r", luck_search=False),
        _unit("c", "r", luck=min),
    ],
    "7.5": [
        _threshold(lambda v, m, t: sorted(set(t.tolist())), choose_on="test"),
        _threshold(lambda v, m, t: sorted(set(v.tolist())), report_on="valid"),
        _threshold(lambda v, m, t: [0.0]),
        _threshold(lambda v, m, t: [((v[m].mean() + v[~m].mean()) / 2).item()]),
        _threshold(lambda v, m, t: [v.mean().item()]),
        _threshold(lambda v, m, t: sorted(set(v.tolist()), reverse=True)),
    ],
    "7.7": [
        _read(lambda numbers: torch.tensor(numbers)),
        _read(lambda numbers: torch.tensor(numbers)[:, None]),
        _read(lambda numbers: torch.tensor([numbers[::-1]])),
        lambda model, number, text: model(torch.tensor([[number[s] for s in text if s in number]])),
    ],
}
