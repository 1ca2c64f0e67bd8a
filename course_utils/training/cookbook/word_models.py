"""Word models that are small enough to be watched: what the gate walkthrough reads with."""

from __future__ import annotations

from course_utils.training.cookbook.english_words import DATA, EnglishConfig, english_plan
from course_utils.training.recipes.recipe import Recipe, register

for cell in ("lstm", "gru"):
    register(
        Recipe(
            f"word_{cell}",
            f"a word {cell.upper()} of 128 units for the gate walkthrough, minutes to train",
            DATA,
            EnglishConfig(
                steps=1200, lr=4e-3, cell=cell, words=5000, tied=True, evaluate_every=400
            ),
            english_plan,
            "recurrent_lm",
        )
    )
