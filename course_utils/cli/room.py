"""What asks a room: a server that phones reach, or cards to hold up."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Annotated

import typer

from course_utils.cli.out import out_folder

PORT = 8877
RELAY_KEY = "COURSE_RELAY_KEY"


def room(
    trial: Annotated[
        bool, typer.Option("--try", help="See before a lecture whether a phone can reach it.")
    ] = False,
    relay: Annotated[
        str, typer.Option(metavar="URL", help=f"Meet at a relay; its password is in {RELAY_KEY}.")
    ] = "",
    as_relay: Annotated[
        bool, typer.Option("--as-relay", help="Be the relay, behind this machine's TLS proxy.")
    ] = False,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Where it listens.")] = PORT,
    address: Annotated[str, typer.Option(help="This laptop's address, where it has many.")] = "",
    per_address: Annotated[
        int, typer.Option(min=0, help="Voters from one address at most; 0: any number.")
    ] = 0,
    counts: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add the counts of each vote to a file.")
    ] = None,
) -> None:
    """Let phones vote on the predictions of a lecture, until Ctrl-C.

    It prints a QR code, and `v` in the slides asks. It is a process of its own: phones reach no
    notebook, kernel or file. Nothing is kept but counts, where --counts asks for them.
    """
    from course_utils.room.calls import Unreachable
    from course_utils.room.serve import run_at, run_here, run_relay
    from course_utils.room.whereabouts import NotOurs

    password = os.environ.get(RELAY_KEY, "")
    if (relay or as_relay) and len(password) < 16:
        raise typer.BadParameter(f"set {RELAY_KEY} to the relay's password, 16 letters or more")
    if (relay or as_relay) and (per_address or counts):
        raise typer.BadParameter("--per-address and --counts are for a room on this laptop")
    if relay and not relay.startswith(("https://", "http://")):
        raise typer.BadParameter("a relay's address begins with https://")
    if counts and not counts.parent.is_dir():
        raise typer.BadParameter(f"{counts.parent} is no folder")
    if as_relay:
        running = run_relay(port, password)
    elif relay:
        running = run_at(relay.rstrip("/"), password, trial)
    else:
        running = run_here(port, address, per_address, counts, trial)
    try:
        asyncio.run(running)
    except (Unreachable, NotOurs) as problem:
        typer.echo(problem, err=True)
        raise typer.Exit(1) from None
    except OSError as problem:
        typer.echo(f"port {port}: {problem}. Name another one: --port", err=True)
        raise typer.Exit(1) from None


def cards(
    letters: Annotated[int, typer.Option(min=2, max=6, help="How many, from A on.")] = 4,
    out: Annotated[
        Path, typer.Option(parser=out_folder, metavar="FOLDER", help="Folder for the page.")
    ] = Path("build", "cards"),
) -> None:
    """Write a page of letters to print: a class votes by holding one up.

    In a show, `v` takes the counts. A second call replaces only that page.
    """
    from course_utils.pages.cards import write_cards

    print(write_cards(out, letters))
