"""Lecture 03: one LSTM step, the direct path, the latch."""

from __future__ import annotations

import torch

tanh, sigmoid = torch.tanh, torch.sigmoid


def _lstm(order="ifgo", forget="f", write="i", out="tanh", memory="new", cand=tanh, gate=sigmoid,
          turned=False, swap=False, no_bias=False, interleaved=False, keep_tanh=False,
          reads="o", no_state=False, no_input=False):  # fmt: skip
    def step(x_t, h_prev, c_prev, W, U, b):
        a = (0 if no_input else x_t @ W.T) + (0 if no_state else h_prev @ U.T)
        a = a if no_bias else a + b
        parts = a.reshape(*a.shape[:-1], -1, 4).unbind(-1) if interleaved else a.chunk(4, dim=-1)
        named = dict(zip(order, parts, strict=True))
        i, f, o = (gate(named[k]) for k in "ifo")
        g = cand(named["g"])
        keep = {"f": f, "1-f": 1 - f, "1-i": 1 - i, "none": torch.ones_like(f), "i": i}[forget]
        new = {"i": i, "1-f": 1 - f, "none": torch.ones_like(i), "f": f}[write]
        c = keep * c_prev + new * g
        if keep_tanh:
            c = tanh(c)
        seen = c_prev if memory == "old" else c
        h = {"tanh": tanh(seen), "plain": seen, "sigmoid": sigmoid(seen)}[out]
        h = h * (o if reads == "o" else 1 if reads == "none" else i)
        return (c, h) if swap else (h, c)

    return step


def only_h(x_t, h_prev, c_prev, W, U, b):
    return _lstm()(x_t, h_prev, c_prev, W, U, b)[0]


def _latch(s_i=1, s_f=-1, off=None, candidate=2.0, out=1.0, columns=(0, 1), rows=(0, 1, 2, 3),
           base_only=False, bias=True, all_times=1.0):  # fmt: skip
    def latch(strength):
        s = strength * all_times
        value, write = columns
        W = torch.zeros(4, 2, dtype=torch.float64)
        b = torch.zeros(4, dtype=torch.float64)
        i, f, g, o = rows
        W[i, write], W[f, write] = 2 * s_i * s, 2 * s_f * s
        if base_only:
            W[i, write], W[f, write] = s_i * s, s_f * s
        W[g, value] = candidate
        if bias:
            b[i], b[f], b[o] = -s_i * s, -s_f * s, out * s
        if off is not None:
            b[i], b[f] = off, off
        return W, b

    return latch


def output_in_weights(strength):
    W, b = _latch(out=0.0)(strength)
    W[3] = strength
    return W, b


WRONG = {
    "3.1": [
        _lstm(order="ifog"), _lstm(order="figo"), _lstm(order="fiog"), _lstm(order="igfo"),
        _lstm(forget="1-f"), _lstm(forget="1-i"), _lstm(forget="none"), _lstm(write="1-f"),
        _lstm(write="none"), _lstm(forget="i", write="f"), _lstm(out="plain"), _lstm(memory="old"),
        _lstm(cand=sigmoid), _lstm(cand=lambda a: a), _lstm(gate=lambda a: a), _lstm(gate=tanh),
        _lstm(swap=True), _lstm(no_bias=True), _lstm(interleaved=True), _lstm(keep_tanh=True),
        _lstm(reads="none"), _lstm(no_state=True), _lstm(no_input=True), _lstm(out="sigmoid"),
        only_h,
    ],
    "3.4": [
        lambda f: f.sum(0), lambda f: f.mean(0), lambda f: f[-1], lambda f: f[0],
        lambda f: f[1:].prod(0), lambda f: f[:-1].prod(0), lambda f: (1 - f).prod(0),
        lambda f: f[0] ** len(f), lambda f: f.cumprod(0), lambda f: f.prod(),
        lambda f: f.mean(0) ** len(f), lambda f: f.prod(1), lambda f: f.prod(-1),
        lambda f: (f * (1 - f)).prod(0), lambda f: f.log().sum(0), lambda f: f[0] * f[-1],
        lambda f: 1 / f.prod(0), lambda f: torch.sigmoid(f).prod(0),
    ],
    "3.6": [
        _latch(s_i=-1, s_f=1), _latch(s_f=1), _latch(s_i=-1), _latch(candidate=1.0),
        _latch(out=-1.0), _latch(out=0.0), _latch(columns=(1, 0)), _latch(rows=(1, 0, 2, 3)),
        _latch(rows=(0, 1, 3, 2)), _latch(base_only=True), _latch(bias=False), _latch(off=0.0),
        _latch(all_times=2.0), output_in_weights,
        lambda strength: tuple(reversed(_latch()(strength))),
        lambda strength: _latch()(1.0),
        lambda strength: (_latch()(strength)[0].T, _latch()(strength)[1]),
        lambda strength: _latch()(strength)[0],
    ],
}  # fmt: skip
