"""Trained models are read in one place, without the code that trained them."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from course_utils.models.model_file import shipped_cards
from course_utils.shipped import KINDS_OF_MODELS, load_trained

USE = """
    import sys
    from course_utils.models.elmo import BiLanguageModel, BiLM
    from course_utils.models.model_file import shipped_cards
    from course_utils.shipped import load_trained

    names = [*shipped_cards()]
    for name in names:
        load_trained(name)
    BiLM.from_pretrained("small").packed()([["Let", "us", "see"]])
    BiLanguageModel.from_pretrained("small").guesses(["Let", "us"])
    print(names, [name for name in sys.modules if name.startswith("course_utils.training")])
"""


def test_using_a_model_imports_no_training_code():
    """Catches a reader that asks the recipes how a model is built."""
    told = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(USE)],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert told.stdout == f"{[*shipped_cards()]} []\n"


@pytest.mark.parametrize("name", shipped_cards())
def test_every_shipped_card_says_what_its_model_is(name):
    """Catches a card without a kind, and a model in training mode."""
    assert shipped_cards()[name]["kind"] in KINDS_OF_MODELS
    model = load_trained(name)
    assert not model.training
    assert sum(p.numel() for p in model.parameters()) == shipped_cards()[name]["parameters"]
