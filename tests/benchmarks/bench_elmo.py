"""ELMo: the packed way against the readable one and against the original PyTorch code's way.

The original way, rebuilt here from its description: every token of the batch through the character
CNN with all 50 slots, in every layer one step at a time, both products of the gates in each step.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor
from torch.nn.functional import linear

from course_utils.data.english import english
from course_utils.data.sentences import sentences as split
from course_utils.models.elmo import OFFICIAL, BiLM, Options, PackedBiLM
from course_utils.models.elmo.batch import batch_to_ids, frame, framed
from course_utils.models.elmo.state import zero_state
from tests.benchmarks.measure import Row, high_water, seconds_each

SMALL = Options(
    projection=256,
    cells=512,
    layers=2,
    filters=((1, 16), (2, 32), (3, 64), (4, 96), (5, 160)),
)


def sentences(rows: int, length: int) -> list[list[str]]:
    """Return rows of running English, cut to one length."""
    words = [word for sentence in split(english().test[0].text) for word in sentence]
    words *= rows * length // len(words) + 1
    return [words[first : first + length] for first in range(0, rows * length, length)]


def model(options: Options) -> BiLM:
    """Return a frozen model with random weights."""
    torch.manual_seed(20)
    return BiLM(options).requires_grad_(False).eval()


def original_way(bilm: BiLM, batch: list[list[str]]) -> Tensor:
    """Return all layers (L + 1, B, T + 2, 2P) the way the original PyTorch code makes them."""
    ids = batch_to_ids([framed(sentence) for sentence in batch])  # (B, T+2, 50)
    mask = (ids > 0).any(dim=-1)
    B, T, M = ids.shape
    tokens = bilm.encoder((ids - 1).clamp(min=0).view(B * T, M)).view(B, T, -1)
    tokens = tokens * mask.unsqueeze(-1)
    counts = mask.sum(dim=0).tolist()  # the batch lies sorted, longest sentence first
    layers = [[tokens, tokens]]
    for level in range(bilm.options.layers):
        both = []
        for direction in (0, 1):
            x = layers[-1][direction]
            y = _layer(bilm.directions[direction][level], x, counts, direction == 1)
            both.append(y + x if level else y)
        layers.append(both)
    return torch.stack([torch.cat(pair, dim=-1) for pair in layers])


def _layer(lstm, x: Tensor, counts: list[int], reverse: bool) -> Tensor:
    B, T, _ = x.shape
    C = lstm.weight_hr.shape[1]
    output = x.new_zeros(B, T, lstm.weight_hr.shape[0])
    h, c = x.new_zeros(B, lstm.weight_hr.shape[0]), x.new_zeros(B, C)
    order = range(T - 1, -1, -1) if reverse else range(T)
    for t in order:
        n = counts[t]
        before, memory = h[:n].clone(), c[:n].clone()
        a = linear(x[:n, t], lstm.weight_ih)
        u = linear(before, lstm.weight_hh, lstm.bias)
        i = torch.sigmoid(a[:, :C] + u[:, :C])
        f = torch.sigmoid(a[:, C : 2 * C] + u[:, C : 2 * C] + 1)
        g = torch.tanh(a[:, 2 * C : 3 * C] + u[:, 2 * C : 3 * C])
        o = torch.sigmoid(a[:, 3 * C :] + u[:, 3 * C :])
        memory = i * g + f * memory
        if lstm.cell_clip:
            memory = torch.clamp(memory, -lstm.cell_clip, lstm.cell_clip)
        out = linear(o * torch.tanh(memory), lstm.weight_hr)
        if lstm.proj_clip:
            out = torch.clamp(out, -lstm.proj_clip, lstm.proj_clip)
        h, c = h.clone(), c.clone()
        h[:n], c[:n] = out, memory
        output[:n, t] = out
    return output


def readable_way(bilm: BiLM, batch: list[list[str]]) -> Tensor:
    """Return all layers by the implementation that the lecture reads."""
    start = zero_state(bilm.options, len(batch), bilm.encoder.projection.weight)
    return bilm.read(frame(batch), start)[0]


def rows() -> list[Row]:
    """Measure the official size, and on one thread the small one: it is too small to be shared."""
    found = _size("official size", OFFICIAL, ">= 3.5", repeats=3)
    with one_thread():
        found += _size("small size", SMALL, ">= 2", repeats=9)
        found += _scaling()
        found += _products()
    return [*found, *_memory(), _cold_start()]


@contextmanager
def one_thread() -> Iterator[None]:
    """Compute on one thread for a while."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@torch.no_grad()
