"""Tell where the pages of a Word document end, and whether all of them are known.

Every way to break a page becomes one `w:lastRenderedPageBreak` in a paragraph.
"""

from collections.abc import Iterable, Iterator, Mapping

from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.word.elements import (
    BR,
    MARK,
    TBL,
    VISIBLE,
    P,
    T,
    W,
    is_on,
    new_paragraph,
    new_run_with_mark,
)
from indexing.partition.word.room import MAX_WORDS_ON_A_PAGE, WORDS_OF_A_LINE, WORDS_OF_A_PAGE
from indexing.partition.word.styles import styles_by_id, with_bases
from indexing.types import Block
from indexing.word_count import room_of_words

# So little fits on one page in any common layout.
WORDS_ON_ONE_PAGE = 250

BEGINS_PAGE = f"{W}pageBreakBefore"


def is_laid_out(body: Element) -> bool:
    """Tell whether Word has marked where the pages of the body begin."""
    return next(body.iter(MARK), None) is not None


def write_out_style_breaks(body: Element, styles: Element | None) -> None:
    """Let each paragraph of the body say itself that it begins a page, where its style says so."""
    by_id = styles_by_id(styles)
    beginning = {name for name in by_id if _style_begins_page(name, by_id)}
    for paragraph in body.iterchildren(P) if beginning else ():
        style = paragraph.find(f"{W}pPr/{W}pStyle")
        if style is not None and style.get(f"{W}val") in beginning:
            properties = style.getparent()
            if properties.find(BEGINS_PAGE) is None:
                etree.SubElement(properties, BEGINS_PAGE)


def unify_breaks(body: Element) -> None:
    """Leave exactly one mark per page break, whichever way or ways it was written.

    Word writes a mark where a page began when it last laid the document out, also behind a break
    that the author set; such a pair is one break.
    """
    # At the very start there is no page to leave.
    at_page_start = authored = True
    for node, kind in list(_break_events(body)):
        match kind:
            case "text":
                at_page_start = authored = False
            case "block":
                at_page_start = False
            case "mark" if authored:
                node.getparent().remove(node)
                authored = False
            case "mark":
                at_page_start = True
            case "break":
                node.getparent().replace(node, etree.Element(MARK))
                at_page_start = authored = True
            case _ if not at_page_start:  # a paragraph or section that begins a page
                node.addprevious(new_paragraph(new_run_with_mark()))
                at_page_start = authored = True


def breaks_tell_all(room: list[float], pages: int | None) -> bool:
    """Tell whether breaks set by the author, or the shortness of the text, settle every page.

    `room` says how full each page is, in words; `pages` is the number that the document says it
    has.
    """
    if len(room) > 1:
        return max(room) <= WORDS_OF_A_PAGE
    limit = MAX_WORDS_ON_A_PAGE if pages == 1 else WORDS_ON_ONE_PAGE
    return room[0] <= limit


def room_in_words(blocks: Iterable[Block]) -> float:
    """Return how many words of running text would take the room of the blocks."""
    lines = (line for block in blocks for line in block.text.split("\n"))
    return sum(max(room_of_words(line), WORDS_OF_A_LINE) for line in lines)


def _break_events(body: Element) -> Iterator[tuple[Element, str]]:
    """Walk over all that decides where a page ends, in the order in which it is read."""
    section_types = _following_section_types(body)
    for node in body.iter(P, TBL, T, MARK, BR, *VISIBLE):
        if node.tag in (P, TBL):
            if _begins_page(node, section_types, body):
                yield node, "new page"
            yield node, "block"
        elif node.tag == MARK:
            yield node, "mark"
        elif node.tag == BR and node.get(f"{W}type") == "page":
            yield node, "break"
        elif node.tag in VISIBLE or (node.text or "").strip():
            yield node, "text"


def _begins_page(block: Element, section_types: dict[Element, str], body: Element) -> bool:
    if block.getparent() is not body:
        return False
    begins_section = section_types.get(block.getprevious(), "continuous") != "continuous"
    return begins_section or is_on(block.find(f"{W}pPr/{BEGINS_PAGE}"))


def _style_begins_page(name: str, styles: Mapping[str, Element]) -> bool:
    said = (style.find(f"{W}pPr/{BEGINS_PAGE}") for style in with_bases(name, styles))
    return is_on(next((one for one in said if one is not None), None))


def _following_section_types(body: Element) -> dict[Element, str]:
    """Map each paragraph that ends a section to the way the section after it begins."""
    sections = list(body.iter(f"{W}sectPr"))
    types = [section.find(f"{W}type") for section in sections]
    starts = ["nextPage" if one is None else one.get(f"{W}val", "nextPage") for one in types]
    ends = (next(section.iterancestors(P), None) for section in sections)
    return {end: start for end, start in zip(ends, starts[1:], strict=False) if end is not None}
