"""One word on its way through ELMo: letters, two directions, two layers, and the mix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.colors import to_hex

from course_utils.numbers import share, signed_number
from course_utils.plots.elmo.walk_layout import (
    BACK_1,
    BACK_2,
    CELL,
    COLUMNS,
    EQUATION,
    FEATURES,
    FORWARD_1,
    FORWARD_2,
    HEIGHT,
    HIGHWAY,
    LETTER,
    LETTERS,
    MIX_LEFT,
    MIX_ROWS,
    NUMBERS,
    SIDE,
    STRIP,
    SUM,
    TALL,
    TOKEN,
    WEIGHT,
    WIDTH,
    WORDS,
)
from course_utils.plots.glyphs import readable
from course_utils.plots.scene.tags import tag
from course_utils.plots.style import BLUE, DIVERGING, FAINT, INK, ORANGE, PAPER
from course_utils.plots.svg import drawing, formula, line_of, plain

STOPS = (
    "letters", "filters", "highway", "token vector", "forward 1", "forward 2", "backward 1",
    "backward 2", "concatenate", "weigh", "sum",
)  # fmt: skip
SYMBOLS = {
    "letters": "c_1 … c_M: ⟨, the letters, ⟩",
    "filters": "v_f = relu( max_p ( W_f · [c_p … c_{p+w−1}] + b_f ) )",
    "highway": "y = g ⊙ relu( W_t v + b_t ) + (1 − g) ⊙ v",
    "token vector": "x_k = W_p y + b_p",
    "forward 1": "h_{k,1} = LSTM_1( x_k, h_{k−1,1} )",
    "forward 2": "h_{k,2} = LSTM_2( h_{k,1}, … ) + h_{k,1}",
    "backward 1": "h_{k,1} = LSTM_1( x_k, h_{k+1,1} )",
    "backward 2": "h_{k,2} = LSTM_2( h_{k,1}, … ) + h_{k,1}",
    "concatenate": "h_{k,j} = [ forward ; backward ]",
    "weigh": "s_j = exp(w_j) / (exp(w_0) + exp(w_1) + exp(w_2))",
    "sum": "ELMo_k = γ ( s_0 h_{k,0} + s_1 h_{k,1} + s_2 h_{k,2} )",
}
DASHED = "7 5"  # of the backward direction
LIT = "#eaa800"
GHOST = 0.13
MOST_SLOTS = 9  # letters that are drawn
LEVELS = 32  # of a shade on either side of white
SHADES = [to_hex(c) for c in mpl.colormaps[DIVERGING](np.linspace(0, 1, 2 * LEVELS + 1))]


class WordView(NamedTuple):
    """What the walk shows: one word, the two beside it, the first numbers of every vector."""

    words: Sequence[str]  # 3: before, the word, after
    letters: Sequence[str]  # one for each slot of the word
    window: tuple[int, int]  # first slot and width of what the strongest filter sees
    features: np.ndarray  # (CELLS,)
    passed: np.ndarray  # (CELLS,)
    tokens: np.ndarray  # (3, CELLS)
    ahead: np.ndarray  # (2, 3, CELLS) layer 1 and layer 2
    back: np.ndarray  # (2, 3, CELLS)
    shares: np.ndarray  # (3,) s_j
    gamma: float
    open_share: float  # mean of the highway's gates
    sizes: tuple[int, int]  # F, P
    place: tuple[int, int]  # which token of how many
    stop: str
    note: str = ""

    @property
    def mixed(self) -> np.ndarray:
        """Return the first numbers of both halves of the ELMo vector, (2, CELLS)."""
        return self.gamma * np.tensordot(self.shares, layers_of(self), axes=1)


def layers_of(view: WordView) -> np.ndarray:
    """Return what is drawn of the word's three layers, (3, 2, CELLS): forward, backward."""
    token = view.tokens[1]
    return np.stack([[token, token], *zip(view.ahead[:, 1], view.back[:, 1], strict=True)])


class WordWalkDrawing:
    """Three columns of words, layers above one another; at the right the mix of the word."""

    width = WIDTH

    def __init__(self) -> None:
        self.scene = drawing(WIDTH, 0)

    def show(self, view: WordView) -> str:
        """Draw one stop of the way and say what happens there."""
        words = way_in_words(view)
        shapes = [_column_frame(), *_names(), *_wires(view), *_letters(view)]
        shapes += [*_strips(view), *_mix(view), *_lines(view)]
        self.scene = drawing(WIDTH, HEIGHT, *shapes)
        return words


def _reached(view: WordView, stop: str) -> bool:
    return STOPS.index(stop) <= STOPS.index(view.stop)


def _seen(view: WordView, stop: str) -> float:
    return 1.0 if _reached(view, stop) else GHOST


