"""Seed, number type, device and threads are chosen once and can be chosen by hand."""

from __future__ import annotations

import os
import random

import numpy as np
import pytest
import torch

from course_utils import settings


@pytest.fixture(autouse=True)
def leave_no_trace(monkeypatch):
    """Put back what a lecture's setup changes for the whole process."""
    monkeypatch.delenv("COURSE_DEVICE", raising=False)
    threads, dtype = torch.get_num_threads(), torch.get_default_dtype()
    yield
    torch.set_num_threads(threads)
    torch.set_default_dtype(dtype)


def draws() -> list[float]:
    """Return one number from each generator."""
    return [random.random(), float(np.random.rand()), torch.rand(()).item()]  # noqa: NPY002


def test_setup_makes_every_generator_repeat():
    """Catches a generator that is not seeded: numbers of a lecture that differ at every run."""
    settings.setup(device="cpu")
    first = draws()
    settings.setup(device="cpu")
    assert draws() == first
    settings.setup(seed=21, device="cpu")
    assert all(new != old for new, old in zip(draws(), first, strict=True))


def test_setup_says_and_returns_what_it_chose(capsys):
    """Catches a choice that is told but not made."""
    chosen = settings.setup(device="cpu", dtype=torch.float64, threads=1)
    assert capsys.readouterr().out == "seed 20, float64 on cpu, 1 CPU thread\n"
    assert chosen == (20, torch.device("cpu"), torch.float64, 1)
    assert torch.get_num_threads() == 1
    assert torch.ones(2).dtype == torch.float64


def test_the_environment_stands_in_for_a_device(monkeypatch):
    """Catches COURSE_DEVICE that wins over what a lecture asks for, or is not read."""
    monkeypatch.setenv("COURSE_DEVICE", "meta")
    assert settings.choose_device() == torch.device("meta")
    assert settings.choose_device("cpu") == torch.device("cpu")


@pytest.mark.parametrize("device", ["gpu", "", "cpu:x"])
def test_an_unknown_device_is_told(device, monkeypatch):
    """Catches PyTorch's page of backends where three names would do."""
    if device == "":
        assert settings.choose_device(device).type in ("cpu", "cuda", "mps")
        return
    with pytest.raises(ValueError, match="use 'cpu', 'cuda' or 'mps'"):
        settings.choose_device(device)


@pytest.mark.skipif(torch.cuda.is_available(), reason="this machine has a CUDA device")
def test_a_missing_device_is_told():
    """Catches a first failure deep inside a lecture."""
    with pytest.raises(ValueError, match="no CUDA device: use device='cpu'"):
        settings.choose_device("cuda")


def test_threads_follow_what_the_process_may_use():
    """Catches os.cpu_count() in a container that has two of sixty-four cores."""
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    assert settings.usable_threads() == min(allowed, settings.MAX_THREADS)


@pytest.mark.parametrize(("asked", "given"), [("1", 1), ("64", 3), ("0", 3), ("many", 3)])
def test_fewer_threads_can_be_asked_for(asked, given, monkeypatch):
    """Catches lectures that crowd each other out where several run side by side."""
    monkeypatch.setattr(settings, "usable_threads", lambda: 3)
    monkeypatch.setenv("OMP_NUM_THREADS", asked)
    assert settings.default_threads() == given


def test_a_seed_of_any_size_is_taken():
    """Catches NumPy's limit of 32 bits, and NumPy's own whole numbers refused."""
    settings.seed_everything(2**40 + 3)
    settings.seed_everything(np.int64(7))


@pytest.mark.parametrize(
    ("wrong", "error", "says"),
    [
        ({"seed": -1}, ValueError, "whole number from 0"),
        ({"seed": 2**70}, ValueError, "whole number from 0"),
        ({"seed": "20"}, ValueError, "whole number from 0"),
        ({"threads": 0}, ValueError, "whole number from 1"),
        ({"threads": 2.5}, ValueError, "whole number from 1"),
        ({"dtype": torch.int64}, TypeError, r"torch\.float32 or torch\.float64"),
        ({"dtype": "float64"}, TypeError, r"torch\.float32 or torch\.float64"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(wrong, error, says):
    """Catches PyTorch's own words, and a 0 that is silently taken for "as many as there are"."""
    with pytest.raises(error, match=says):
        settings.setup(device="cpu", **wrong)
