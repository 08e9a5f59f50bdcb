"""Leave out the number that stands on a slide: it is that of its page."""

from indexing.partition.office.package_xml import Element
from indexing.partition.word.fields import AROUND_NUMBERS

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


def leave_out_slide_numbers(shapes: Element) -> None:
    """Empty each text that is a field with the number of the slide, and signs around it alone."""
    for field in list(shapes.iter(f"{_A}fld")):
        body = field.getparent().getparent()
        if field.get("type") == "slidenum" and body is not None:
            others = (one.text or "" for one in body.iter(f"{_A}t") if one.getparent() is not field)
            if not "".join(others).strip(AROUND_NUMBERS):
                for text in list(body.iter(f"{_A}t")):
                    text.text = ""
