"""Where copies of the public data sets lie, for tests that read them; a clone has none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VARIABLE = "COURSE_SET_COPIES"  # a folder with a folder for each set
COPIES = Path(os.environ.get(VARIABLE, ""))
needs_copies = pytest.mark.skipif(
    not os.environ.get(VARIABLE), reason=f"reads copies of the public sets: {VARIABLE}=FOLDER"
)
