"""Solutions of lecture 00."""

from __future__ import annotations


def one_step(u, h_before, x):
    return (u * h_before + x).tanh()
