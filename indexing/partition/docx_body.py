"""Rewrite the body of a Word document so that each word and each page break stands there once.

Unstructured reads paragraphs and tables at the top of the body and counts the page breaks that
Word left inside paragraphs. Here everything else is brought into that shape: content controls,
tracked changes, text boxes, formulas and footnotes become plain paragraphs, and every way to break
a page becomes one `w:lastRenderedPageBreak` in a paragraph.
"""

import copy
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from lxml import etree

from indexing.partition.docx_forms import write_out_forms
from indexing.partition.formulas import M, formula_text
from indexing.partition.strict_names import with_usual_names
from indexing.partition.symbol_fonts import sign
from indexing.types import Block

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
WP = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}"

P, R, T, BR, TBL, TR, TC = (f"{W}{name}" for name in ("p", "r", "t", "br", "tbl", "tr", "tc"))
MARK = f"{W}lastRenderedPageBreak"

# Their content is taken in their place; what was deleted or moved away is not part of the text.
WRAPPERS = [
    f"{W}{name}"
    for name in ("ins", "moveTo", "smartTag", "customXml", "fldSimple", "hyperlink", "dir", "bdo")
]
REMOVED = [f"{W}{name}" for name in ("del", "moveFrom", "sdtPr", "sdtEndPr", "customXmlPr")]
VISIBLE = [f"{W}{name}" for name in ("drawing", "pict", "object")]

# Where the author's breaks lie further apart than this, other pages end between them.
MAX_WORDS_BETWEEN_BREAKS = 600
# A page in the smallest print; and so little that it fits on one page in any common layout.
MAX_WORDS_ON_A_PAGE = 1500
WORDS_ON_ONE_PAGE = 250
# A short paragraph and the row of a table take a line too, the room of so many words.
WORDS_OF_A_LINE = 10
# The height of an A4 page, of which a picture takes a share; in the units of a drawing.
PAGE_HEIGHT = 10_692_000
# A cell beside a table within the table that has more than this holds text, not a value.
MAX_CELL_CHARACTERS = 200

# A number with or without a sign.
RAISED = re.compile(r"[-+\u2212\u2013]?\d")

Element: TypeAlias = etree._Element


@dataclass(frozen=True, slots=True)
class Notes:
    """The texts of footnotes and endnotes, by their ids in the document."""

    footnotes: dict[str, str]
    endnotes: dict[str, str]


def read_notes(part: bytes | None) -> dict[str, str]:
    """Return the text of each note of a footnotes or endnotes part."""
    if part is None:
        return {}
    root = parse(part)
    _keep_what_shows(root)
    notes = (note for note in root if note.get(f"{W}type") in (None, "normal"))
    return {note.get(f"{W}id", ""): _text(note) for note in notes}


def parse(part: bytes) -> Element:
    """Parse a part of the package; entities are left alone, they may name other files.

    What is strict has the usual names.
    """
    parser = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
    try:
        return etree.fromstring(with_usual_names(part), parser)
    except etree.XMLSyntaxError as error:
        # libxml2 knows of no line, and of no error, when it runs out of memory.
        raise MemoryError if error.lineno == 0 else error from error


def rewrite_body(body: Element, notes: Notes, pages: int | None) -> bool:
    """Rewrite the body in place; tell whether the page of each word is then known.

    `pages` is the number of pages that the document says it has.
    """
    _unwrap(body)
    seen_by_word = is_laid_out(body)
    _unify_breaks(body)
    _hoist_text_boxes(body)
    _write_out_notes(body, notes)
    _split_tables(body)
    _untangle_tables(body)
    words = _words_per_page(body)
    _part_merged_cells(body)
    if seen_by_word:
        # Fuller pages than there are: another program has written into the document since.
        return max(words) <= MAX_WORDS_ON_A_PAGE
    return _breaks_tell_all(words, pages)


def rewrite_header(header: Element) -> None:
    """Rewrite a header or footer in place, so that all it says stands in its paragraphs."""
    _unwrap(header)
    _hoist_text_boxes(header)


