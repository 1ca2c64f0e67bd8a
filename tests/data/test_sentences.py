"""Sentences out of running text."""

from __future__ import annotations

from course_utils.data.english import english
from course_utils.data.sentences import sentences
from course_utils.data.tokens import GLUE


def joined(text: str) -> list[str]:
    return [" ".join(sentence) for sentence in sentences(text)]


def test_sentences_end_where_a_reader_ends_them():
    """Catches an end after a title, an initial, a number or a short form, and quotes cut off."""
    text = (
        'Mr. Adams met Gen. Smith in the U.S. Capitol. He paid $1,250.50 for it! "Why?" she asked. '
        "The end (so to speak.) Then came No. 4 of J. Q. Adams' notes; nobody read them."
    )
    assert joined(text) == [
        "Mr . Adams met Gen . Smith in the U . S . Capitol .",
        "He paid $ 1,250.50 for it !",
        '" Why ? " she asked .',
        "The end ( so to speak . )",
        "Then came No . 4 of J . Q . Adams ' notes ; nobody read them .",
    ]


def test_lines_are_sentences_and_empty_ones_are_none():
    """Catches headings glued to the paragraph below them."""
    assert joined("FOREIGN POLICY\n\nWe want peace. I do too.\n") == [
        "FOREIGN POLICY",
        "We want peace .",
        "I do too .",
    ]
    assert sentences("") == sentences(" \n\n ") == []


def test_no_token_is_lost_and_spacing_marks_are_gone():
    """Catches words dropped at a border, or the tokenizer's marks left among the words."""
    speech = english().test[0]
    found = [token for sentence in sentences(speech.text) for token in sentence]
    assert GLUE not in found
    assert "".join(found) == "".join(speech.text.split())
    lengths = [len(sentence) for sentence in sentences(speech.text)]
    assert 15 < sum(lengths) / len(lengths) < 50
