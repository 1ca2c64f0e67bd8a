"""A QR code of an address: byte mode, level L, versions 1 to 5, so one block and 106 letters.

On a wall nothing smears or tears the code, so the lowest level of repair is enough, and with one
block there is nothing to interleave (ISO/IEC 18004).
"""

from __future__ import annotations

from functools import cache

DATA = (19, 34, 55, 80, 108)  # codewords for data, by version
REPAIR = (7, 10, 15, 20, 26)
FORMAT_BCH, FORMAT_MASK = 0b10100110111, 0b101010000010010
LEVEL_L = 0b01
Grid = list[list[int | None]]  # None: not yet written

MASKS = (
    lambda y, x: (y + x) % 2,
    lambda y, x: y % 2,
    lambda y, x: x % 3,
    lambda y, x: (y + x) % 3,
    lambda y, x: (y // 2 + x // 3) % 2,
    lambda y, x: y * x % 2 + y * x % 3,
    lambda y, x: (y * x % 2 + y * x % 3) % 2,
    lambda y, x: ((y + x) % 2 + y * x % 3) % 2,
)


def qr_code(text: str) -> list[str]:
    """Return the rows of the code, 1 for dark, without the four modules of quiet around it."""
    words = text.encode()
    version = next((v for v, room in enumerate(DATA) if len(words) + 2 <= room), None)
    if version is None:
        raise ValueError(f"an address of {len(words)} letters is too long for a QR code: {text}")
    bits = _with_repair(words, DATA[version], REPAIR[version])
    fixed = _fixed(version + 1)
    codes = [_masked(fixed, bits, mask) for mask in range(8)]
    best = min(codes, key=_penalty)
    return ["".join(map(str, row)) for row in best]


def as_text(rows: list[str]) -> str:
    """Return a code for a terminal, two rows a line, its quiet zone around it."""
    size = len(rows) + 8
    empty = "0" * size
    framed = [empty] * 4 + [f"0000{row}0000" for row in rows] + [empty] * 5
    signs = {"00": "█", "01": "▀", "10": "▄", "11": " "}  # light on a dark terminal
    pairs = zip(framed[:size:2], framed[1 : size + 1 : 2], strict=False)
    return "\n".join("".join(signs[a + b] for a, b in zip(*pair, strict=True)) for pair in pairs)


def _with_repair(words: bytes, room: int, repair: int) -> str:
    """Return the bits: mode, length, letters, padding, and what repairs them."""
    bits = f"0100{len(words):08b}" + "".join(f"{word:08b}" for word in words) + "0000"
    data = [int(bits[at : at + 8], 2) for at in range(0, len(bits), 8)]
    data += [(0b11101100, 0b00010001)[at % 2] for at in range(room - len(data))]
    return "".join(f"{word:08b}" for word in data + remainder(data, repair))


def times(a: int, b: int) -> int:
    """Return the product in GF(256) by x⁸ + x⁴ + x³ + x² + 1."""
    product = 0
    while b:
        product ^= a * (b & 1)
        a, b = (a << 1) ^ (0b100011101 * (a >> 7)), b >> 1
    return product


@cache
def generator(repair: int) -> tuple[int, ...]:
    """Return the product of (x - 2ⁱ) for i below `repair`, without its leading 1."""
    found, root = [1], 1
    for _ in range(repair):
        shifted = [*found, 0]
        found = [a ^ times(b, root) for a, b in zip(shifted, [0, *found], strict=True)]
        root = times(root, 2)
    return tuple(found[1:])


def remainder(data: list[int], repair: int) -> list[int]:
    """Return the codewords of Reed and Solomon's code."""
    rest = [0] * repair
    for word in data:
        factor = word ^ rest[0]
        rest = [
            a ^ times(b, factor) for a, b in zip([*rest[1:], 0], generator(repair), strict=True)
        ]
    return rest


def _fixed(version: int) -> Grid:
    """Return the parts that every code of a version has, and room for its format, as light."""
    size = 17 + 4 * version
    grid: Grid = [[None] * size for _ in range(size)]
    for at in range(size):
        grid[6][at] = grid[at][6] = (at + 1) % 2
    for top, left in ((0, 0), (0, size - 7), (size - 7, 0)):
        for y in range(max(0, top - 1), min(size, top + 8)):
            for x in range(max(0, left - 1), min(size, left + 8)):
                ring = max(abs(y - top - 3), abs(x - left - 3))
                grid[y][x] = int(ring not in (2, 4))
    if version > 1:
        for y in range(size - 9, size - 4):
            for x in range(size - 9, size - 4):
                grid[y][x] = int(max(abs(y - size + 7), abs(x - size + 7)) != 1)
    for y, x in (place for pair in _format_places(size) for place in pair):
        grid[y][x] = 0
    grid[size - 8][8] = 1
    return grid


def _format_places(size: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return the two places of each bit of the format, the highest bit first."""
    near = [0, 1, 2, 3, 4, 5, 7, 8]
    beside = [(8, x) for x in near] + [(y, 8) for y in near[-2::-1]]
    far = [(size - 1 - at, 8) for at in range(7)] + [(8, size - 8 + at) for at in range(8)]
    return [*zip(beside, far, strict=True)]


def _masked(fixed: Grid, bits: str, mask: int) -> list[list[int]]:
    """Write the bits up and down in pairs of columns, from the right, and the format."""
    size, rest = len(fixed), iter(bits)
    grid = [[cell or 0 for cell in row] for row in fixed]
    right = [x for x in range(size - 1, 0, -2) if x > 6] + [5, 3, 1]
    for turn, column in enumerate(right):
        rows = range(size) if turn % 2 else range(size - 1, -1, -1)
        for y in rows:
            for x in (column, column - 1):
                if fixed[y][x] is None:
                    grid[y][x] = int(next(rest, "0")) ^ (MASKS[mask](y, x) == 0)
    code = LEVEL_L << 3 | mask
    check = code << 10
    for shift in range(4, -1, -1):
        check ^= (FORMAT_BCH << shift) * (check >> (shift + 10) & 1)
    written = (code << 10 | check) ^ FORMAT_MASK
    for at, places in enumerate(_format_places(size)):
        for y, x in places:
            grid[y][x] = written >> (14 - at) & 1
    return grid


def _penalty(grid: list[list[int]]) -> int:
    """Return how hard a code is to read, by the standard's four rules."""
    lines = ["".join(map(str, line)) for line in (*grid, *zip(*grid, strict=True))]
    runs = sum(len(run) - 2 for line in lines for run in _runs(line) if len(run) >= 5)
    finders = sum(line.count(sign, at, at + 11) for line in lines for at in range(len(line))
                  for sign in ("10111010000", "00001011101"))  # fmt: skip
    squares = sum(
        grid[y][x] == grid[y][x + 1] == grid[y + 1][x] == grid[y + 1][x + 1]
        for y in range(len(grid) - 1)
        for x in range(len(grid) - 1)
    )
    dark = sum(map(sum, grid)) / len(grid) ** 2
    return runs + 3 * squares + 40 * finders + 10 * int(abs(dark - 0.5) * 20)


def _runs(line: str) -> list[str]:
    return line.replace("01", "0 1").replace("10", "1 0").split()
