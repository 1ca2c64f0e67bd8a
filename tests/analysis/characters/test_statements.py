"""A statement ends where Python's ends, is judged by Python, and is written after its beginning."""

from __future__ import annotations

import pytest
import torch

from course_utils.analysis.characters.statements import (
    how_it_stands,
    judged,
    statement_starts,
    written_statements,
)
from course_utils.data.source_code import label_characters
from course_utils.data.vocabulary import Vocabulary
from course_utils.models import NGramLM, RecurrentLM

PIECE = """def f(a):
    # a comment
    x = [a, 'it', (1,
         2)]

    if x == "#":
        return x
    '''three
    lines'''
    pass
"""


@pytest.mark.parametrize(
    ("statement", "way"),
    [
        ("x = [1,\n  2]\n", "compiled"),
        ("if x == '#':\n", "compiled"),
        ("else:  # a comment\n", "compiled"),
        ("except ValueError as e:\n", "compiled"),
        ("try:\n", "compiled"),
        ("@cached\n", "compiled"),
        ("return await x\n", "compiled"),
        ("'''two\nlines'''\n", "compiled"),
        ("x = 1 + \\\n 2\n", "compiled"),
        ("x = 'open\n", "refused"),
        ("x = (1]\n", "refused"),
        ("def f()\n", "refused"),
        ("x = )\n", "refused"),
        ("x = (1,\n", "unfinished"),
        ("'''two\n", "unfinished"),
        ("x = 1", "unfinished"),
    ],
)
def test_python_judges_one_statement(statement, way):
    """Catches a header that is refused for want of its block, and a bracket that nobody closes."""
    assert how_it_stands(statement) == way


def test_real_statements_compile():
    """Catches a place inside a string, a bracket or a comment, and an end before the end."""
    text = 12 * PIECE
    starts = statement_starts(text, label_characters(text), 1000)
    assert {start[-1] for start in starts} == set("dxirp")
    assert all(len(start) == 300 and start in text for start in starts)
    begun = {start.rpartition("\n")[2].strip() for start in starts}
    assert begun == set("dxirp"), "nothing of the statement but its first character"


def test_shares_and_copies():
    """Catches a copy that is counted where it does not compile, and shares that do not add up."""
    texts = ["return self.name_of_it\n", "return self.another_one\n", "x = (\n", "return 'ab\n"]
    found = judged(texts, read="    return self.name_of_it\nreturn 'ab")
    assert found.compiled == 0.5
    assert found.compiled + found.refused + found.unfinished == 1
    assert found.copied == 0.5


def test_a_model_writes_after_the_beginning():
    """Catches a first character that is drawn, another's memory, a text cut too late or early."""
    text = 12 * PIECE
    words = Vocabulary.of(text)
    starts = statement_starts(text, label_characters(text), 9)
    counted = NGramLM(words, 40).fit(words.encode(text))
    for start, said in zip(starts, written_statements(counted, starts, 0), strict=True):
        assert start[:-1] + said in text, "at temperature 0 it goes on as the text does"
    torch.manual_seed(2)
    model = RecurrentLM(words, "lstm", width=5, hidden=7).eval()
    together = written_statements(model, starts, 0.8, seed=3)
    assert together == written_statements(model, starts, 0.8, seed=3)
    assert [said[0] for said in together] == [start[-1] for start in starts]
