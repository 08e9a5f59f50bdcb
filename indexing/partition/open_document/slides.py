"""Find where the shapes of an OpenDocument slide stand on it, to read them in that order."""

import re
from collections.abc import Iterator

from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.names import DRAW, PRESENTATION, SVG, TEXT
from indexing.partition.open_document.pictures import points
from indexing.partition.slides.order import Box, in_reading_order

HEIGHT_POINTS = 540
"""Of a usual slide."""

# A group, and what makes a link of a shape; in both, places are those on the slide.
_AROUND_SHAPES = (f"{DRAW}g", f"{DRAW}a")
# What is turned has no place of its own.
# No part takes what another can, nor what begins the next: a long one is looked at once.
_MOVED = re.compile(r"translate\s*+\(\s*+([^\s,()]++)[\s,]++([^\s,()]++)\s*+\)")


def shapes_in_order(slide: Element) -> list[Element]:
    """Return the shapes of a slide, the title first, and then row by row."""
    placed: list[tuple[Box, Element]] = []
    left = top = 0.0
    for shape in _shapes(slide):
        # What does not say its place stays behind the shape before it.
        left, top = _place(shape) or (left, top)
        width, height = (points(shape.get(f"{SVG}{side}", "")) for side in ("width", "height"))
        placed.append((Box(left, top, width, height), shape))
    return sorted(in_reading_order(placed, HEIGHT_POINTS), key=lambda one: not is_title(one))


def write_out_number(slide: Element, number: int) -> None:
    """Write the number of a slide where a text on it names it; alone, it says nothing."""
    for field in list(slide.iter(f"{TEXT}page-number")):
        field.text = ""
        paragraph = next(field.iterancestors(f"{TEXT}p"), None)
        if paragraph is not None and "".join(paragraph.itertext()).strip():
            field.tag, field.text = f"{TEXT}span", str(number)


def is_title(shape: Element) -> bool:
    """Tell whether the shape is what the slide is called by."""
    return bool(shape.get(f"{PRESENTATION}class") == "title")


def _shapes(parent: Element) -> Iterator[Element]:
    for shape in parent.iterchildren("*"):
        if shape.tag in _AROUND_SHAPES:
            yield from _shapes(shape)
        elif shape.tag != f"{PRESENTATION}notes":
            yield shape


def _place(shape: Element) -> tuple[float, float] | None:
    left, top = shape.get(f"{SVG}x"), shape.get(f"{SVG}y")
    if moved := _MOVED.search(shape.get(f"{DRAW}transform", "")):
        left, top = moved[1], moved[2]
    return None if left is None or top is None else (points(left), points(top))