def _column_frame() -> str:
    return tag(
        "rect", x=COLUMNS[1] - SIDE - 12, y=FORWARD_2 - 14, width=2 * SIDE + 24,
        height=WORDS - FORWARD_2 + 24, rx=14, fill="#f6f6f6", stroke="#dddddd", data_key="house",
    )  # fmt: skip


def _names() -> list[str]:
    """Say at the left what stands in each row, at the top which colour reads which way."""
    rows = (
        ("layer 2", (FORWARD_2 + BACK_2 + TALL) / 2),
        ("layer 1", (FORWARD_1 + BACK_1 + TALL) / 2),
        ("layer 0", TOKEN + TALL / 2),
    )
    said = [line_of(plain(name), x=2, y=y + 7, key=f"row-{name}") for name, y in rows]
    keys = (("forward →", COLUMNS[0] - SIDE, BLUE), ("← backward", COLUMNS[0] + 58, ORANGE))
    return said + [
        line_of(plain(name), x=x, y=22, key=f"key-{name}", fill=_ink(colour), font_weight="bold")
        for name, x, colour in keys
    ]


def _ink(colour: str) -> str:
    return {ORANGE: "#a06000"}.get(colour, colour)


def _strips(view: WordView) -> list[str]:
    """Draw every vector of the three columns."""
    scale = (
        _scale(view.tokens),
        _scale(view.ahead[0], view.back[0]),
        _scale(view.ahead[1], view.back[1]),
    )
    found = []
    for n, x in enumerate(COLUMNS):
        rows = (
            ("token", view.tokens[n], TOKEN, INK, "token vector", 0),
            ("f1", view.ahead[0, n], FORWARD_1, BLUE, "forward 1", 1),
            ("f2", view.ahead[1, n], FORWARD_2, BLUE, "forward 2", 2),
            ("b1", view.back[0, n], BACK_1, ORANGE, "backward 1", 1),
            ("b2", view.back[1, n], BACK_2, ORANGE, "backward 2", 2),
        )
        for key, vector, y, colour, stop, level in rows:
            lit = stop == view.stop and n == 1
            alpha = _seen(view, stop)
            found.append(
                _strip(f"{key}-{n}", vector, scale[level], x - STRIP / 2, y, colour, alpha, lit)
            )
    low = (
        ("features", view.features, FEATURES, "filters"),
        ("passed", view.passed, HIGHWAY, "highway"),
    )
    for key, vector, y, stop in low:
        alpha, lit = _seen(view, stop), stop == view.stop
        left = COLUMNS[1] - STRIP / 2
        found.append(_strip(key, vector, _scale(view.features), left, y, INK, alpha, lit))
    return found


def _scale(*parts: np.ndarray) -> float:
    return max(1e-9, *(float(np.abs(part).max()) for part in parts))


def _strip(
    key: str, vector: np.ndarray, scale: float, x: float, y: float, colour: str, alpha: float,
    lit: bool = False,
) -> str:  # fmt: skip
    """Draw the first numbers of a vector as cells; white is zero."""
    cells = [
        tag("rect", x=n * CELL, y=0, width=CELL, height=TALL, fill=_shade(value / scale))
        for n, value in enumerate(vector.tolist())
    ]
    glow = tag(
        "rect", x=-4, y=-4, width=STRIP + 8, height=TALL + 8, rx=6, fill="none", stroke=LIT,
        stroke_width=8, opacity=1 if lit else 0, data_key="glow",
    )  # fmt: skip
    frame = tag(
        "rect", x=0, y=0, width=STRIP, height=TALL, fill="none", stroke=colour, stroke_width=2.5,
        stroke_dasharray=DASHED if colour == ORANGE else None, data_key="frame",
    )  # fmt: skip
    place = f"transform:translate({x:g}px,{y:g}px)"
    paper = tag("rect", x=0, y=0, width=STRIP, height=TALL, fill=PAPER, data_key="paper")
    return tag(
        "g", glow, paper, tag("g", *cells, data_key="cells", opacity=alpha), frame,
        data_key=f"strip-{key}", style=place, opacity=max(alpha, 2 * GHOST),
    )  # fmt: skip


def _shade(value: float) -> str:
    return SHADES[round(LEVELS * min(max(value, -1.0), 1.0)) + LEVELS]


