"""Lecture 04: one GRU step, the update gate turned round, counting parameters."""

from __future__ import annotations

import torch

tanh, sigmoid = torch.tanh, torch.sigmoid


def _gru(order="run", mix="renew", reset="before", cand=tanh, gate=sigmoid, no_bias=False,
         out=None, reset_by="r", update_by="u"):  # fmt: skip
    def gru_step(x_t, h_prev, W, U, b):
        H = h_prev.shape[-1]
        b = 0 * b if no_bias else b
        at = {name: slice(k * H, (k + 1) * H) for k, name in enumerate(order)}
        x = {k: x_t @ W[rows].T for k, rows in at.items()}
        B = {k: b[rows] for k, rows in at.items()}
        r, u = (gate(x[k] + h_prev @ U[at[k]].T + B[k]) for k in "ru")
        r, u = (r, u)[reset_by == "u"], (u, r)[update_by == "r"]
        V = U[at["n"]]
        state = {
            "before": (r * h_prev) @ V.T,
            "after": r * (h_prev @ V.T),
            "after with bias": r * (h_prev @ V.T + B["n"]) - B["n"],
            "none": h_prev @ V.T,
            "1-r": ((1 - r) * h_prev) @ V.T,
            "all": r * (x["n"] + h_prev @ V.T + B["n"]) - x["n"] - B["n"],
        }[reset]
        n = cand(x["n"] + state + B["n"])
        h = {
            "renew": (1 - u) * h_prev + u * n,
            "keep": u * h_prev + (1 - u) * n,
            "no old": u * n,
            "plus": h_prev + u * n,
            "reset old": (1 - u) * r * h_prev + u * n,
            "no gate": h_prev + n,
            "swapped sum": (1 - u) * n + h_prev,
            "candidate": n,
            "both": u * h_prev + u * n,
        }[mix]
        return out(h) if out else h

    return gru_step


def _flip(W=True, U=True, b=True, block=1, how="minus"):
    def to_keeping(w, u, c):
        H = u.shape[1]
        rows = slice(block * H, (block + 1) * H)
        found = []
        for part, on in zip((w, u, c), (W, U, b), strict=True):
            part = part.clone()
            if on:
                part[rows] = {"minus": -part[rows], "one": 1 - part[rows],
                              "inverse": 1 / part[rows]}[how]  # fmt: skip
            found.append(part)
        return tuple(found)

    return to_keeping


def swapped_blocks(W, U, b):
    found = []
    for part in (W, U, b):
        r, u, n = part.chunk(3)
        found.append(torch.cat([u, r, n]))
    return tuple(found)


def negated_all(W, U, b):
    return -W, -U, -b


def candidate_too(W, U, b):
    found = []
    for part in (W, U, b):
        r, u, n = part.chunk(3)
        found.append(torch.cat([r, -u, -n]))
    return tuple(found)


def reset_too(W, U, b):
    found = []
    for part in (W, U, b):
        r, u, n = part.chunk(3)
        found.append(torch.cat([-r, -u, n]))
    return tuple(found)


def unchanged(W, U, b):
    return W, U, b


def in_place(W, U, b):
    H = U.shape[1]
    for part in (W, U, b):
        part[H : 2 * H] *= -1
    return W, U, b


def every_third_row(W, U, b):
    found = []
    for part in (W, U, b):
        part = part.clone()
        part[1::3] = -part[1::3]
        found.append(part)
    return tuple(found)


WRONG = {
    "4.1": [
        _gru(mix="keep"), _gru(reset="after"), _gru(reset="none"), _gru(reset="1-r"),
        _gru(order="urn"), _gru(order="nru"), _gru(mix="no old"), _gru(mix="plus"),
        _gru(mix="reset old"), _gru(mix="candidate"), _gru(mix="both"), _gru(cand=sigmoid),
        _gru(cand=lambda a: a), _gru(gate=tanh), _gru(gate=lambda a: a), _gru(no_bias=True),
        _gru(out=tanh), _gru(reset="after with bias"), _gru(reset="all"), _gru(mix="no gate"),
        _gru(reset="none", mix="reset old"), _gru(mix="keep", reset="after"),
    ],
    "4.3": [
        _flip(U=False, b=False), _flip(b=False), _flip(U=False), _flip(W=False, U=False),
        _flip(W=False), _flip(block=0), _flip(block=2), _flip(how="one"), _flip(how="inverse"),
        swapped_blocks, negated_all, candidate_too, reset_too, unchanged, in_place,
        every_third_row, lambda W, U, b: (1 - W, 1 - U, 1 - b),
        lambda W, U, b: (W, U, 1 - b),
    ],
    "4.4": [
        lambda gates, D, H: gates * (D * H + H * H),
        lambda gates, D, H: gates * (D * H + H * H + H),
        lambda gates, D, H: gates * (D + H) * H,
        lambda gates, D, H: gates * (D * H + H + 2 * H),
        lambda gates, D, H: D * H + H * H + 2 * H,
        lambda gates, D, H: (gates - 1) * (D * H + H * H + 2 * H),
        lambda gates, D, H: (gates + 1) * (D * H + H * H + 2 * H),
        lambda gates, D, H: gates * (D * D + H * H + 2 * H),
        lambda gates, D, H: gates * (D * H + D * H + 2 * H),
        lambda gates, D, H: gates * (D * H + H * H + 2),
        lambda gates, D, H: gates * (D * H + H * H) + 2 * H,
        lambda gates, D, H: gates * (D * H * H + 2 * H),
        lambda gates, D, H: gates * H * (D + H + D),
        lambda gates, D, H: gates * (D * H + H * H + D + H),
        lambda gates, D, H: gates * (D * H + 2 * H),
        lambda gates, D, H: gates * D * H + H * H + 2 * H,
        lambda gates, D, H: gates * (D * H + H * H) + H,
    ],
}  # fmt: skip
