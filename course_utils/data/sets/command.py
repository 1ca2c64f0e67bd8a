"""What `course data` understands: see, fetch, bring, verify and remove the sets of the registry."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from course_utils.data.sets import registry
from course_utils.data.sets.cache import cache_folder
from course_utils.data.sets.catalogue import ENTRIES, Entry, entry


def parser() -> argparse.ArgumentParser:
    """Return the description of every action."""
    parser = argparse.ArgumentParser(
        prog="course data",
        description="Larger and classic data sets, verified before use. No lecture needs one.",
        epilog="COURSE_DATA=DIR keeps them elsewhere; COURSE_OFFLINE=1 forbids the network.",
    )
    actions = parser.add_subparsers(dest="action", required=True)
    actions.add_parser("list", help="show every set, its size, its terms, and whether it is here")
    fetch = actions.add_parser("fetch", help="download sets")
    add = actions.add_parser("add", help="take a set from files that you have, gzipped or not")
    verify = actions.add_parser("verify", help="compare every byte of sets with what it must be")
    remove = actions.add_parser("remove", help="delete sets from the cache")
    add.add_argument("name")
    add.add_argument("files", nargs="+", metavar="FILE")
    verify.add_argument("names", nargs="*", metavar="NAME", help="all that are here by default")
    for action in (fetch, remove):
        action.add_argument("names", nargs="+", metavar="NAME")
    return parser


def main(arguments: Sequence[str]) -> int:
    """Do what the arguments say; return the exit code."""
    options = parser().parse_args(arguments)
    try:
        if options.action == "add":
            return _add(options.name, options.files)
        return {"list": _list, "fetch": _fetch, "verify": _verify, "remove": _remove}[
            options.action
        ](getattr(options, "names", []))
    except (ValueError, OSError) as error:
        print(f"course data: {error}", file=sys.stderr)
        return 1


def _list(names: list[str]) -> int:
    print(f"cache: {cache_folder()}")
    for known in ENTRIES:
        size = "size unknown" if known.size is None else f"{known.size / 1e6:.1f} MB"
        here = "here" if _is_here(known) else ""
        print(f"{known.name:<20} {size:>12}  {here:<4}  {known.about}")
        print(f"{'':<40}{known.licence}; {known.citation}")
        if known.weakness:
            print(f"{'':<40}{known.weakness}")
    return 0


def _fetch(names: list[str]) -> int:
    for wanted in map(entry, names):
        print(f"{wanted.name}: {registry.fetch(wanted)}\n  {wanted.licence}; {wanted.citation}")
    return 0


def _add(name: str, files: list[str]) -> int:
    missing = registry.add(name, files)
    if missing:
        print(f"{name} is not complete yet: still missing {', '.join(missing)}")
        return 1
    print(f"{name}: {registry.fetch(name)}")
    return 0


def _verify(names: list[str]) -> int:
    wanted = [*map(entry, names)] if names else [known for known in ENTRIES if _is_here(known)]
    found = {known.name: registry.problems(known) for known in wanted}
    for known in wanted:
        right = "every byte is right" + (f" ({known.weakness})" if known.weakness else "")
        print(f"{known.name}: {'; '.join(found[known.name]) or right}")
    return 1 if any(found.values()) else 0


def _remove(names: list[str]) -> int:
    for wanted in map(entry, names):
        print(f"{wanted.name}: {'removed' if registry.remove(wanted) else 'was not here'}")
    return 0


def _is_here(known: Entry) -> bool:
    return (cache_folder() / known.name / registry.MANIFEST).exists()
