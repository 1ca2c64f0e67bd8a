"""Solutions of lecture 07."""

from __future__ import annotations

import torch


def draw_character(logits, temperature, point):
    if temperature == 0:
        return int(logits.argmax())
    total = torch.softmax(logits / temperature, dim=0).cumsum(0)
    return min(int((total <= point).sum()), len(logits) - 1)  # rounding may leave a gap at 1


def smoothed(text, context, sign, V, alpha):
    n = len(context)
    followers = [text[k + n] for k in range(len(text) - n) if text[k : k + n] == context]
    return (followers.count(sign) + alpha) / (len(followers) + V * alpha)


def split_packages(names, share):
    package = {name: name.split("/")[0] for name in names}
    held = set()
    for last in sorted(set(package.values()), reverse=True):
        if sum(package[name] in held for name in names) >= share * len(names):
            break
        held.add(last)
    train = [name for name in names if package[name] not in held]
    return train, [name for name in names if package[name] in held]


def unit_and_luck(choose, choose_marks, report, report_marks, shifts):
    reached = {}
    for by in (0, *shifts):
        areas = []
        for values, marks in ((choose, choose_marks.roll(by)), (report, report_marks.roll(by))):
            high, low = values[marks][:, None], values[~marks]  # (M, 1, H), (N, H)
            areas.append(((high > low) + 0.5 * (high == low)).double().mean(dim=(0, 1)))
        unit = int((areas[0] - 0.5).abs().argmax())
        score = areas[1][unit].item()
        reached[by] = unit, score if areas[0][unit] >= 0.5 else 1 - score
    unit, area = reached[0]
    return {"unit": unit, "area": area, "luck": max(reached[by][1] for by in shifts)}


def pick_threshold(valid, valid_marks, test, test_marks):
    def right(values, marks, threshold):
        return ((values >= threshold) == marks).double().mean().item()

    best = max(sorted(set(valid.tolist())), key=lambda t: right(valid, valid_marks, t))
    return best, right(test, test_marks, best)


def read_with(model, number, text):
    return model(torch.tensor([[number.get(sign, 0) for sign in text]]))


def what_a_cell_means():
    return {"A": "shown", "B": "open", "C": "refuted", "D": "open", "E": "refuted"}


def probe_and_control(choose, choose_marks, report, report_marks, fresh_choose, fresh_report):
    def right(cells, new_cells):
        rows, new_rows = (
            torch.cat([own, torch.ones(len(own), 1, dtype=own.dtype)], dim=1)
            for own in (cells, new_cells)
        )
        weights = torch.linalg.lstsq(rows, choose_marks.to(rows.dtype)[:, None]).solution
        said = (new_rows @ weights)[:, 0] >= 0.5
        return (said == report_marks).double().mean().item()

    probe, control = right(choose, report), right(fresh_choose, fresh_report)
    return {"probe": probe, "control": control, "more": probe - control}


def hold_cell(x, W, U, b, cell, value, since):
    h = c = x.new_zeros(U.shape[1])
    for t, x_t in enumerate(x):
        i, f, g, o = (W @ x_t + U @ h + b).chunk(4)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        if t >= since:
            c[cell] = value
        h = torch.sigmoid(o) * torch.tanh(c)
    return h
