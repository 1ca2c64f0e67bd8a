"""Pages without a network and without a script of anybody's: every text is escaped."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape

STYLE = """
:root { color-scheme: light dark; --text: #1b1b1b; --page: #fff; --quiet: #555; --line: #c8c8c8;
  --code: #f3f3f3; --ok: #d8eedb; --nearly: #ffe7bd; --wrong: #f6d2d2; --frame: #0b62a4; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e4e4; --page: #16181b; --quiet: #a8a8a8;
  --line: #474b50; --code: #23262a; --ok: #1d4427; --nearly: #574110; --wrong: #5c2427;
  --frame: #63b3ed; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72em; margin: 2em auto; padding: 0 1em;
  color: var(--text); background: var(--page); overflow-wrap: break-word; }
h1 { line-height: 1.2; } h2 { margin-top: 2em; }
.wide { overflow-x: auto; margin: 1em 0; } table { border-collapse: collapse; }
th { text-align: left; } td, th { border: 1px solid var(--line); padding: .2em .5em;
  vertical-align: top; } td.number { text-align: right; font-variant-numeric: tabular-nums; }
td.bar { width: 12em; } td.bar i { display: block; height: 1.2em; background: var(--frame); }
td.said { min-width: 16em; } td.name { white-space: nowrap; } td.sign { text-align: center; }
pre { background: var(--code); padding: .6em; white-space: pre-wrap; overflow-wrap: anywhere; }
.ok { background: var(--ok); } .misconception { background: var(--nearly); }
.wrong, .error, .stopped { background: var(--wrong); } .much { font-weight: bold; }
.small { font-size: 85%; color: var(--quiet); } li { margin: .3em 0; }
section { margin: 1.5em 0; padding: .1em .8em; border: 1px solid var(--line); }
section.here { outline: 3px solid var(--frame); } nav { position: sticky; bottom: 0;
  display: flex; gap: .5em; padding: .5em 0; background: var(--page); } nav button { flex: 1; }
button { font: inherit; padding: .3em 1em; }
@media (max-width: 40em) { .cards tr:first-child { display: none; }
  .cards tr { display: block; margin: .8em 0; border: 1px solid var(--line); }
  .cards td { display: inline-block; border: 0; } .cards td.said { display: block; } }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } }
"""


def page(title: str, body: str, script: str = "") -> bytes:
    """Return a page; only this very script may run in it."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"script-src 'sha256-{digest}'; " if script else ""
    policy = f"default-src 'none'; {allowed}style-src 'unsafe-inline'"
    tag = f"<script>{script}</script>" if script else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"<title>{text(title)}</title><style>{STYLE}</style></head>\n"
        f"<body><h1>{text(title)}</h1>\n{body}\n{tag}</body></html>\n"
    ).encode("utf-8", "replace")


def text(value: object) -> str:
    """Return a text that is nothing but text on a page."""
    return escape(str(value)).replace("\x00", "\ufffd")


def cell(value: object, css: str = "") -> str:
    """Return one cell of a table."""
    return f'<td class="{css}">{text(value)}</td>' if css else f"<td>{text(value)}</td>"


def row(cells: Iterable[str]) -> str:
    """Return one row of a table, its cells made by `cell`."""
    return f"<tr>{''.join(cells)}</tr>"


def table(heads: Sequence[object], rows: Iterable[str], css: str = "cards") -> str:
    """Return a table, its rows made by `row`; on a phone each is a card, but in a `grid`."""
    top = "".join(f"<th>{text(head)}</th>" for head in heads)
    lines = "\n".join(rows)
    return f'<div class="wide"><table class="{css}"><tr>{top}</tr>\n{lines}</table></div>'
