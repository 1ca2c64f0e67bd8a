"""The word that starts a show: for one lecture, once."""

from __future__ import annotations

from pathlib import Path

from course_utils.presenting import Invitation

LECTURE = Path("notebooks", "03_lstm.ipynb")


def test_a_word_starts_its_lecture_once():
    """Catches a reload or a copied link that runs the lecture again."""
    invitation = Invitation()
    word = invitation.invite(LECTURE)
    assert invitation.holds(word)
    assert invitation.use(word, "notebooks/03_lstm.ipynb")
    assert not invitation.holds(word)
    assert not invitation.use(word, "notebooks/03_lstm.ipynb")


def test_nothing_else_starts_anything():
    """Catches no word that fits where none was given, and a word good for every notebook."""
    invitation = Invitation()
    assert not invitation.holds("")
    assert not invitation.use("", "")
    word = invitation.invite(LECTURE)
    assert not invitation.use(word, "student/evil.ipynb")
    assert not invitation.use("", "notebooks/03_lstm.ipynb")
    assert not invitation.use(word + "é", "notebooks/03_lstm.ipynb")
    assert invitation.use(word, "notebooks/03_lstm.ipynb"), "the tries above used it up"


def test_words_cannot_be_guessed():
    """Catches a word that a page could try out."""
    words = {Invitation().invite(LECTURE) for _ in range(100)}
    assert len(words) == 100
    assert min(map(len, words)) >= 32
