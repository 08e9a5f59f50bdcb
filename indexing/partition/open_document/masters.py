"""Write out what stands on many slides, once: on the first that shows it."""

from copy import deepcopy

from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.names import DRAW, PRESENTATION, STYLE, TEXT, P

_NO_TEXTS = (f"{DRAW}image", f"{TEXT}page-number")
_MASTER, _FOOTER = "background-objects-visible", "display-footer"
_FOOTER_OF = f"{PRESENTATION}use-footer-name"


def write_out_masters(content: Element, styles: Element) -> None:
    """Copy each text of a master page, and each footer, to the first slide on which it is shown.

    What is a place for text of slides holds none of its own.
    """
    masters = {one.get(f"{STYLE}name"): one for one in styles.iter(f"{STYLE}master-page")}
    footers = {
        one.get(f"{PRESENTATION}name"): "".join(one.itertext())
        for one in content.iter(f"{PRESENTATION}footer-decl")
    }
    hide_masters = _styles_with(content, _MASTER, "false")
    show_footers = _styles_with(content, _FOOTER, "true")
    for slide in content.iter(f"{DRAW}page"):
        style = slide.get(f"{DRAW}style-name")
        if style not in hide_masters:
            master = masters.pop(slide.get(f"{DRAW}master-page-name"), ())
            slide.extend([deepcopy(shape) for shape in master if _says_something(shape)])
        footer = footers.pop(slide.get(_FOOTER_OF), "") if style in show_footers else ""
        if footer:
            etree.SubElement(etree.SubElement(slide, f"{DRAW}frame"), P).text = footer


def _styles_with(content: Element, name: str, value: str) -> set[str | None]:
    """Return the names of the styles of slides that have such a property."""
    return {
        one.get(f"{STYLE}name")
        for one in content.iter(f"{STYLE}style")
        for properties in one.iter(f"{STYLE}drawing-page-properties")
        if properties.get(f"{PRESENTATION}{name}") == value
    }


def _says_something(shape: Element) -> bool:
    is_place = shape.get(f"{PRESENTATION}class") or shape.tag == f"{PRESENTATION}notes"
    is_text = next(shape.iter(_NO_TEXTS), None) is None
    return not is_place and is_text and any(map(str.isalpha, "".join(shape.itertext())))