def _wires(view: WordView) -> list[str]:
    """Draw who reads what: along the sentence, up the layers, never across the directions."""
    found = []
    half = STRIP / 2
    for level, (fy, by, stops) in enumerate(
        (
            (FORWARD_1, BACK_1, ("forward 1", "backward 1")),
            (FORWARD_2, BACK_2, ("forward 2", "backward 2")),
        ),
        start=1,
    ):
        for n, x in enumerate(COLUMNS):
            mid_f, mid_b = fy + TALL / 2, by + TALL / 2
            if level == 1:  # out of the token vector's sides
                start_f = f"M{x - half} {TOKEN + TALL / 2}"
                start_b = f"M{x + half} {TOKEN + TALL / 2}"
            else:  # out of the tops of layer 1
                start_f = f"M{x - 30} {FORWARD_1} V{FORWARD_1 - 18}"
                start_b = f"M{x + 30} {BACK_1} V{BACK_1 - 5}"
            up_f = f"{start_f} H{x - SIDE} V{mid_f} H{x - half - 4}"
            up_b = f"{start_b} H{x + SIDE} V{mid_b} H{x + half + 4}"
            start = COLUMNS[n - 1] + half if n else x - half - 26
            end = COLUMNS[n + 1] - half if n < 2 else x + half + 26
            along_f = f"M{start} {mid_f} H{x - half - 4}"
            along_b = f"M{end} {mid_b} H{x + half + 4}"
            key = f"{level}-{n}"
            found += [
                _wire(f"uf{key}", up_f, BLUE, _seen(view, stops[0])),
                _wire(f"af{key}", along_f, BLUE, _seen(view, stops[0])),
                _head(f"hf{key}", x - half - 3, mid_f, 1, BLUE, _seen(view, stops[0])),
                _wire(f"ub{key}", up_b, ORANGE, _seen(view, stops[1])),
                _wire(f"ab{key}", along_b, ORANGE, _seen(view, stops[1])),
                _head(f"hb{key}", x + half + 3, mid_b, -1, ORANGE, _seen(view, stops[1])),
            ]
    for n, x in enumerate(COLUMNS):  # from the word to its vector
        stop = "token vector"
        low = LETTERS if n == 1 else WORDS - 18
        found.append(_wire(f"up{n}", f"M{x} {low} V{TOKEN + TALL}", FAINT, _seen(view, stop)))
    return found


def _wire(key: str, path: str, colour: str, alpha: float) -> str:
    return tag(
        "path", d=path, fill="none", stroke=colour, stroke_width=2.5, opacity=alpha,
        stroke_dasharray=DASHED if colour == ORANGE else None, data_key=f"wire-{key}",
    )  # fmt: skip


def _head(key: str, x: float, y: float, way: int, colour: str, alpha: float) -> str:
    path = f"M{x - 9 * way:g} {y - 6:g} L{x:g} {y:g} L{x - 9 * way:g} {y + 6:g} z"
    return tag("path", d=path, fill=colour, opacity=alpha, data_key=f"head-{key}")


def _letters(view: WordView) -> list[str]:
    """Draw the word's letters, what the strongest filter sees of them, and the three words."""
    slots = list(view.letters)
    cut = len(slots) > MOST_SLOTS
    slots = [*slots[: MOST_SLOTS - 1], "…"] if cut else slots
    left = COLUMNS[1] - len(slots) * LETTER / 2
    boxes = [
        tag("rect", x=left + n * LETTER, y=LETTERS, width=LETTER, height=TALL, fill=PAPER,
            stroke=INK, data_key=f"box{n}")
        for n in range(len(slots))
    ]  # fmt: skip
    said = [
        line_of(plain(readable(slot, 2)), x=left + (n + 0.5) * LETTER, y=LETTERS + TALL - 6,
                key=f"slot{n}", text_anchor="middle")
        for n, slot in enumerate(slots)
    ]  # fmt: skip
    first, width = view.window
    last = min(first + width, len(slots))
    window = tag(
        "rect", x=left + first * LETTER - 2, y=LETTERS - 2, rx=4,
        width=max(0.0, (last - first) * LETTER + 4), height=TALL + 4, fill="none", stroke=LIT,
        stroke_width=5, opacity=1 if view.stop == "filters" and last > first else 0,
        data_key="window",
    )  # fmt: skip
    words = [
        line_of(plain(readable(word)), x=x, y=WORDS, key=f"word{n}", text_anchor="middle",
                font_weight="bold" if n == 1 else None)
        for n, (word, x) in enumerate(zip(view.words, COLUMNS, strict=True))
    ]  # fmt: skip
    return [tag("g", *boxes, window, *said, data_key="letters"), *words]


