"""Write the numbers of a slide's lists in front of their paragraphs, where PowerPoint counts them.

Kinds of numbers: ECMA-376 part 1, 20.1.10.61 (ST_TextAutonumberScheme).
"""

import re

from lxml import etree

from indexing.partition.numerals import stated_number
from indexing.partition.office.package_xml import Element
from indexing.partition.office.unstructured_parts import list_number

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"

_KIND = re.compile(
    r"(arabic|arabicDb|alphaLc|alphaUc|romanLc|romanUc|ea1Chs|ea1Cht|ea1JpnKor|ea1JpnChsDb|thaiNum)"
    r"(Period|ParenR|ParenBoth|Plain)"
)
_FORMATS = {
    "arabic": "decimal",
    "arabicDb": "decimalFullWidth",
    "alphaLc": "lowerLetter",
    "alphaUc": "upperLetter",
    "romanLc": "lowerRoman",
    "romanUc": "upperRoman",
    "thaiNum": "thaiNumbers",
}
_AROUND = {"Period": "{}.", "ParenR": "{})", "ParenBoth": "({})", "Plain": "{}"}
MAX_NUMBER = 3000


def write_out_numbers(shapes: Element) -> None:
    """Put the number of each paragraph in front of its first run."""
    for body in list(shapes.iter()):
        if isinstance(body.tag, str) and etree.QName(body).localname == "txBody":
            _number(body)


def _number(body: Element) -> None:
    reached: dict[int, tuple[str, int]] = {}  # by level: the kind, and the last number
    for paragraph in body.iterchildren(f"{_A}p"):
        first = next((run for run in paragraph if run.tag in (f"{_A}r", f"{_A}fld")), None)
        if first is None:
            continue
        properties = paragraph.find(f"{_A}pPr")
        level = stated_number(None if properties is None else properties.get("lvl"), 0)
        listed = None if properties is None else properties.find(f"{_A}buAutoNum")
        for deeper in [one for one in reached if one > level]:
            del reached[deeper]
        if listed is None:
            reached.pop(level, None)
            continue
        kind, start = listed.get("type", ""), stated_number(listed.get("startAt"), 1)
        last_kind, last = reached.get(level, ("", 0))
        number = last + 1 if last_kind == f"{kind} {start}" else start
        reached[level] = f"{kind} {start}", number
        if label := _label(number, kind):
            run = etree.Element(f"{_A}r")
            etree.SubElement(run, f"{_A}t").text = f"{label} "
            first.addprevious(run)


def _label(number: int, kind: str) -> str:
    match = _KIND.fullmatch(kind)
    if match is None or not 0 < number <= MAX_NUMBER:
        return ""
    text = list_number(number, _FORMATS.get(match[1], "chineseCounting"))
    return _AROUND[match[2]].format(text) if text else ""
