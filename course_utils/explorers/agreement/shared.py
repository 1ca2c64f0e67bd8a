"""What the agreement explorers share: models, sentences, and typed lists of units."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

import ipywidgets as widgets

from course_utils.data.agreement.balanced import agreement_items
from course_utils.data.agreement.item import AgreementItem
from course_utils.data.agreement.lexicon import INVENTED, NOUNS, PLURAL, SINGULAR
from course_utils.data.agreement.sentences import PATTERNS
from course_utils.explorers.machinery.controls import choice, slider
from course_utils.models import RecurrentLM
from course_utils.shipped import load_recurrent_lm

NETWORKS = ("lstm", "gru", "elman")
NUMBER_UNIT = 32  # of the shipped LSTM: what lecture 06 finds, and a test finds again
OTHER_UNITS = ("3, 14", "0 1 2 3 4 5 6 7 8 9")  # that a page without a kernel offers
SENTENCES = 10  # that one can choose from, of every pattern
NUMBERS = [("singular", SINGULAR), ("plural", PLURAL)]
SHOWN = [kind for kind in PATTERNS if kind != "five noun-PPs"]  # fit into a picture
OTHER_FORM = {
    form: other for noun in (*NOUNS, *INVENTED) for form, other in (noun, (noun[1], noun[0]))
}


class Pair(NamedTuple):
    """A sentence up to its verb, and the same with the other number of its subject."""

    own: AgreementItem
    other: AgreementItem


@lru_cache(maxsize=3)
def network(cell: str) -> RecurrentLM:
    """Return a shipped model that has read the small English."""
    return load_recurrent_lm(f"agreement_{cell}")


def sentence_controls(kind: str = "noun-PP") -> dict[str, widgets.Widget]:
    """Return the controls that choose one sentence of the test set."""
    return {
        "kind": choice("sentence", SHOWN, kind),
        "which": slider("which of ten", 1, SENTENCES, 1, 1),
        "subject": choice("subject", NUMBERS, SINGULAR),
        "others": choice("other nouns", NUMBERS, PLURAL),
    }


def chosen_pair(kind: str, which: int, subject: str, others: str) -> Pair:
    """Return what the controls choose, and its counterpart."""
    pair = [chosen_item(kind, which, number, others) for number in (subject, _other(subject))]
    return Pair(*pair)


def chosen_item(kind: str, which: int, subject: str, others: str) -> AgreementItem:
    """Return one sentence of the test set, with these numbers of its nouns."""
    items = _by_condition(kind)
    nouns = len(items[0][0])
    condition = subject + others * (nouns - 1)
    return [item for name, item in items if name == condition][which - 1]


@lru_cache(maxsize=16)
def _by_condition(kind: str) -> list[tuple[str, AgreementItem]]:
    items = agreement_items("test", (kind,), SENTENCES)
    return [(item.condition, item) for item in items]


def _other(number: str) -> str:
    return PLURAL if number == SINGULAR else SINGULAR


def units_of(typed: str, model: RecurrentLM) -> tuple[list[int], str]:
    """Return the units in a typed line such as "12, 57", and a note on what is not a unit."""
    H = model.recurrent.hidden_size
    pieces = [piece for piece in re.split(r"[\s,;]+", typed.strip()) if piece]
    right = [piece for piece in pieces if re.fullmatch("[0-9]{1,6}", piece) and int(piece) < H]
    wrong = [piece[:12] for piece in pieces if piece not in right]
    note = f"{wrong[0]!r} is not a unit: type numbers from 0 to {H - 1}" if wrong else ""
    return list(dict.fromkeys(map(int, right))), note
