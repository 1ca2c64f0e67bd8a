"""What lecture 07 says of its network is true of the file that is shipped."""

from __future__ import annotations

import math

from course_utils.analysis.characters.labels import source_part
from course_utils.analysis.units.search import search_units
from course_utils.explorers.characters.shared import STRING_UNIT
from course_utils.models.model_file import shipped_cards
from course_utils.shipped import load_recurrent_lm


def test_the_shipped_network_is_small_and_good():
    """Catches a network that was exchanged for a larger or a worse one."""
    card = shipped_cards()["source_lstm"]
    assert card["bytes"] <= 2_000_000
    assert card["metrics"]["test_bits"] <= 1.75
    model = load_recurrent_lm("source_lstm")
    text = source_part("test", 12_000).tokens
    assert -model.log_probs(text).mean().item() / math.log(2) < 2


def test_the_string_unit_is_the_one_that_a_search_finds():
    """Catches explorers that show another unit than the one the lecture speaks of."""
    model = load_recurrent_lm("source_lstm")
    texts = [source_part(part, 60_000) for part in ("valid", "test")]
    wanted = [text._replace(labels={"quoted": text.labels["quoted"]}) for text in texts]
    found = search_units(model, *wanted, most=8192, shuffles=2).found["quoted"]
    assert (found.unit.of, found.unit.unit) == ("c", STRING_UNIT)
    assert found.score > 0.9