def room_in_words(blocks: Iterable[Block]) -> int:
    """Return how many words of running text would take the room of the blocks."""
    lines = (line for block in blocks for line in block.text.split("\n"))
    return sum(max(len(line.split()), WORDS_OF_A_LINE) for line in lines)


def is_laid_out(body: Element) -> bool:
    """Tell whether Word has marked where the pages of the body begin."""
    return next(body.iter(MARK), None) is not None


def _unwrap(body: Element) -> None:
    etree.strip_elements(body, *REMOVED, with_tail=False)
    _keep_what_shows(body)
    for choice in list(body.iter(f"{MC}AlternateContent")):
        _choose_alternative(choice)
    etree.strip_tags(body, f"{W}sdt", f"{W}sdtContent", *WRAPPERS, f"{MC}AlternateContent")
    etree.strip_tags(body, f"{MC}Choice", f"{MC}Fallback")
    _unwrap_ruby(body)
    write_out_forms(body)
    for formula in list(body.iter(f"{M}oMath")):
        formula.getparent().replace(formula, _run(formula_text(formula)))
    etree.strip_tags(body, f"{M}oMathPara")
    for raised in list(body.iter(f"{W}vertAlign")):
        if raised.get(f"{W}val") == "superscript":
            _write_power(raised)


def _keep_what_shows(body: Element) -> None:
    """Leave out the runs that are hidden, and write the signs of symbol fonts as text."""
    for hidden in list(body.iter(f"{W}vanish")):
        run = next(hidden.iterancestors(R), None)
        if run is not None and hidden.getparent().getparent() is run and _is_on(hidden):
            run.getparent().remove(run)
    for symbol in list(body.iter(f"{W}sym")):
        text = etree.Element(T)
        text.text = _sign(symbol)
        symbol.getparent().replace(symbol, text)


def _write_power(raised: Element) -> None:
    """Set a sign between a number and a raised one: 10 to the sixth is not 106."""
    run = next(raised.iterancestors(R), None)
    before = None if run is None else next(run.itersiblings(R, preceding=True), None)
    if run is None or before is None or before.find(f"{W}rPr/{W}vertAlign") is not None:
        return
    texts, texts_before = run.findall(T), before.findall(T)
    is_power = texts and texts_before and RAISED.match(texts[0].text or "")
    if is_power and (texts_before[-1].text or "")[-1:].isdigit():
        texts[0].text = f"^{texts[0].text}"


def _sign(symbol: Element) -> str:
    code = symbol.get(f"{W}char", "")
    is_code = re.fullmatch("[0-9A-Fa-f]{1,4}", code) is not None
    return sign(symbol.get(f"{W}font", ""), int(code, 16)) if is_code else ""


def _unwrap_ruby(body: Element) -> None:
    """Take the characters out of the runs that tell how they are read, as notes above them do."""
    etree.strip_elements(body, f"{W}rt", with_tail=False)
    for base in list(body.iter(f"{W}rubyBase")):
        run = next(base.iterancestors(R), None)
        if run is not None:
            run.addprevious(base)
    etree.strip_tags(body, f"{W}rubyBase")


def _choose_alternative(content: Element) -> None:
    """Keep one of the alternatives: both hold the same text, for newer and older programs."""
    alternatives = list(content)
    with_text = [one for one in alternatives if next(one.iter(T), None) is not None]
    kept = (with_text or alternatives)[:1]
    for one in alternatives:
        if one not in kept:
            content.remove(one)


def _hoist_text_boxes(body: Element) -> None:
    """Move the paragraphs of a text box beside the paragraph that it is anchored in."""
    # Inner boxes first, so that they land in the outer one and go along with it.
    for box in reversed(list(body.iter(f"{W}txbxContent"))):
        _place_beside_anchor(list(box), box)
        box.getparent().remove(box)


