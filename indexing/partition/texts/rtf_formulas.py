r"""Write the formulas of an RTF text as plain characters, so that whoever reads it finds them.

They stand in it as in Word's other files, part by part (`{\mnum …}` for `<m:num>`), and LibreOffice
reads them only where its Math is installed. RTF specification 1.9.1, "Word 2007 Math Elements".
"""

import re
import unicodedata
from dataclasses import dataclass, replace

from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.word.formulas import M, formula_text

# Nobody nests formulas so deep; what is deeper is taken for a part of what is around it.
MAX_DEPTH = 100

_FORMULA = re.compile(rb"\{\\mmath(?![A-Za-z])")
_TOKEN = re.compile(
    rb"\\(?P<word>[A-Za-z]+)(?P<number>-?[0-9]{1,5})? ?|\\'(?P<code>[0-9A-Fa-f]{2})"
    rb"|\\(?P<sign>.)|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|.",
    re.DOTALL,
)
_SIGNS = {b"~": " ", b"_": "-", **{sign: sign.decode() for sign in (b"\\", b"{", b"}")}}


def write_out_formulas(rtf: bytes) -> bytes:
    """Return the text with its formulas as characters; the very same one where it has none."""
    pieces: list[bytes] = []
    end = 0
    while found := _FORMULA.search(rtf, end):
        pieces.append(rtf[end : found.start()])
        formula, end = _read_formula(rtf, found.start())
        pieces.append(_escaped(formula_text(formula)))
    return b"".join([*pieces, rtf[end:]]) if pieces else rtf


@dataclass(slots=True)
class _Group:
    """What stands between two braces, and which part of the formula it belongs to."""

    part: Element
    is_named: bool = False
    stand_ins: int = 1
    """Letters behind the number of another one, for programs that do not know it."""


def _read_formula(rtf: bytes, start: int) -> tuple[Element, int]:
    """Return the formula that begins there, and where it ends."""
    reader = _FormulaReader()
    for token in _TOKEN.finditer(rtf, start):
        if reader.take(token):
            return reader.formula, token.end()
    return reader.formula, len(rtf)


class _FormulaReader:
    """Makes of a formula what it would be in a docx."""

    def __init__(self) -> None:
        self.formula: Element = etree.Element(f"{M}oMath")
        self._groups = [_Group(self.formula)]
        self._to_skip = 0
        self._upper_half = 0

    def take(self, token: re.Match[bytes]) -> bool:
        """Take in what comes next; tell whether the formula ends with it."""
        group = self._groups[-1]
        number = int(token["number"] or 0)
        match token["brace"] or token["word"]:
            case b"{":
                self._groups.append(replace(group, is_named=False))
            case b"}":
                self._groups.pop()
            case b"u":
                self._take_letter(number % 0x10000)
                self._to_skip = group.stand_ins
            case b"uc":
                group.stand_ins = number
            case bytes() as word:
                self._name(group, word.decode())
            case None:
                text = _text_of(token)
                self._write(text[self._to_skip :])
                self._to_skip = max(self._to_skip - len(text), 0)
        return len(self._groups) == 1

    def _name(self, group: _Group, word: str) -> None:
        """Begin the part that the first word of a group names; all others are about its looks."""
        if not group.is_named and word.startswith("m") and len(self._groups) < MAX_DEPTH:
            is_value = group.part.tag.endswith("Pr")
            group.part = etree.SubElement(group.part, f"{M}{word.removeprefix('m')}")
            if is_value:
                group.part.set(f"{M}val", "")
        group.is_named = True

    def _take_letter(self, half: int) -> None:
        """Take in a letter, or a half of one, as those of formulas are."""
        if 0xD800 <= half < 0xDC00:
            self._upper_half = half
        elif 0xDC00 <= half < 0xE000 and self._upper_half:
            letter = chr(0x10000 + (self._upper_half - 0xD800) * 0x400 + half - 0xDC00)
            # Slanted or bold, it is the same letter.
            self._write(unicodedata.normalize("NFKC", letter))
        else:
            self._write(chr(half))

    def _write(self, text: str) -> None:
        part = self._groups[-1].part
        text = "".join(
            " " if sign.isspace() else sign for sign in text if sign.isspace() or sign.isprintable()
        )
        if part.tag == f"{M}r":
            etree.SubElement(part, f"{M}t").text = text
        elif (value := part.get(f"{M}val")) is not None:
            part.set(f"{M}val", value + text.strip())


def _text_of(token: re.Match[bytes]) -> str:
    if token["code"]:
        return bytes.fromhex(token["code"].decode()).decode("cp1252", "replace")
    if token["sign"]:
        return _SIGNS.get(token["sign"], "")
    return (token["text"] or b"").decode("cp1252", "replace")


def _escaped(text: str) -> bytes:
    units = text.encode("utf-16-le")
    codes = (int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2))
    return b"{\\uc1 %s}" % b"".join(map(_escaped_unit, codes))


def _escaped_unit(code: int) -> bytes:
    if code > 0x7F:
        return b"\\u%d?" % (code - 0x10000 if code > 0x7FFF else code)
    sign = bytes([code])
    return b"\\" + sign if sign in b"\\{}" else sign
