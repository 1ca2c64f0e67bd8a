"""Choices as wholes: fates, conclusions, statements, comparisons."""

from __future__ import annotations

LOOPS = (
    "gates hear the memory",
    "h shows the old memory",
    "the fused layer",
    "c is squashed and stored",
)


def said(choices):
    return dict(zip("ABCDEF", choices.split(), strict=False))


def all_are(choice):
    return dict.fromkeys("ABCDEF", choice)


def hold(letters):
    return {letter: letter in letters for letter in "ABCDEF"}


def loops(*order):
    return {letter: LOOPS[k] for letter, k in zip("ABCD", order, strict=True)}


WRONG = {
    "2.4": """
        said("explodes explodes stays stays explodes stays")
        said("vanishes stays vanishes vanishes vanishes stays")
        said("vanishes explodes stays vanishes vanishes explodes")
        all_are("vanishes")
        all_are("stays")
    """,
    "2.8": """
        {*"ABDF"}
        {*"BDFE"}
        {*"BDFG"}
        {*"BCDF"}
        {*"DF"}
        {*"BF"}
        {*"BD"}
        {*"ACEG"}
    """,
    "3.3": """
        loops(2, 1, 0, 3)
        loops(0, 2, 1, 3)
        loops(0, 1, 3, 2)
        loops(3, 1, 2, 0)
        loops(1, 0, 2, 3)
    """,
    "4.5": """
        all_are(True)
        all_are(False)
        hold("ACE")
        hold("ABE")
        hold("AEF")
        hold("A")
    """,
    "4.7": """
        all_are("open")
        all_are("shown")
        said("shown refuted shown refuted open shown")
        said("shown refuted open refuted shown shown")
        said("open open open open open shown")
    """,
    "5.4": """
        said("shown shown shown shown shown open")
        all_are("open")
    """,
    "6.7": """
        all_are("open")
        said("shown shown refuted refuted open open")
        said("shown refuted shown refuted open open")
        said("shown refuted refuted shown open open")
        said("shown refuted refuted refuted shown open")
        said("shown refuted refuted refuted open shown")
    """,
    "7.8": """
        said("open open open open open")
        said("shown shown refuted open refuted")
        said("shown open refuted shown refuted")
        said("shown open open open refuted")
        said("shown refuted refuted refuted refuted")
        said("shown open refuted open shown")
    """,
    "8.5": """
        said("open open open open open")
        said("shown shown refuted open open")
        said("shown refuted refuted open open")
        said("shown open shown open open")
        said("shown open refuted shown open")
        said("shown open refuted open shown")
        said("refuted open refuted open open")
    """,
    "10.3": """
        said("fair fair fair fair fair fair")
        said("unfair unfair unfair unfair unfair unfair")
        said("fair unfair unfair unfair unfair fair")
        said("unfair fair unfair unfair unfair fair")
        said("unfair unfair fair unfair unfair unfair")
        said("unfair unfair fair unfair unfair fair")
        said("unfair unfair unfair fair unfair fair")
        said("unfair unfair unfair unfair fair fair")
    """,
}

RIGHT = {
    "2.4": 'said("VANISHES explodes Stays vanishes vanishes stays")',
    "2.8": """
        ["F", "D", "B"]
        ("B", "D", "F")
        frozenset("BDF")
    """,
    "3.3": "loops(0, 1, 2, 3)",
    "4.5": """
        {"F": 0, "E": 1, "D": 0, "C": 0, "B": 0, "A": 1}
        {k: np.bool_(k in "AE") for k in "ABCDEF"}
    """,
    "4.7": 'said("shown refuted open refuted open shown")',
    "6.7": """
        said("shown refuted refuted refuted open open")
        said("SHOWN Refuted refuted refuted OPEN open")
    """,
    "7.8": """
        said("shown open refuted open refuted")
        said("SHOWN Open refuted OPEN refuted")
    """,
    "8.5": """
        said("shown open refuted open open")
        said("Shown OPEN refuted open open")
    """,
    "10.3": """
        said("unfair unfair unfair unfair unfair fair")
        said("Unfair UNFAIR unfair unfair unfair Fair")
    """,
}
