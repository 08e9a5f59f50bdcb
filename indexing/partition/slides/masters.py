"""Write out what stands on the layouts and masters of slides, once: on the first that shows it."""

from collections.abc import Iterator

from pptx.slide import Slide, SlideLayout, SlideMaster

from indexing.partition.office.package_xml import Element
from indexing.partition.slides.shapes import placed_shapes

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def write_out_masters(slide: Slide, seen: set[str]) -> None:
    """Put a text box for each text of the layout and the master, where it is shown.

    `seen` are the parts whose texts an earlier slide has. What is a place for text of slides
    holds none of its own.
    """
    for master in _shown_by(slide):
        if (name := str(master.part.partname)) in seen:
            continue
        seen.add(name)
        for placed in placed_shapes(master.shapes):
            text = _text_of(placed.shape._element)
            if text and not placed.shape.is_placeholder:
                left, top = max(int(placed.left), 0), max(int(placed.top), 0)
                size = int(placed.width), int(placed.height)
                slide.shapes.add_textbox(left, top, *size).text_frame.text = text


def _shown_by(slide: Slide) -> Iterator[SlideLayout | SlideMaster]:
    layout = slide.slide_layout
    for on, master in ((slide, layout), (layout, layout.slide_master)):
        if on._element.get("showMasterSp") in ("0", "false"):
            return
        yield master


def _text_of(shape: Element) -> str:
    """Return the text of a shape, but for lines with a field, which are others on each slide."""
    lines = (
        "".join(text.text or "" for text in paragraph.iter(f"{_A}t"))
        for paragraph in shape.iter(f"{_A}p")
        if paragraph.find(f"{_A}fld") is None
    )
    text = "\n".join(line for line in lines if line.strip())
    return text if any(map(str.isalpha, text)) else ""
