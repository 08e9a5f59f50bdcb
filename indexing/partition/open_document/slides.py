"""Find where the shapes of an OpenDocument slide stand on it, to read them in that order."""

import re
from collections.abc import Iterable, Iterator

from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.names import DRAW, PRESENTATION, SVG, TEXT
from indexing.partition.open_document.pictures import points
from indexing.partition.reading_order import runs_from_right
from indexing.partition.slides.order import Group, in_reading_order
from indexing.partition.slides.stacks import Box

_NOTES = f"{PRESENTATION}notes"

HEIGHT_POINTS = 540
"""Of a usual slide."""

# A group, and what makes a link of a shape; in both, places are those on the slide.
_AROUND_SHAPES = (f"{DRAW}g", f"{DRAW}a")
# What is turned has no place of its own.
# No part takes what another can, nor what begins the next: a long one is looked at once.
_MOVED = re.compile(r"translate\s*+\(\s*+([^\s,()]++)[\s,]++([^\s,()]++)\s*+\)")


def shapes_in_order(slide: Element) -> list[Element]:
    """Return the shapes of a slide, the title first, and then row by row."""
    shapes = [shape for shape in slide.iterchildren("*") if shape.tag != _NOTES]
    from_right = runs_from_right("".join(text for one in shapes for text in one.itertext()))
    ordered = in_reading_order(_placed(shapes), HEIGHT_POINTS, from_right=from_right)
    return sorted(ordered, key=lambda one: not is_title(one))


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


def _placed(shapes: Iterable[Element]) -> Iterator[tuple[Box, Element | Group[Element]]]:
    left = top = 0.0
    for shape in shapes:
        if shape.tag in _AROUND_SHAPES:
            group = Group(list(_placed(shape.iterchildren("*"))))
            yield group.box, group
            continue
        # What does not say its place stays behind the shape before it.
        left, top = _place(shape) or (left, top)
        width, height = (points(shape.get(f"{SVG}{side}", "")) for side in ("width", "height"))
        is_blank = not any(text.strip() for text in shape.itertext())
        form = shape.find(f"{DRAW}enhanced-geometry")
        kind = str(shape.tag) if form is None else form.get(f"{DRAW}type", "")
        yield Box(left, top, width, height, is_blank, kind), shape


def _place(shape: Element) -> tuple[float, float] | None:
    left, top = shape.get(f"{SVG}x"), shape.get(f"{SVG}y")
    if moved := _MOVED.search(shape.get(f"{DRAW}transform", "")):
        left, top = moved[1], moved[2]
    return None if left is None or top is None else (points(left), points(top))
