"""What the styles of an OpenDocument text say of it: breaks of pages, titles, hidden text."""

import re
from collections.abc import Mapping

from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.names import FO, STYLE, TEXT

# Nobody builds styles so high upon each other; a ring of them has no end.
MAX_PARENT_STYLES = 20


def page_styles(parts: list[Element]) -> dict[str, tuple[bool, bool]]:
    """Return for each style whether a page ends before it, and whether one ends behind it."""
    styles = {
        style.get(f"{STYLE}name", ""): style
        for part in parts
        for style in part.iter(f"{STYLE}style")
    }
    return {name: _breaks(style, styles) for name, style in styles.items()}


def title_styles(parts: list[Element]) -> set[str]:
    """Return the names of the styles of the title and of what is under it."""
    titles = {"Title", "Subtitle"}
    styles = (style for part in parts for style in part.iter(f"{STYLE}style"))
    return titles | {
        style.get(f"{STYLE}name", "")
        for style in styles
        if style.get(f"{STYLE}parent-style-name") in titles
    }


def raised_styles(parts: list[Element]) -> set[str]:
    """Return the names of the styles of what stands above its line."""
    properties = (one for part in parts for one in part.iter(f"{STYLE}text-properties"))
    return {
        one.getparent().get(f"{STYLE}name", "")
        for one in properties
        if re.match("super|[1-9]", one.get(f"{STYLE}text-position", ""))
    }


def hidden_styles(parts: list[Element]) -> set[str]:
    """Return the names of the styles of text that is not shown."""
    properties = (one for part in parts for one in part.iter(f"{STYLE}text-properties"))
    return {
        one.getparent().get(f"{STYLE}name", "")
        for one in properties
        if one.get(f"{TEXT}display") == "none"
    }


def _breaks(style: Element, styles: Mapping[str, Element]) -> tuple[bool, bool]:
    begins = bool(style.get(f"{STYLE}master-page-name"))
    before = after = ""
    one: Element | None = style
    for _ in range(MAX_PARENT_STYLES):
        if one is None:
            break
        for properties in one.iterchildren(
            f"{STYLE}paragraph-properties", f"{STYLE}table-properties"
        ):
            before = before or properties.get(f"{FO}break-before", "")
            after = after or properties.get(f"{FO}break-after", "")
        one = styles.get(one.get(f"{STYLE}parent-style-name", ""))
    return begins or before == "page", after == "page"
