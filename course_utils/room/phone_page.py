"""The pages that phones see: whole in one answer, below 15 kB, and usable without any script."""

from __future__ import annotations

import html
import re
import secrets
from functools import cache
from pathlib import Path
from typing import Any

PART = re.compile(r"\{(\w+)\}")
PAGE = Path(__file__).parent / "page"
POLICY = (
    "default-src 'none'; style-src 'nonce-{nonce}' 'unsafe-inline'; connect-src 'self'; "
    "script-src 'nonce-{nonce}' 'unsafe-inline'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)  # who knows a nonce ignores 'unsafe-inline'; older browsers know only that


@cache
def _file(name: str) -> str:
    return (PAGE / name).read_text(encoding="utf-8")


def phone_page(code: str, state: dict[str, object], said: str = "") -> tuple[str, str]:
    """Return the page of a room, with the question that is open now, and its policy."""
    return _filled(
        "phone.html",
        code=code,
        question=_question(state),
        said=html.escape(said),
        script=_file("phone.js"),
        refresh='<noscript><meta http-equiv="refresh" content="8"></noscript>',
    )


def entry_page(home: str, said: str = "") -> tuple[str, str]:
    """Return the page that asks for a room's four letters, and its policy."""
    return _filled("entry.html", home=html.escape(home), said=html.escape(said))


def _filled(name: str, **parts: str) -> tuple[str, str]:
    nonce = secrets.token_hex(8)
    parts |= {"style": _file("phone.css"), "nonce": nonce}
    # in one go: what a question says is not looked through for names of parts
    page = PART.sub(lambda found: parts[found[1]], _file(name))
    return page, POLICY.format(nonce=nonce)


def _question(state: dict[str, Any]) -> str:
    """Return the question as a form that needs no script."""
    if not state["question"]:
        return "<p>Wait for a question.</p>"
    asked = f"<p>{html.escape(state['question'])}</p>"
    if not state["open"]:
        return f"{asked}<p>Closed. Look at the wall.</p>"
    turn = f'<input type="hidden" name="turn" value="{state["turn"]}">'
    if state["kind"] == "choice":
        buttons = "".join(
            f'<button class="choice{" chosen" if state["mine"] == at else ""}" name="answer" '
            f'value="#{at}">{chr(65 + at)}&ensp;{html.escape(option)}</button>'
            for at, option in enumerate(state["options"])
        )
        return asked + turn + buttons
    label = "One number" if state["kind"] == "number" else "In your words"
    unit = f", in {html.escape(state['unit'])}" if state["unit"] else ""
    mine = "" if state["mine"] is None else html.escape(str(state["mine"]))
    field = f'<input id="answer" name="answer" maxlength="200" value="{mine}">'
    return f'{asked}{turn}<label for="answer">{label}{unit}</label> {field} <button>Send</button>'
