"""Write out what stands on the master pages of slides, once: on the first that shows it."""

from copy import deepcopy

from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.names import DRAW, PRESENTATION, STYLE, TEXT

_NO_TEXTS = (f"{DRAW}image", f"{TEXT}page-number")
_VISIBLE = f"{PRESENTATION}background-objects-visible"


def write_out_masters(content: Element, styles: Element) -> None:
    """Copy each text of a master page to the first slide on which it is shown.

    What is a place for text of slides holds none of its own.
    """
    masters = {one.get(f"{STYLE}name"): one for one in styles.iter(f"{STYLE}master-page")}
    hiding = {
        one.get(f"{STYLE}name")
        for one in content.iter(f"{STYLE}style")
        for properties in one.iter(f"{STYLE}drawing-page-properties")
        if properties.get(_VISIBLE) == "false"
    }
    for slide in content.iter(f"{DRAW}page"):
        if slide.get(f"{DRAW}style-name") not in hiding:
            master = masters.pop(slide.get(f"{DRAW}master-page-name"), ())
            slide.extend([deepcopy(shape) for shape in master if _says_something(shape)])


def _says_something(shape: Element) -> bool:
    is_place = shape.get(f"{PRESENTATION}class") or shape.tag == f"{PRESENTATION}notes"
    is_text = next(shape.iter(_NO_TEXTS), None) is None
    return not is_place and is_text and any(map(str.isalpha, "".join(shape.itertext())))
