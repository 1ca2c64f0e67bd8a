"""Recurrent layers against torch.nn's, and what it costs to see their gates."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile

from course_utils.models import GRU, LSTM, Elman
from tests.benchmarks.measure import Row, seconds_each, slowdown, speedup, without_profiler_lines

PAIRS = ((Elman, nn.RNN), (LSTM, nn.LSTM), (GRU, nn.GRU))
TRACES = (
    ((100, 1, 64, 128), "<= 2.0"),
    ((100, 8, 64, 128), "<= 2.2"),
    ((100, 32, 128, 256), "<= 2.5"),
)


def rows() -> list[Row]:
    """Return every bar of the recurrent layers."""
    found = [row for pair in PAIRS for row in same_kernel(*pair)]
    with torch.no_grad():
        found += [trace_cost(LSTM, sizes, bar) for sizes, bar in TRACES]
        found += [trace_cost(cls, TRACES[1][0], "") for cls in (GRU, Elman)]
        found += [against_rollout(sizes) for sizes, _ in TRACES[:2]]
        found += [growth(sizes) for sizes, _ in TRACES]
        for cls, _ in PAIRS:
            found += memory(cls, TRACES[1][0])
        found += memory(LSTM, TRACES[2][0])
    return found


def same_kernel(ours: type, theirs: type) -> list[Row]:
    """Time the untouched layer: the same kernel, so the same time."""
    x = torch.randn(100, 8, 64)
    mine, reference = ours(64, 128), theirs(64, 128)
    reference.load_state_dict(mine.state_dict())

    def train(layer):
        layer.zero_grad()
        layer(x)[0].sum().backward()

    def infer(layer):
        with torch.no_grad():
            layer(x)

    return [
        slowdown(
            f"{ours.__name__} {what} / torch.nn",
            lambda run=run: run(mine),
            lambda run=run: run(reference),
            "<= 1.02",
            repeats=201 if run is infer else 101,
        )
        for what, run in (("forward", infer), ("forward + backward", train))
    ]


def trace_cost(cls: type, sizes: tuple, bar: str) -> Row:
    """Time a trace against the fused forward."""
    layer, x = _layer(cls, sizes)
    what = f"{cls.__name__} trace / forward, T B D H = {sizes}"
    return slowdown(what, lambda: layer.trace(x), lambda: layer(x), bar, repeats=41)


def against_rollout(sizes: tuple) -> Row:
    """Time a trace against the readable loop."""
    layer, x = _layer(LSTM, sizes)
    what = f"LSTM trace, times faster than rollout, {sizes}"
    return speedup(what, lambda: layer.trace(x), lambda: layer.rollout(x), ">= 3")


def growth(sizes: tuple) -> Row:
    """Time ten times the steps, 1 being linear growth; the fused forward's own growth beside it."""
    T, B, D, _ = sizes
    layer, short = _layer(LSTM, sizes)
    long = torch.randn(10 * T, B, D)
    runs = [lambda run=run, x=x: run(x) for run in (layer.trace, layer) for x in (long, short)]
    traced, traced_short, forward, forward_short = seconds_each(*runs, repeats=15)
    # at the largest size the output alone outgrows the caches: that is reported, not barred
    bar = "<= 1.5" if B * layer.hidden_size <= 4096 else ""
    detail = f"the forward itself {forward / forward_short / 10:.2f}"
    what = f"LSTM trace, T {10 * T} / (10 x T {T}), {sizes[1:]}"
    return Row(what, traced / traced_short / 10, bar, detail)


def memory(cls: type, sizes: tuple) -> list[Row]:
    """Compare the peak of a trace, and what a further step adds, with its output and one gate.

    The peak may also hold the weights twice (side by side for the product, then in its own
    layout), which no sequence adds to, and is never below the fused kernel's own.
    """
    T, B, D, H = sizes
    layer, x = _layer(cls, sizes)
    fields = len(layer.trace(x)[0])
    a_step = 4 * (fields + 1) * B * H
    peak = peak_bytes(lambda: layer.trace(x))
    allowed = a_step * T + 8 * sum(p.numel() for p in layer.parameters())
    allowed = max(allowed, peak_bytes(lambda: layer(x)))
    longer = torch.randn(10 * T, B, D)
    added = (peak_bytes(lambda: layer.trace(longer)) - peak) / (9 * T)
    name = f"{cls.__name__} trace, "
    return [
        Row(f"{name}peak / allowed, {sizes}", peak / allowed, "<= 1.0", f"{peak:,} bytes"),
        Row(f"{name}bytes a step adds / (output + one gate)", added / a_step, "<= 1.0"),
    ]


def peak_bytes(run: Callable[[], object]) -> int:
    """Return the most memory held at once through PyTorch's allocator during a second run."""
    run()
    memory = {"activities": [ProfilerActivity.CPU], "profile_memory": True}
    with without_profiler_lines(), profile(**memory) as profiler:
        kept = run()
    events = [e for e in profiler.profiler.kineto_results.events() if e.name() == "[memory]"]
    now = most = 0
    for event in sorted(events, key=lambda event: event.start_ns()):
        now += event.nbytes()
        most = max(most, now)
    del kept
    return most


def _layer(cls: type, sizes: tuple):
    T, B, D, H = sizes
    return cls(D, H), torch.randn(T, B, D)
