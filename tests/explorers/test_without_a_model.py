"""Explorers that ask no trained model: a page has every place of all their controls."""

from __future__ import annotations

import json
import subprocess
import sys

# In a process of its own, where no model has been read before, and none can be.
PROGRAM = """
import json
from course_utils import explorers
from course_utils.explorers.machinery.tours import kind_of
from course_utils.models import model_file

class AsksAModel(Exception):
    pass

def refuse(*_):
    raise AsksAModel

model_file.shipped_folder = refuse
found = {}
for name in explorers.__all__:
    try:
        explorer = getattr(explorers, name)()
        explorer.move({})
        found[name] = kind_of(explorer)
    except AsksAModel:
        found[name] = "asks"
print(json.dumps(found))
"""


def test_a_page_has_every_place_of_an_explorer_without_a_model():
    """Catches one that moves one control at a time though nothing but a table stands behind it."""
    program = [sys.executable, "-c", PROGRAM]
    found = json.loads(subprocess.run(program, check=True, capture_output=True).stdout)
    assert found["explore_pooling"] == "asks"
    alone = {name: kind for name, kind in found.items() if kind != "asks"}
    assert len(alone) >= 15
    assert {name for name, kind in alone.items() if kind == "one"} == set()
