"""Find where the shapes of a slide stand on it, and read them in that order."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pptx.shapes.base import BaseShape
from pptx.shapes.group import GroupShape
from pptx.slide import Slide

from indexing.partition.office.package_xml import Element
from indexing.partition.reading_order import runs_from_right
from indexing.partition.slides.order import Group, in_reading_order
from indexing.partition.slides.stacks import Box

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"


@dataclass(frozen=True, slots=True)
class Frame:
    """How places within a group become places on the slide: times a scale, plus an offset."""

    across: float = 1.0
    down: float = 1.0
    left: float = 0.0
    top: float = 0.0


@dataclass(frozen=True, slots=True)
class PlacedShape:
    """A shape, and its place and size on the slide, in EMU."""

    shape: BaseShape
    left: float
    top: float
    width: float
    height: float


def placed_shapes(shapes: Iterable[BaseShape], frame: Frame = Frame()) -> Iterator[PlacedShape]:
    """Yield the shapes, those of groups one by one."""
    for shape in shapes:
        placed = _placed(shape, frame)
        if isinstance(shape, GroupShape):
            yield from placed_shapes(shape.shapes, _within(shape, frame, placed))
        else:
            yield placed


def settle_order(slide: Slide, slide_height: int) -> None:
    """Give the shapes of the slide such places that Unstructured reads them as a person does.

    The title comes first, then row by row, from the right where most letters are read so.
    Unstructured goes by the upper edge to a hair, takes places in a group for places on the slide,
    and leaves out what begins left of the slide.
    """
    title = slide.shapes.title
    texts = "".join(text.text or "" for text in slide.shapes._spTree.iter(f"{_A}t"))
    ordered = in_reading_order(
        _units(slide.shapes, Frame()), slide_height, from_right=runs_from_right(texts)
    )
    ordered.sort(key=lambda shape: title is None or shape._element is not title._element)
    for number, shape in enumerate(ordered):
        if shape.has_text_frame or shape.has_table:
            shape.left, shape.top = 0, number


def _units(
    shapes: Iterable[BaseShape], frame: Frame
) -> Iterator[tuple[Box, BaseShape | Group[BaseShape]]]:
    for shape in shapes:
        one = _placed(shape, frame)
        if isinstance(shape, GroupShape):
            group = Group(list(_units(shape.shapes, _within(shape, frame, one))))
            yield group.box, group
        else:
            is_blank = not any(text.text for text in shape._element.iter(f"{_A}t"))
            kind = next((form.get("prst", "") for form in shape._element.iter(f"{_A}prstGeom")), "")
            yield Box(one.left, one.top, one.width, one.height, is_blank, kind), shape


def _placed(shape: BaseShape, frame: Frame) -> PlacedShape:
    left = frame.left + frame.across * (shape.left or 0)
    top = frame.top + frame.down * (shape.top or 0)
    width, height = frame.across * (shape.width or 0), frame.down * (shape.height or 0)
    return PlacedShape(shape, left, top, width, height)


def _within(group: GroupShape, frame: Frame, placed: PlacedShape) -> Frame:
    """Return the frame of what is in a group, which has a scale and an origin of its own."""
    transform = group._element.find(f"{_P}grpSpPr/{_A}xfrm")
    if transform is None:
        return frame
    x, y = _numbers(transform, "chOff", ("x", "y"))
    width, height = _numbers(transform, "chExt", ("cx", "cy"))
    across = frame.across * ((group.width or 0) / width if width > 0 else 1.0)
    down = frame.down * ((group.height or 0) / height if height > 0 else 1.0)
    return Frame(across, down, placed.left - across * x, placed.top - down * y)


def _numbers(transform: Element, name: str, sides: Iterable[str]) -> list[int]:
    child = transform.find(f"{_A}{name}")
    return [0 if child is None else int(child.get(side, "0")) for side in sides]
