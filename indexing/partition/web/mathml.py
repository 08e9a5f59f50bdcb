"""Write a formula of a web page, a book or an OpenDocument in one line, as those of Word are.

Without the signs that its layout stands for, `1/2` would read 12, and ten to the sixth 106.
"""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lxml import etree

from indexing.partition.text import clean_line
from indexing.partition.word.formulas import ONE_PIECE

# What lies deeper is taken as if it lay here; no formula that a person reads has so much.
MAX_DEPTH = 100

# The formula once more in another language, and what only takes room.
UNSEEN = {"annotation", "annotation-xml", "mphantom"}
# Signs between factors or arguments, which are not drawn; and one before an argument.
UNDRAWN = str.maketrans({"\u2061": " ", "\u2062": "", "\u2063": "", "\u2064": ""})


class FormulaBuilder:
    """Takes start tags, end tags and text within a formula, as a parser's target does."""

    def __init__(self) -> None:
        self._open = [_Part("math", {})]
        self._too_deep = 0

    @property
    def depth(self) -> int:
        """How many tags within the formula are open."""
        return len(self._open) - 1 + self._too_deep

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Take a start tag, with a prefix or a name space or without."""
        if len(self._open) > MAX_DEPTH:
            self._too_deep += 1
        else:
            self._open.append(_Part(tag.rpartition(":")[2].rpartition("}")[2], attributes))

    def end(self) -> None:
        """Take an end tag."""
        if self._too_deep:
            self._too_deep -= 1
        elif len(self._open) > 1:
            part = self._open.pop()
            self._open[-1].texts.append(part.text())

    def data(self, text: str) -> None:
        """Take text; blanks between tags are none."""
        written = text.strip().translate(UNDRAWN)
        if written:
            self._open[-1].texts.append(written)

    def text(self) -> str:
        """Return the formula as plain characters."""
        while len(self._open) > 1:
            self.end()
        return clean_line(self._open[0].text())


def mathml_text(formula: etree._Element) -> str:
    """Return the formula that a tree holds as plain characters."""
    builder = FormulaBuilder()
    for event, node in etree.iterwalk(formula, ("start", "end")):
        if event == "start":
            builder.start(node.tag, dict(node.attrib))
            builder.data(node.text or "")
        else:
            builder.end()
            builder.data(node.tail or "")
    return builder.text()


@dataclass(slots=True)
class _Part:
    name: str
    attributes: Mapping[str, str]
    texts: list[str] = field(default_factory=list)  # of the parts in it

    def text(self) -> str:
        if self.name in UNSEEN:
            return ""
        if self.name == "mfrac" and self.attributes.get("linethickness", "")[:1] == "0":
            return " ".join(self.texts)  # No fraction, but one above the other.
        if self.name == "mfenced":
            begins, ends = (self.attributes.get(name, "") for name in ("open", "close"))
            return f"{begins or '('}{','.join(self.texts)}{ends or ')'}"
        if self.name in SEPARATORS:
            return SEPARATORS[self.name].join(filter(None, self.texts))
        if self.name == "msqrt":
            return f"√{_bracketed(_row(*self.texts))}"
        count, write = LAYOUTS.get(self.name, (0, _row))
        return write(*self.texts) if len(self.texts) == count else _row(*self.texts)


def _row(*texts: str) -> str:
    """Join what stands in a row; words are parted, letters and numbers are not."""
    row = list(texts[:1])
    for before, text in itertools.pairwise(texts):
        is_word = any(len(one) > 1 and one.isalpha() for one in (before, text))
        parts_words = is_word and before[-1:].isalnum() and text[:1].isalnum()
        row += [" ", text] if parts_words else [text]
    return "".join(row)


def _fraction(above: str, below: str) -> str:
    return f"{_bracketed(above)}/{_bracketed(below)}"


def _power(base: str, index: str) -> str:
    if not any(map(str.isalnum, index)):
        return f"{base}{index}"  # A prime, an asterisk, an accent.
    # Else its last letter alone would be raised.
    base = _bracketed(base) if any(sign in base for sign in "/√^") else base
    return f"{base}^{_bracketed(index)}"


def _indexed(base: str, index: str) -> str:
    if base[-1:].isalpha() and index.isalnum():
        return f"{base}{index}"
    return f"{base}_{_bracketed(index)}" if any(map(str.isalnum, index)) else f"{base}{index}"


def _between(base: str, below: str, above: str) -> str:
    return _power(_indexed(base, below), above)


def _root(base: str, degree: str) -> str:
    return f"{degree}√{_bracketed(base)}"


def _bracketed(text: str) -> str:
    return text if ONE_PIECE.fullmatch(text) else f"({text})"


LAYOUTS: dict[str, tuple[int, Callable[..., str]]] = {
    "mfrac": (2, _fraction),
    "msup": (2, _power),
    "mover": (2, _power),
    "msub": (2, _indexed),
    "munder": (2, _indexed),
    "msubsup": (3, _between),
    "munderover": (3, _between),
    "mroot": (2, _root),
}
"""How many parts each has, and how they are written."""

SEPARATORS = {"mtr": " ", "mlabeledtr": " ", "mtable": "; "}
