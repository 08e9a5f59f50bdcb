"""The elements of a Word document that are looked for or made here (ECMA-376 part 1, 17)."""

from lxml import etree

from indexing.partition.office.package_xml import Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"

P, R, T, BR, TBL, TR, TC = (f"{W}{name}" for name in ("p", "r", "t", "br", "tbl", "tr", "tc"))
MARK = f"{W}lastRenderedPageBreak"
VISIBLE = [f"{W}{name}" for name in ("drawing", "pict", "object")]

PLACE = "place"
"""An attribute made here: how many paragraphs stand before this one as its author has them."""
STORY = "story"
"""An attribute made here: the kind of note that a paragraph is of, which counts its own lists."""


def is_on(toggle: Element | None) -> bool:
    """Tell whether a property that is either on or off is on; without a value it is."""
    return toggle is not None and toggle.get(f"{W}val", "1") not in ("0", "false", "off")


def text_of(element: Element) -> str:
    """Return what stands in the paragraphs of an element."""
    return " ".join(
        "".join(text.text or "" for text in paragraph.iter(T)) for paragraph in element.iter(P)
    ).strip()


def new_paragraph(run: Element) -> Element:
    """Return a paragraph of one run."""
    paragraph = etree.Element(P)
    paragraph.append(run)
    return paragraph


def new_run(text: str) -> Element:
    """Return a run that says the text."""
    run = etree.Element(R)
    etree.SubElement(run, T).text = text
    return run


def new_run_with_mark() -> Element:
    """Return a run in which a page ends."""
    run = etree.Element(R)
    etree.SubElement(run, MARK)
    return run
