"""Labels of characters are those that a reader would give after having read each."""

from __future__ import annotations

import torch

from course_utils.analysis.characters.labels import ASKED, python_text, source_part

TEXT = 'if a("bc"):\n    x = [1, "d"]  # e\n'


def marks_of(name: str) -> str:
    values = python_text(TEXT).labels[name].values
    return "".join(TEXT[k] for k in range(len(TEXT)) if values[k])


def test_a_string_is_open_until_its_quote_closes():
    """Catches a closing quote that counts as inside, or an opening one that does not."""
    assert marks_of("string") == '"bc"d'
    since = python_text(TEXT).labels["since"]
    assert since.values[since.counted].tolist() == [0, 1, 2, 0, 1]


def test_the_other_labels_are_those_of_the_text():
    """Catches labels under another's name."""
    assert marks_of("comment") == "# e"
    assert marks_of("quoted") == marks_of("which") == '"bc"d'
    which = python_text("a = ['b', \"c\"]\n").labels["which"]
    assert which.values[which.counted].tolist() == [False, False, True, True]
    assert marks_of("condition") == ' a("bc")'
    assert marks_of("bracket") == '("bc")[1, "d"]'
    assert marks_of("silent") == '"bc"d# e'
    assert marks_of("ending") == ":e"
    labels = python_text(TEXT).labels
    assert labels["column"].values[12:16].tolist() == [0, 1, 2, 3]
    assert labels["indentation"].values.unique().tolist() == [0, 1]
    assert [asked.name for asked in ASKED] == list(labels)
    for asked in ASKED:
        assert (labels[asked.name].values.dtype == torch.bool) == asked.is_mark


def test_a_stretch_of_a_part_keeps_its_labels():
    """Catches labels that do not move with the text."""
    whole, later = source_part("test", 900), source_part("test", 300, first=500)
    assert later.tokens == whole.tokens[500:800]
    for name in ("comment", "column", "indentation", "condition"):
        own = later.labels[name].values
        torch.testing.assert_close(own, whole.labels[name].values[500:800])