def _mix(view: WordView) -> list[str]:
    """Lay the word's layers side by side, weigh them, add them."""
    joined, weighed, summed = (_reached(view, stop) for stop in ("concatenate", "weigh", "sum"))
    layers, home = layers_of(view), ((TOKEN, TOKEN), (FORWARD_1, BACK_1), (FORWARD_2, BACK_2))
    found = []
    for level, y in enumerate(MIX_ROWS):
        scale = _scale(layers[level])
        for side, colour in enumerate((BLUE, ORANGE)):
            x, here = float(MIX_LEFT + side * (STRIP + 6)), y
            if not joined:  # unseen, above the original: it will move from there
                x, here = COLUMNS[1] - STRIP / 2, home[level][side]
            strip = _strip(
                f"mix-{level}-{side}", layers[level, side], scale, x, here,
                colour if level else INK, 1.0, view.stop == "concatenate",
            )  # fmt: skip
            found.append(tag("g", strip, opacity=1 if joined else 0, data_key=f"in-{level}{side}"))
        weight = float(view.shares[level])
        bar = tag("rect", x=WEIGHT, y=y + TALL + 3, width=84 * weight, height=7, fill=INK,
                  data_key="bar")  # fmt: skip
        text = line_of(plain(f"× {weight:.2f}"), x=WEIGHT, y=y + TALL - 4, key="weight")
        found.append(tag("g", text, bar, opacity=1 if weighed else 0, data_key=f"weight-{level}"))
    middle = MIX_LEFT + STRIP + 3
    collect = f"M{middle} {MIX_ROWS[0]} V{SUM + TALL}"
    found.insert(0, _wire("sum", collect, FAINT, 1.0 if summed else 0.0))
    scale = _scale(view.mixed)
    for side in (0, 1):
        x = float(MIX_LEFT + side * (STRIP + 6))
        strip = _strip(f"sum-{side}", view.mixed[side], scale, x, SUM, INK, 1.0, summed)
        found.append(tag("g", strip, opacity=1 if summed else 0, data_key=f"total{side}"))
    name = line_of(formula("ELMo_k"), x=WEIGHT, y=SUM + TALL - 4, key="name", font_weight="bold",
                   opacity=1 if summed else 0)  # fmt: skip
    return [*found, name]


def _lines(view: WordView) -> list[str]:
    return [
        line_of(formula(SYMBOLS[view.stop], 22), x=WIDTH / 2, y=EQUATION, key="symbols",
                text_anchor="middle", font_size=22),
        line_of(plain(numbers_of(view)), x=WIDTH / 2, y=NUMBERS, key="numbers",
                text_anchor="middle"),
    ]  # fmt: skip


def numbers_of(view: WordView) -> str:
    """Return the stop's numbers in one line."""
    F, P = view.sizes
    slots = len(view.letters)
    first, width = view.window
    sees = "".join(view.letters[first : first + width])
    before, word, behind = (readable(w) for w in view.words)
    return {
        "letters": f"{slots} slots are filled, the others hold padding",
        "filters": f"{F} filters; the one that fires most sees {readable(sees, 8)}",
        "highway": f"{F} gates, {share(view.open_share)} open on average",
        "token vector": f"{P} numbers for {word}, whatever is beside it: {_few(view.tokens[1])}",
        "forward 1": f"reads {before}, then {word}: {_few(view.ahead[0, 1])}",
        "forward 2": f"and adds what it has read: {_few(view.ahead[1, 1])}",
        "backward 1": f"reads {behind}, then {word}: {_few(view.back[0, 1])}",
        "backward 2": f"and adds what it has read: {_few(view.back[1, 1])}",
        "concatenate": f"3 vectors of {2 * P} numbers; layer 0 is the token vector twice",
        "weigh": "s = "
        + ", ".join(f"{weight:.2f}" for weight in view.shares)
        + ", learned by a task",
        "sum": f"γ = {view.gamma:.2f}; {2 * P} numbers: {_few(view.mixed[0])}",
    }[view.stop]


def _few(vector: np.ndarray) -> str:
    return ", ".join(signed_number(value) for value in vector[:3]) + ", …"


MEANING = {
    "letters": "the word is nothing but its letters between two marks.",
    "filters": "every filter slides over the letters and keeps its strongest answer.",
    "highway": "a highway layer transforms some features and passes the others on.",
    "token vector": "a projection makes the token vector, which no neighbour has touched.",
    "forward 1": "the first forward LSTM adds what stands to the left.",
    "forward 2": "the second forward LSTM reads the first, and its output is added to it.",
    "backward 1": "the first backward LSTM adds what stands to the right.",
    "backward 2": "the second backward LSTM reads the first backward one only.",
    "concatenate": "forward and backward halves are laid side by side, layer by layer.",
    "weigh": "a task gives each layer a share.",
    "sum": "the weighted layers add up to one vector for this word in this sentence.",
}


def way_in_words(view: WordView) -> str:
    """Return where the walk stands and what happens there."""
    at, T = view.place
    note = f" {view.note}" if view.note else ""
    return (
        f"“{readable(view.words[1])}”, token {at} of {T}, {view.stop}: {MEANING[view.stop]} "
        f"({numbers_of(view)}){note}"
    )
