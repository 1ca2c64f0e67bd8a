"""Our PNG writer against Pillow's reader."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from course_utils.plots.picture import encode_png


@pytest.mark.parametrize("shape", [(1, 1), (7, 3), (3, 11), (510, 1200)])
def test_another_reader_sees_every_pixel(shape):
    """Would catch a wrong filter, a wrong checksum, height and width swapped, a byte that wraps."""
    pixels = np.random.default_rng(7).integers(0, 256, (*shape, 4), dtype=np.uint8)
    picture = Image.open(io.BytesIO(encode_png(pixels)))
    assert picture.mode == "RGBA"
    np.testing.assert_array_equal(np.asarray(picture), pixels)


def test_a_slice_of_a_larger_buffer_is_fine():
    """Would catch rows taken from memory that is not contiguous."""
    pixels = np.random.default_rng(5).integers(0, 256, (11, 7, 4), dtype=np.uint8)
    picture = Image.open(io.BytesIO(encode_png(pixels[::2, 1:])))
    np.testing.assert_array_equal(np.asarray(picture), pixels[::2, 1:])


def test_a_plain_picture_stays_small():
    """Would catch compression left out: megabytes for every key press."""
    assert len(encode_png(np.full((510, 1200, 4), 255, np.uint8))) < 20_000
