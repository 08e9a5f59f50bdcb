"""Find the styles of a Word document, and those that each is based on (ECMA-376 part 1, 17.7)."""

import html
import re
from collections.abc import Iterable, Iterator, Mapping

from lxml import etree

from indexing.partition.office.package_xml import Element, parse
from indexing.partition.word.elements import W

# Nobody builds styles so high upon each other; a ring of them has no end.
MAX_BASES = 20

MANY_STYLES = 2000
"""More come of texts that were pasted together for years, or of who wants to do harm."""

_STYLE = re.compile(rb"<(?:\w{1,20}:)?style\b")
_NAMED = re.compile(rb"\b(?:p|r|tbl)Style\b[^<>]{0,200}?\bval\s{0,9}=\s{0,9}[\"']([^\"'<>]*)")


def styles_by_id(styles: Element | None) -> dict[str, Element]:
    """Return the styles by the names that paragraphs know them by; without a part, none."""
    found = [] if styles is None else list(styles.iterchildren(f"{W}style"))
    return {style.get(f"{W}styleId", ""): style for style in found}


def with_bases(name: str, styles: Mapping[str, Element]) -> Iterator[Element]:
    """Yield a style, the one that it is based on, and so on; what comes first counts."""
    for _ in range(MAX_BASES):
        style = styles.get(name)
        if style is None:
            return
        yield style
        base = style.find(f"{W}basedOn")
        name = "" if base is None else base.get(f"{W}val", "")


def without_unused(styles: bytes, parts: Iterable[bytes]) -> bytes:
    """Return the part of the styles without those that no other part names, if there are many.

    The library looks through all of them for each paragraph.
    """
    if sum(1 for _ in _STYLE.finditer(styles)) <= MANY_STYLES:
        return styles
    root = parse(styles)
    by_id = styles_by_id(root)
    named = {name for part in parts for name in _NAMED.findall(part)}
    names = {html.unescape(name.decode("utf-8", "replace")) for name in named}
    names |= {name for name, style in by_id.items() if style.get(f"{W}default")}
    used = {style for name in names for style in with_bases(name, by_id)}
    for style in list(root.iterchildren(f"{W}style")):
        if style not in used:
            root.remove(style)
    left: bytes = etree.tostring(root, xml_declaration=True, encoding="UTF-8")
    return left
