"""Write a formula of a Word document in one line, with the signs that its layout stands for.

Without them `1/2` would read 12, and ten to the sixth 106.
"""

import re
from typing import TypeAlias

from lxml import etree

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"

# A fraction, a power, one with an index, a root, brackets, a sum or integral, a row, a function.
LAID_OUT = [f"{M}{name}" for name in ("f", "sSup", "sSubSup", "rad", "d", "nary", "mr", "func")]
# These need no brackets: a word, a number, or what is in brackets already.
ONE_PIECE = re.compile(r"[\w.,]*|\([^()]*\)")

Element: TypeAlias = etree._Element


def formula_text(formula: Element) -> str:
    """Return the formula as plain characters; its tree is written into for it."""
    # Inner parts first, because whether a part needs brackets shows by what is in it. Without
    # recursion, so that deep formulas do no harm.
    for node in reversed(list(formula.iter(*LAID_OUT))):
        _write_signs(node)
    return _text(formula).strip()


def _write_signs(node: Element) -> None:
    match node.tag.removeprefix(M):
        case "f":
            _bracket(node.find(f"{M}num"))
            _bracket(node.find(f"{M}den"))
            # Without its line it is no fraction, but one above the other.
            has_line = _value(node, "fPr/type", "bar") != "noBar"
            _put_before(node.find(f"{M}den"), "/" if has_line else " ")
        case "sSup" | "sSubSup":
            _bracket(node.find(f"{M}sup"))
            _put_before(node.find(f"{M}sup"), "^")
        case "rad":
            _bracket(node.find(f"{M}e"))
            _put_before(node.find(f"{M}e"), "√")
        case "nary":
            node.insert(0, _sign(_value(node, "naryPr/chr", "∫")))
        case "mr":
            _part_cells(node)
        case "func":
            _put_before(node.find(f"{M}e"), " ")
        case _:
            _delimit(node)


def _part_cells(row: Element) -> None:
    for cell in row:
        cell.append(_sign(" "))


def _delimit(node: Element) -> None:
    """Write the brackets, bars or braces around an expression; they are no text in the file."""
    for part in node.findall(f"{M}e")[1:]:
        _put_before(part, _value(node, "dPr/sepChr", "|"))
    node.insert(0, _sign(_value(node, "dPr/begChr", "(")))
    node.append(_sign(_value(node, "dPr/endChr", ")")))


def _bracket(part: Element | None) -> None:
    if part is not None and not ONE_PIECE.fullmatch(_text(part)):
        part.insert(0, _sign("("))
        part.append(_sign(")"))


def _put_before(part: Element | None, sign: str) -> None:
    if part is not None and _text(part):
        part.insert(0, _sign(sign))


def _value(node: Element, path: str, default: str) -> str:
    found = node.find("/".join(f"{M}{name}" for name in path.split("/")))
    return default if found is None else found.get(f"{M}val", default)


def _sign(text: str) -> Element:
    sign = etree.Element(f"{M}t")
    sign.text = text
    return sign


def _text(part: Element) -> str:
    return "".join(text.text or "" for text in part.iter(f"{M}t"))
