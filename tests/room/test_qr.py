"""A QR code says its address: read back by the standard's rules, its repair words fitting."""

from __future__ import annotations

import random
import string

import pytest

from course_utils.room.qr import DATA, MASKS, REPAIR, as_text, qr_code, times


def read_back(rows: list[str]) -> str:
    """Return what a code says, by the way a reader goes: format, mask, zigzag, repair, letters."""
    size = len(rows)
    version = (size - 17) // 4
    grid = [[*map(int, row)] for row in rows]
    places = [*((8, x) for x in (0, 1, 2, 3, 4, 5, 7, 8)), *((y, 8) for y in (7, 5, 4, 3, 2, 1, 0))]
    written = int("".join(str(grid[y][x]) for y, x in places), 2) ^ 0b101010000010010
    level, mask = written >> 13, written >> 10 & 7
    assert level == 1
    words = zigzag(grid, version, mask)
    data, repair = DATA[version - 1], REPAIR[version - 1]
    words = words[: data + repair]
    root = 1
    for _ in range(repair):  # a codeword has every one of these roots
        value = 0
        for word in words:
            value = times(value, root) ^ word
        assert value == 0
        root = times(root, 2)
    bits = "".join(f"{word:08b}" for word in words[:data])
    assert bits[:4] == "0100"
    length = int(bits[4:12], 2)
    return bytes(int(bits[at : at + 8], 2) for at in range(12, 12 + 8 * length, 8)).decode()


def zigzag(grid: list[list[int]], version: int, mask: int) -> list[int]:
    """Return the codewords under their mask."""
    size = len(grid)

    def is_fixed(y: int, x: int) -> bool:
        corners = (y < 9 and x < 9) or (y < 9 and x >= size - 8) or (y >= size - 8 and x < 9)
        aligned = version > 1 and abs(y - size + 7) < 3 and abs(x - size + 7) < 3
        return corners or aligned or y == 6 or x == 6

    bits, upward, column = "", True, size - 1
    while column > 0:
        column -= column == 6
        for y in range(size - 1, -1, -1) if upward else range(size):
            for x in (column, column - 1):
                if not is_fixed(y, x):
                    bits += str(grid[y][x] ^ (MASKS[mask](y, x) == 0))
        upward, column = not upward, column - 2
    return [int(bits[at : at + 8], 2) for at in range(0, len(bits) - 7, 8)]


@pytest.mark.parametrize("length", [1, 17, 18, 30, 32, 33, 53, 54, 78, 79, 106])
def test_a_code_says_what_it_was_made_of(length):
    """Catches a bit at a wrong place, a wrong mask or format, repair words that repair nothing."""
    drawn = random.Random(length)
    text = "".join(drawn.choice(string.ascii_letters + ":/.-") for _ in range(length))
    assert read_back(qr_code(text)) == text


def test_the_patterns_that_a_camera_looks_for_are_there():
    """Catches a code that is right and that nobody finds, and one without its quiet zone."""
    rows = qr_code("http://192.168.178.23:8877/BCDF")
    finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"]
    assert [row[:7] for row in rows[:7]] == [row[-7:] for row in rows[:7]] == finder
    assert [row[:7] for row in rows[-7:]] == finder
    assert rows[6][6:-6] == "1" + "01" * 6
    assert rows[-8][8] == "1"
    lines = as_text(rows).splitlines()
    assert {*lines[0], *lines[-1]} == {"█"}
    assert {line[:4] + line[-4:] for line in lines} == {"█" * 8}
    assert {len(line) for line in lines} == {len(rows) + 8}


def test_an_address_that_is_too_long_is_refused():
    """Catches a code that leads to half an address."""
    with pytest.raises(ValueError, match="107 letters is too long"):
        qr_code("x" * 107)