def _write_out_notes(body: Element, notes: Notes) -> None:
    """Set a footnote beside the paragraph that refers to it, and the endnotes at the end."""
    for reference in reversed(list(body.iter(f"{W}footnoteReference"))):
        if text := notes.footnotes.get(reference.get(f"{W}id", "")):
            _place_beside_anchor([_paragraph(_run(text))], reference)
    last = body.find(f"{W}sectPr")
    for text in filter(None, notes.endnotes.values()):
        paragraph = _paragraph(_run(text))
        if last is None:
            body.append(paragraph)
        else:
            last.addprevious(paragraph)


def _place_beside_anchor(blocks: list[Element], origin: Element) -> None:
    """Set the blocks behind the paragraph of their origin, or before it if it ends a page later."""
    anchor = next(origin.iterancestors(P), None)
    if anchor is None:
        return
    order = [node for node in anchor.iter(MARK, origin.tag) if node is origin or node.tag == MARK]
    if order[-1] is origin:
        for block in reversed(blocks):
            anchor.addnext(block)
    else:
        for block in blocks:
            anchor.addprevious(block)


def _unify_breaks(body: Element) -> None:
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
                node.addprevious(_paragraph(_run_with_mark()))
                at_page_start = authored = True


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
    return begins_section or _is_on(block.find(f"{W}pPr/{W}pageBreakBefore"))


def _following_section_types(body: Element) -> dict[Element, str]:
    """Map each paragraph that ends a section to the way the section after it begins."""
    sections = list(body.iter(f"{W}sectPr"))
    types = [section.find(f"{W}type") for section in sections]
    starts = ["nextPage" if one is None else one.get(f"{W}val", "nextPage") for one in types]
    ends = (next(section.iterancestors(P), None) for section in sections)
    return {end: start for end, start in zip(ends, starts[1:], strict=False) if end is not None}


def _split_tables(body: Element) -> None:
    """Part each table where a page ends, because a table is read as one piece."""
    for table in list(body.iterchildren(TBL)):
        rest: Element | None = table
        while rest is not None:
            rest = _split_at_first_mark(rest)


def _split_at_first_mark(table: Element) -> Element | None:
    """Move what stands behind the first mark to a table of its own and return that."""
    mark = next(table.iter(MARK), None)
    if mark is None:
        return None
    row = next(one for one in mark.iterancestors(TR) if one.getparent() is table)
    rest = etree.Element(TBL)
    rest.extend(copy.deepcopy(one) for one in table.iterchildren(f"{W}tblPr", f"{W}tblGrid"))
    first_row = table.find(TR)
    if first_row is not row and first_row.find(f"{W}trPr/{W}tblHeader") is not None:
        rest.append(copy.deepcopy(first_row))
    following = list(row.itersiblings(TR))
    begins_here = _split_row(row)
    rest.extend([begins_here, *following])
    _start_merged_cells(begins_here)
    table.addnext(rest)
    table.addnext(_paragraph(_run_with_mark()))
    if table.find(TR) is None:
        table.getparent().remove(table)
    return rest


def _split_row(row: Element) -> Element:
    """Cut a row at the first mark of each of its cells; return what is on the next page."""
    first_words = next((one for one in row.iter(T, MARK) if one.tag == MARK or one.text), None)
    if first_words is not None and first_words.tag == MARK:
        # The row as a whole begins the page; only its first cell need say so.
        for cell in row.iterchildren(TC):
            first = next((one for one in cell.iter(T, MARK) if one.tag == MARK or one.text), None)
            if first is not None and first.tag == MARK:
                first.getparent().remove(first)
        return row
    rest = copy.deepcopy(row)
    for part in (row, rest):
        for cell in part.iterchildren(TC):
            _keep_side(cell, is_rest=part is rest)
    return rest


def _keep_side(cell: Element, *, is_rest: bool) -> None:
    """Keep the words of the cell before its first mark, or those behind it."""
    cut = next(cell.iter(MARK), None)
    is_behind = False
    for node in list(cell.iter(T, MARK)):
        is_behind = is_behind or node is cut
        if node.tag == T and is_behind != is_rest:
            node.text = ""
        elif node is cut or (node.tag == MARK and not is_rest):
            node.getparent().remove(node)


