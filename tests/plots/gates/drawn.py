"""Read a drawing of shapes: its elements by their keys, as a page finds them."""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

SVG = "{http://www.w3.org/2000/svg}"


def read(svg: str) -> Element:
    """Return the drawing's root; refuse what is no XML."""
    return ElementTree.fromstring(svg)


def part(root: Element, *keys: str) -> Element:
    """Return what has these keys, one inside the other."""
    for key in keys:
        (root,) = (one for one in root.iter() if one.get("data-key") == key)
    return root


def text(root: Element, *keys: str) -> str:
    """Return the letters of a part."""
    return "".join(part(root, *keys).itertext()).replace("\u200b", "")


def number(root: Element, *keys_and_name: str) -> float:
    """Return one attribute of a part."""
    *keys, name = keys_and_name
    return float(part(root, *keys).get(name))
