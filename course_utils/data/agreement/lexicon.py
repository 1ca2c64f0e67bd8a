"""The words of a small English, with everything about them that a grammar must know."""

from __future__ import annotations

from typing import NamedTuple

SINGULAR, PLURAL = "S", "P"
NUMBERS = (SINGULAR, PLURAL)


def other_number(number: str) -> str:
    """Return P for S and S for P."""
    return PLURAL if number == SINGULAR else SINGULAR


class Noun(NamedTuple):
    """A noun in both numbers."""

    singular: str
    plural: str

    def form(self, number: str) -> str:
        """Return the form of a number, S or P."""
        return self.singular if number == SINGULAR else self.plural


class Verb(NamedTuple):
    """A verb: what it is with a singular subject, with a plural one, and in the past."""

    singular: str
    plural: str
    past: str

    def form(self, number: str) -> str:
        """Return the present form of a number, S or P."""
        return self.singular if number == SINGULAR else self.plural


IRREGULAR = {"man": "men", "woman": "women", "child": "children", "mouse": "mice", "wolf": "wolves"}
STRONG = {"know": "knew", "see": "saw", "hear": "heard", "find": "found", "meet": "met"}


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _noun(singular: str) -> Noun:
    ending = "es" if singular.endswith(("x", "ss", "ch")) else "s"
    return Noun(singular, IRREGULAR.get(singular, singular + ending))


def _verb(plural: str) -> Verb:
    past = plural + ("d" if plural.endswith("e") else "ed")
    return Verb(plural + "s", plural, STRONG.get(plural, past))


NOUNS = tuple(
    map(
        _noun,
        _words(
            "boy girl man woman child teacher doctor lawyer farmer singer driver painter baker "
            "pilot sailor soldier nurse guard poet king queen actor author dancer uncle aunt "
            "cousin neighbor friend student captain clerk hunter miner monk tailor dog cat horse "
            "mouse bird cow goat wolf fox bear lion duck"
        ),
    )
)
# nobody has heard these; they are taught as objects only, and tested as subjects
INVENTED = tuple(map(_noun, _words("wug blick dax fep zorn tulver plaff mib gazzer kip norg spad")))
VERBS = tuple(
    map(
        _verb,
        _words(
            "admire avoid greet remember observe confuse encourage inspire interrupt know like "
            "describe discover ignore follow visit thank trust see hear find meet need want love "
            "hate praise blame warn join defend surprise"
        ),
    )
)
ADVERBS = _words(
    "probably certainly often gladly quietly slowly quickly rarely openly deliberately warmly "
    "firmly calmly freely kindly bravely"
)
DEGREES = ("most", "very", "quite", "rather")
PREPOSITIONS = _words("near behind beside beyond above against below opposite")
# which determiners go with which number; "the" goes with both, and is all that a test uses
DETERMINERS = {SINGULAR: ("a", "this", "every"), PLURAL: ("two", "these", "many")}

NAMES = {
    "she": ("Alice", "Clara", "Emma", "Grace", "Ida", "Kate"),
    "he": ("Ben", "David", "Fred", "Henry", "Jack", "Luke"),
}
# where somebody went, and what one builds there
BUILT_AT = {
    "beach": "sandcastle",
    "river": "dam",
    "city": "tower",
    "forest": "hut",
    "farm": "barn",
    "garden": "shed",
    "village": "school",
    "harbor": "ship",
}
# who enters what: the subject decides, the verb is always the same
ENTERS = {
    who: what
    for what, group in {
        "house": ("family", "couple", "household"),
        "market": ("team", "firm", "company"),
        "fort": ("army", "troop", "regiment"),
        "stage": ("choir", "band", "orchestra"),
    }.items()
    for who in group
}
LANDMARKS = _words("bridge church tree wall gate lake hill road")