def _start_merged_cells(row: Element) -> None:
    """Let cells that went on from the row above begin here: that row is in another table now."""
    for merge in row.iterfind(f"{TC}/{W}tcPr/{W}vMerge"):
        merge.set(f"{W}val", "restart")


def _part_merged_cells(body: Element) -> None:
    """Let cells that go on from the row above be empty ones.

    The library looks for the beginning of each row by row, and has no row where it finds none.
    """
    for cell in body.iter(TC):
        merge = cell.find(f"{W}tcPr/{W}vMerge")
        if merge is None:
            continue
        merge.getparent().remove(merge)
        has_row_above = next(cell.getparent().itersiblings(TR, preceding=True), None) is not None
        if merge.get(f"{W}val") != "restart" and has_row_above:
            for content in cell.xpath("*[not(self::w:tcPr)]", namespaces={"w": W.strip("{}")}):
                cell.remove(content)
            cell.append(etree.Element(P))


def _untangle_tables(body: Element) -> None:
    """Set a table within a cell behind the table it is in, so that both keep rows and columns.

    A table that only lays out a page, in one column or with running text, is read cell by cell.
    """
    # Inner tables first: where they end up is up to the outer one.
    for table in reversed(list(body.iter(TBL))):
        inner = list(table.iterdescendants(TBL))
        cells = [list(row.iterchildren(TC)) for row in table.iterchildren(TR)]
        if max(map(len, cells), default=0) < 2 or (inner and _has_running_text(table)):
            for block in [one for row in cells for cell in row for one in cell.iter(P, TBL)]:
                if next(block.iterancestors(TBL)) is table:
                    table.addprevious(block)
            table.getparent().remove(table)
        else:
            for one in reversed(inner):
                table.addnext(one)


def _has_running_text(table: Element) -> bool:
    return any(
        sum(len(text.text or "") for text in cell.iterfind(f"{P}//{T}")) > MAX_CELL_CHARACTERS
        for cell in table.iterfind(f"{TR}/{TC}")
    )


def _words_per_page(body: Element) -> list[float]:
    """Return how full each page is, in words; a picture takes the room of some."""
    words = [0.0]
    for node in body.iter(P, TR, T, MARK, f"{WP}extent"):
        if node.tag == MARK:
            words.append(0)
        elif node.tag == T:
            words[-1] += len(re.findall(r"\S+", node.text or ""))
        elif node.tag == TR or node.getparent() is body:
            words[-1] += max(0, WORDS_OF_A_LINE - len(_text(node).split()))
        elif node.tag != P:
            height = node.get("cy", "")
            is_plain = height.isdecimal() and len(height) < 10
            words[-1] += MAX_WORDS_BETWEEN_BREAKS * (int(height) / PAGE_HEIGHT if is_plain else 0)
    return words


def _breaks_tell_all(words_per_page: list[float], pages: int | None) -> bool:
    """Tell whether breaks set by the author, or the shortness of the text, settle every page."""
    if len(words_per_page) > 1:
        return max(words_per_page) <= MAX_WORDS_BETWEEN_BREAKS
    limit = MAX_WORDS_ON_A_PAGE if pages == 1 else WORDS_ON_ONE_PAGE
    return words_per_page[0] <= limit


def _is_on(toggle: Element | None) -> bool:
    return toggle is not None and toggle.get(f"{W}val", "1") not in ("0", "false", "off")


def _text(element: Element) -> str:
    return " ".join(
        "".join(text.text or "" for text in paragraph.iter(T)) for paragraph in element.iter(P)
    ).strip()


def _paragraph(run: Element) -> Element:
    paragraph = etree.Element(P)
    paragraph.append(run)
    return paragraph


def _run(text: str) -> Element:
    run = etree.Element(R)
    etree.SubElement(run, T).text = text
    return run


def _run_with_mark() -> Element:
    run = etree.Element(R)
    etree.SubElement(run, MARK)
    return run
