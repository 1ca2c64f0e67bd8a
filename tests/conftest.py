"""Shared by every test: double precision where a test asks for it, a fixed seed, two threads."""

from __future__ import annotations

import pytest
import torch

from course_utils.settings import seed_everything


@pytest.fixture(autouse=True)
def fixed_seed():
    """Start every test from the same random numbers, whatever ran before it."""
    seed_everything()


@pytest.fixture
def float64():
    """Make float64 the default number type for one test."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(before)
