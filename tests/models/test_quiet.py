"""A model that is asked something is left as it was."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from course_utils.models.quiet import quiet


def test_every_part_is_put_back_even_after_an_error():
    """Catches a frozen part that training resumes in, an error that leaves dropout switched off."""
    frozen, trained = nn.Dropout(0.5).eval(), nn.Dropout(0.5)
    model = nn.Sequential(frozen, trained)
    with quiet(model):
        assert not torch.is_grad_enabled()
        assert not any(part.training for part in model.modules())
    with pytest.raises(ZeroDivisionError), quiet(model):
        _ = 1 / 0
    assert torch.is_grad_enabled()
    assert [part.training for part in (model, frozen, trained)] == [True, False, True]
    with quiet(object()):  # an n-gram has nothing to switch off
        assert not torch.is_grad_enabled()
