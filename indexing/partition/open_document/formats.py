"""Write the formats of numbers in OpenDocument as the codes that Office has for them.

Elements: OpenDocument 1.3 part 3, 16.29.
"""

from collections.abc import Iterator

from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.names import NUMBER, STYLE

_DATE_STYLE = f"{NUMBER}date-style"
_STYLES = [f"{NUMBER}{kind}-style" for kind in ("number", "percentage", "currency")]
DAY = "yyyy-mm-dd"

MAX_DIGITS = 32


def format_codes(part: Element) -> dict[str, str]:
    """Return the codes of the formats that the part states, by their names."""
    styles = {one.get(f"{STYLE}name", ""): one for one in part.iter(*_STYLES)}
    codes = {one.get(f"{STYLE}name", ""): DAY for one in part.iter(_DATE_STYLE)}
    for name, style in styles.items():
        codes[name] = "".join(_pieces(_of_positive(style, styles)))
    return codes


def _of_positive(style: Element, styles: dict[str, Element]) -> Element:
    """Return the style that a style names for numbers above zero, which may be itself."""
    for other in style.iterchildren(f"{STYLE}map"):
        if ">" in other.get(f"{STYLE}condition", ""):
            return styles.get(other.get(f"{STYLE}apply-style-name", ""), style)
    return style


def _pieces(style: Element) -> Iterator[str]:
    is_percentage = style.tag == f"{NUMBER}percentage-style"
    for piece in style.iterchildren(f"{NUMBER}*"):
        text = (piece.text or "").replace('"', "")
        if piece.tag == f"{NUMBER}number":
            digits = piece.get(f"{NUMBER}min-integer-digits", "1")
            yield "0" * min(int(digits), MAX_DIGITS) if digits.isdecimal() else "0"
        elif is_percentage and "%" in text:
            yield "%"
        elif text:
            yield f'"{text}"'