def _size(name: str, options: Options, bar: str, repeats: int) -> list[Row]:
    bilm, batch = model(options), sentences(32, 25)
    packed = bilm.packed()
    _same(bilm, packed, batch)
    fast, original, readable = seconds_each(
        lambda: packed(batch),
        lambda: original_way(bilm, batch),
        lambda: readable_way(bilm, batch),
        repeats=repeats,
        warmup=1,
    )
    speed = f"{800 / fast:,.0f} tokens/s, {fast * 1e3:.0f} ms against"
    return [
        Row(f"{name}, against the {way} way", slow / fast, bar, f"{speed} {slow * 1e3:.0f} ms")
        for way, slow in (("original", original), ("readable", readable))
    ]


@torch.no_grad()
def _products() -> list[Row]:
    """Report how near the whole comes to its products alone, and what bfloat16 gives."""
    bilm, batch = model(OFFICIAL), sentences(32, 25)
    packed, T, B = bilm.packed(), 27, 32
    half = packed.to(torch.bfloat16)
    layers = [layer for stack in packed.directions for layer in stack]
    x, h, m, a = (torch.randn(rows, n) for rows, n in
                  ((T * B, 512), (B, 512), (B, 4096), (B, 4 * 4096)))  # fmt: skip
    plain = torch.randn(4 * 4096, 512).t().contiguous()

    def alone() -> None:
        for layer in layers:
            layer.input(x)
            for _ in range(T):
                layer.recurrent.plus(h, a)
                layer.project(m)

    def blas() -> None:
        for _ in range(T):
            torch.addmm(a, h, plain)

    whole, products, mm, fast = seconds_each(
        lambda: packed(batch), alone, blas, lambda: half(batch), repeats=3, warmup=1
    )
    flops = len(layers) * T * B * 2 * (2 * 4 * 4096 * 512 + 4096 * 512)
    a_mm = T * B * 2 * 4 * 4096 * 512 / mm / 1e9
    exact, near = packed(batch).layers, half(batch).layers.float()
    error = ((near - exact).norm() / exact.norm()).item()
    return [
        Row("official size, one thread: the products alone / the whole", products / whole, "",
            f"{flops / whole / 1e9:,.0f} GFLOP/s against {flops / products / 1e9:,.0f}; "
            f"torch.addmm of one shape {a_mm:,.0f}"),
        Row("official size, one thread: bfloat16 against float32", whole / fast, "",
            f"{fast * 1e3:.0f} ms against {whole * 1e3:.0f} ms, relative error {error:.1e}"),
    ]  # fmt: skip


def _same(bilm: BiLM, packed: PackedBiLM, batch: list[list[str]]) -> None:
    fast = packed(batch).layers
    slow = original_way(bilm, batch)[:, :, 1:-1]
    difference = (fast - slow).abs().max().item()
    if not difference < 5e-6 * max(1.0, slow.abs().max().item()):
        raise AssertionError(f"the two ways differ by {difference}")


def _scaling() -> list[Row]:
    packed, few, many = model(SMALL).packed(), sentences(32, 25), sentences(32, 200)
    short, long = seconds_each(lambda: packed(few), lambda: packed(many), repeats=9)
    detail = f"{short * 1e3:.0f} ms for 800 tokens, {long * 1e3:.0f} ms for 6,400"
    return [Row("small size, time for 8 times the tokens / 8", long / short / 8, "<= 1.3", detail)]


def _memory() -> list[Row]:
    """Report peak memory above that of the bare model, each in a process of its own."""
    found = []
    peaks = {way: _peak(way) for way in ("none", "packed", "original")}
    for way in ("packed", "original"):
        used = (peaks[way] - peaks["none"]) / 2**20
        found.append(
            Row(f"official size, {way} way: peak memory / the weights' own", used / 357, "",
                f"{used:,.0f} MiB above the model")
        )  # fmt: skip
    return found


COLD = """
import time, torch
start = time.perf_counter()
from course_utils.models.elmo import BiLM
bilm = BiLM.from_pretrained("small").packed()
bilm([["Fellow-citizens", ",", "the", "harvest", "was", "good", "."]])
print(time.perf_counter() - start)
"""


def _cold_start() -> Row:
    """Measure the first sentence's seconds in a fresh process, after `import torch`."""
    seconds = []
    for _ in range(3):
        command = [sys.executable, "-c", COLD]
        seconds.append(float(subprocess.run(command, capture_output=True, check=True).stdout))
    found = sorted(seconds)[1]
    return Row("small model, seconds from import torch to its first sentence", found, "<= 2")


def _peak(way: str) -> int:
    command = [sys.executable, "-m", "tests.benchmarks.bench_elmo", way]
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ)
    return int(result.stdout)


def _measure_peak(way: str) -> None:
    bilm = model(OFFICIAL)
    with torch.no_grad():
        {
            "none": lambda batch: None,
            "packed": lambda batch: bilm.packed()(batch),
            "original": lambda batch: original_way(bilm, batch),
        }[way](sentences(32, 25))
    print(high_water())


if __name__ == "__main__":
    _measure_peak(sys.argv[1])
