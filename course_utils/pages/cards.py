"""Cards to vote with where there is no network: one sheet a person, folded to a letter."""

from __future__ import annotations

from pathlib import Path

from course_utils.own_files import publish

FILE = "cards.html"
LETTERS = {  # each with a colour that prints, and that the colour-blind tell from the others
    "A": "#0072b2",
    "B": "#d55e00",
    "C": "#00664b",
    "D": "#7b3294",
    "E": "#8c510a",
    "F": "#333333",
}
STYLE = """
@page { size: A4; margin: 0; }
* { box-sizing: border-box; }
body { margin: 0; font-family: Arial, Helvetica, sans-serif; }
p { margin: 1em; } @media print { p { display: none; } }
main { width: 210mm; height: 296mm; display: grid; grid-template-columns: 1fr 1fr; }
div { border: 1px dashed #999; display: grid; place-items: center; color: #fff; font-weight: 700;
      font-size: 75mm; line-height: 1; background-clip: content-box; padding: 6mm;
      print-color-adjust: exact; -webkit-print-color-adjust: exact; }
.turned span { transform: rotate(180deg); }
"""


def cards_page(letters: int = 4) -> str:
    """Return a sheet of large letters; the upper row stands on its head, for the fold."""
    shown = [*LETTERS.items()][: letters + letters % 2]
    cells = [
        f'<div{" class=turned" if place < 2 else ""} style="background-color:{colour}">'
        f"<span>{letter}</span></div>"
        for place, (letter, colour) in enumerate(shown)
    ]
    lead = "Print one sheet a person. Fold along the dashed lines; hold up your letter."
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Cards</title>'
        f"<style>{STYLE}</style></head>\n<body><p>{lead}</p><main>{''.join(cells)}</main>"
        "</body></html>\n"
    )


def write_cards(out: Path, letters: int = 4) -> Path:
    """Write the sheet into a folder; return the file."""
    (file,) = publish(out, {FILE: cards_page(letters).encode()})
    return file
