"""Write matplotlib's paths as the `d` of SVG, y downwards."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.path import Path
from matplotlib.transforms import Affine2D, Transform

LETTERS = {Path.MOVETO: "M", Path.LINETO: "L", Path.CURVE3: "Q", Path.CURVE4: "C"}
TAKES = {Path.CURVE3: 2, Path.CURVE4: 3}  # points of a curve, its end among them
FAR = 50  # pixels outside the picture, where open lines are cut: no stroke reaches back from there
MOST_SNAPPED = 1024  # vertices: longer lines are left alone, as Agg leaves them


class Line(NamedTuple):
    """What is left of a path: a code for every point, and the points."""

    codes: np.ndarray  # (N,)
    points: np.ndarray  # (N, 2)


def flipped(transform: Transform, height: float) -> Transform:
    """Return a transform whose y runs downwards from the top of the picture."""
    return transform + Affine2D().scale(1, -1).translate(0, height)


def cut(path: Path, transform: Transform, size: tuple[float, float] | None) -> Line:
    """Return a path in page pixels without points that are not finite; open ones cut to `size`."""
    clip: Any = None
    if size is not None:
        clip = (-FAR, -FAR, size[0] + FAR, size[1] + FAR)
    shortened = size is not None and path.should_simplify
    clean = path.cleaned(
        transform=transform, remove_nans=True, clip=clip, simplify=shortened, curves=True
    )
    codes = np.asarray(clean.codes)
    seen = codes != Path.STOP
    return Line(codes[seen], np.asarray(clean.vertices)[seen])


def data(line: Line, digits: int = 2) -> str:
    """Return a line as `d`, to so many digits of a pixel."""
    codes, points = line.codes.tolist(), np.rint(line.points * 10**digits).astype(int)
    if codes and (line.codes[1:] == Path.LINETO).all():
        return _steps(points, 10**digits)
    said: list[str] = []
    places = iter(zip(codes, (points / 10**digits).tolist(), strict=True))
    for code, (x, y) in places:
        if code == Path.CLOSEPOLY:
            said.append("Z")
            continue
        said.append(f"{LETTERS[code]}{x:.7g} {y:.7g}")
        for _ in range(TAKES.get(code, 1) - 1):
            _, (x, y) = next(places)
            said.append(f" {x:.7g} {y:.7g}")
    return "".join(said)


def _steps(points: np.ndarray, scale: int) -> str:
    """Return an open line of straight pieces, each end told from the one before: half as long."""
    (x, y), *steps = (np.diff(points, axis=0, prepend=0) / scale).tolist()
    return (
        f"M{x:.7g} {y:.7g}"
        + ("l" if steps else "")
        + " ".join(f"{dx:.7g} {dy:.7g}" for dx, dy in steps)
    )


def is_upright(line: Line) -> bool:
    """Return whether all of a line is level or plumb, so that whole pixels can fit it."""
    codes = line.codes
    if len(codes) > MOST_SNAPPED or ((codes == Path.CURVE3) | (codes == Path.CURVE4)).any():
        return False
    steps = np.abs(np.diff(line.points, axis=0))[codes[1:] == Path.LINETO]
    return not bool((steps.min(axis=1, initial=np.inf) >= 1e-4).any())
