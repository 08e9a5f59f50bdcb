"""Write a formula of a Word document in one line, with the signs that its layout stands for.

Without them `1/2` would read 12, and ten to the sixth 106.
"""

import re
from collections.abc import Callable
from typing import TypeAlias

from lxml import etree

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"

# These need no brackets: a word, a number, or what is in brackets already.
ONE_PIECE = re.compile(r"[\w.,]*|\([^()]*\)")

Element: TypeAlias = etree._Element


def formula_text(formula: Element) -> str:
    """Return the formula as plain characters; its tree is written into for it."""
    # Inner parts first, because whether a part needs brackets shows by what is in it. Without
    # recursion, so that deep formulas do no harm.
    for node in reversed(list(formula.iter(*LAYOUTS))):
        LAYOUTS[node.tag](node)
    return _text(formula).strip()


def _write_fraction(node: Element) -> None:
    _bracket(node.find(f"{M}num"))
    # Without its line it is no fraction, but one above the other.
    has_line = _value(node, "fPr/type", "bar") != "noBar"
    _set_apart(node.find(f"{M}den"), "/" if has_line else " ")


def _write_index(node: Element) -> None:
    """Mark an index that would read as something else: of a number, or of several signs."""
    base, index = (node.find(f"{M}{name}") for name in ("e", "sub"))
    if base is not None and index is not None:
        written = _text(index).strip()
        is_letter = written.isalnum() and _text(base).strip()[-1:].isalpha()
        if any(map(str.isalnum, written)) and not is_letter:
            _set_apart(index, "_")


def _write_power(node: Element) -> None:
    _set_apart(node.find(f"{M}sup"), "^")


def _write_indexed_power(node: Element) -> None:
    _write_index(node)
    _write_power(node)


def _write_below(node: Element) -> None:
    _set_apart(node.find(f"{M}lim"), "_")


def _write_above(node: Element) -> None:
    _set_apart(node.find(f"{M}lim"), "^")


def _write_root(node: Element) -> None:
    _set_apart(node.find(f"{M}e"), "√")


def _write_sum(node: Element) -> None:
    limits = [node.find(f"{M}{name}") for name in ("sub", "sup")]
    if any(limit is not None and _text(limit) for limit in limits):
        _put_before(node.find(f"{M}e"), " ")
    for limit, sign in zip(limits, "_^", strict=True):
        _set_apart(limit, sign)
    node.insert(0, _sign(_value(node, "naryPr/chr", "∫")))


def _part_rows(node: Element) -> None:
    _part(node, "; ")


def _part_cells(row: Element) -> None:
    _part(row, " ")


def _part(node: Element, sign: str) -> None:
    parts = [part for part in node if part.tag in (f"{M}e", f"{M}mr")]
    for part in parts[1:]:
        part.insert(0, _sign(sign))


def _write_function(node: Element) -> None:
    _put_before(node.find(f"{M}e"), " ")


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


def _set_apart(part: Element | None, sign: str) -> None:
    _bracket(part)
    _put_before(part, sign)


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


_WRITERS: dict[str, Callable[[Element], None]] = {
    "f": _write_fraction,
    "sSub": _write_index,
    "sSup": _write_power,
    "sSubSup": _write_indexed_power,
    "limLow": _write_below,
    "limUpp": _write_above,
    "rad": _write_root,
    "d": _delimit,
    "nary": _write_sum,
    "m": _part_rows,
    "mr": _part_cells,
    "eqArr": _part_rows,
    "func": _write_function,
}
LAYOUTS = {f"{M}{name}": write for name, write in _WRITERS.items()}
"""How each is written: a fraction, what is below and above something, a root, brackets, a sum or
integral, a matrix, equations below each other, a function."""
