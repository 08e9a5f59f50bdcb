"""Rewrite the body of a Word document so that each word and each page break stands there once.

Unstructured reads paragraphs and tables at the top of the body and counts the page breaks that
Word left inside paragraphs. Here everything else is brought into that shape: content controls,
tracked changes, text boxes, formulas and footnotes become plain paragraphs.
"""

import copy
import itertools
import re
from collections.abc import Collection

from lxml import etree

from indexing.partition.office.package_xml import MC, Element
from indexing.partition.office.powers import sign_powers
from indexing.partition.office.symbol_fonts import sign, with_signs
from indexing.partition.word.elements import (
    MARK,
    P,
    R,
    T,
    W,
    is_on,
    new_paragraph,
    new_run,
)
from indexing.partition.word.fields import leave_out_operands, leave_out_page_numbers, show_buttons
from indexing.partition.word.forms import write_out_forms
from indexing.partition.word.formulas import M, formula_text
from indexing.partition.word.joined_paragraphs import join_drop_caps
from indexing.partition.word.labels import mark_labelled_tables
from indexing.partition.word.notes import NoteBlocks, Notes, blocks_of_note
from indexing.partition.word.pages import (
    breaks_tell_all,
    is_laid_out,
    unify_breaks,
    write_out_style_breaks,
)
from indexing.partition.word.revisions import leave_out_deleted, number_what_shows
from indexing.partition.word.room import MAX_WORDS_ON_A_PAGE, room_per_page, words_per_page
from indexing.partition.word.tables import (
    keep_places,
    part_merged_cells,
    split_tables,
    untangle_tables,
    widen_merged_cells,
)

# Their content is taken in their place.
WRAPPERS = [
    f"{W}{name}"
    for name in ("ins", "moveTo", "smartTag", "customXml", "fldSimple", "hyperlink", "dir", "bdo")
]
REMOVED = [f"{W}{name}" for name in ("sdtPr", "sdtEndPr", "customXmlPr")]

TEXT_PATH = "{urn:schemas-microsoft-com:vml}textpath"

HOLDERS_OF_BLOCKS = [f"{W}{name}" for name in ("body", "tc", "txbxContent", "hdr", "ftr")]
HOLDERS_OF_BLOCKS += [f"{W}footnote", f"{W}endnote"]

GAPS = {"tab": " ", "br": " ", "cr": " ", "ptab": " ", "noBreakHyphen": "-"}

SECTION_TYPES = ("continuous", "nextColumn", "nextPage", "evenPage", "oddPage")

MAX_IN_RUN = 1000
"""A run in which more stands, as line breaks, is parted: the library looks at each for each."""

_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

_ON_OR_OFF = (None, "1", "0", "true", "false", "on", "off")


def read_notes(part: Element) -> NoteBlocks:
    """Return what each note of a footnotes or endnotes part says."""
    _unwrap(part)
    _hoist_text_boxes(part)
    _write_out_gaps(part)
    notes = (note for note in part if note.get(f"{W}type") in (None, "normal"))
    return {note.get(f"{W}id", ""): blocks_of_note(note) for note in notes}


def rewrite_body(
    body: Element, notes: Notes, pages: int | None, styles: Element | None = None
) -> bool:
    """Rewrite the body in place; tell whether the page of each word is then known.

    `pages` is the number of pages that the document says it has, `styles` the part of its styles.
    """
    _unwrap(body)
    _settle_sections(body)
    seen_by_word = is_laid_out(body)
    write_out_style_breaks(body, styles)
    unify_breaks(body)
    _hoist_text_boxes(body)
    _write_out_word_art(body)
    _write_out_notes(body, notes)
    widen_merged_cells(body)
    mark_labelled_tables(body)
    keep_places(body)
    split_tables(body)
    untangle_tables(body)
    words = words_per_page(body) if seen_by_word else room_per_page(body, styles)
    part_merged_cells(body)
    if seen_by_word:
        # Fuller pages than there are: another program has written into the document since.
        return max(words) <= MAX_WORDS_ON_A_PAGE
    return breaks_tell_all(words, pages)


def rewrite_header(header: Element) -> None:
    """Rewrite a header or footer in place, so that all it says stands in its paragraphs.

    Only the number of the page is left out.
    """
    leave_out_page_numbers(header)
    _unwrap(header)
    _hoist_text_boxes(header)


def leave_out_missing_headers(document: Element, known: Collection[str]) -> bool:
    """Leave out the references to headers and footers that are not known; tell if there are any."""
    references = document.iter(f"{W}headerReference", f"{W}footerReference")
    missing = [one for one in references if one.get(_ID) not in known]
    for one in missing:
        one.getparent().remove(one)
    return bool(missing)


def settle_even_headers(settings: Element) -> None:
    """Have even pages headers of their own where it is not told whether they do.

    The library refuses a whole document for what is neither on nor off.
    """
    for switch in settings.iter(f"{W}evenAndOddHeaders"):
        if switch.get(f"{W}val") not in _ON_OR_OFF:
            del switch.attrib[f"{W}val"]


def _unwrap(body: Element) -> None:
    leave_out_deleted(body)
    _part_long_runs(body)
    etree.strip_elements(body, *REMOVED, with_tail=False)
    _keep_what_shows(body)
    number_what_shows(body)
    join_drop_caps(body)
    for choice in list(body.iter(f"{MC}AlternateContent")):
        _choose_alternative(choice)
    etree.strip_tags(body, f"{W}sdt", f"{W}sdtContent", *WRAPPERS, f"{MC}AlternateContent")
    etree.strip_tags(body, f"{MC}Choice", f"{MC}Fallback")
    _unwrap_ruby(body)
    leave_out_operands(body)
    show_buttons(body)
    write_out_forms(body)
    for formula in list(body.iter(f"{M}oMath")):
        formula.getparent().replace(formula, new_run(formula_text(formula)))
    etree.strip_tags(body, f"{M}oMathPara")
    for run in list(body.iter(R)):
        if run.getparent().tag in HOLDERS_OF_BLOCKS:  # as formulas between paragraphs
            paragraph = etree.Element(P)
            run.addprevious(paragraph)
            paragraph.append(run)
    raised = [one for one in body.iter(f"{W}vertAlign") if one.get(f"{W}val") == "superscript"]
    for paragraph in {next(one.iterancestors(P), None): None for one in raised}:
        if paragraph is not None:
            sign_powers(paragraph.iterchildren(R), T, _is_raised)


def _part_long_runs(body: Element) -> None:
    for run in [one for one in body.iter(R) if len(one) > MAX_IN_RUN]:
        properties, content, last = run.find(f"{W}rPr"), list(run), run
        for begin in range(MAX_IN_RUN, len(content), MAX_IN_RUN):
            following = etree.Element(R)
            if properties is not None:
                following.append(copy.deepcopy(properties))
            following.extend(content[begin : begin + MAX_IN_RUN])
            last.addnext(following)
            last = following


def _write_out_gaps(part: Element) -> None:
    """Write what parts or joins two words without being a text of its own."""
    for name, text in GAPS.items():
        for gap in list(part.iterfind(f".//{R}/{W}{name}")):
            sign = etree.Element(T)
            sign.text = text
            gap.getparent().replace(gap, sign)


def _settle_sections(body: Element) -> None:
    """Let the last section end with the body, and each begin in a way that there is.

    The library reads no further than to the last end of a section.
    """
    for kind in list(body.iterfind(f".//{W}sectPr/{W}type")):
        if kind.get(f"{W}val") not in SECTION_TYPES:
            kind.getparent().remove(kind)
    for title_page in body.iterfind(f".//{W}sectPr/{W}titlePg"):
        title_page.set(f"{W}val", "1" if is_on(title_page) else "0")
    if body.find(f"{W}sectPr") is None and body.find(f"{P}/{W}pPr/{W}sectPr") is not None:
        etree.SubElement(body, f"{W}sectPr")


def _keep_what_shows(body: Element) -> None:
    """Leave out the runs that are hidden, and write the signs of symbol fonts as text."""
    for hidden in list(body.iter(f"{W}vanish")):
        run = next(hidden.iterancestors(R), None)
        if run is not None and hidden.getparent().getparent() is run and is_on(hidden):
            run.getparent().remove(run)
    for symbol in list(body.iter(f"{W}sym")):
        text = etree.Element(T)
        text.text = _sign(symbol)
        symbol.getparent().replace(symbol, text)
    # Other programs write the signs as text in the font; so comes what was an rtf or a doc.
    for fonts in body.iter(f"{W}rFonts"):
        run = fonts.getparent().getparent()
        # The font of a paragraph's mark stands in no run.
        for text in run.iterchildren(T) if run.tag == R else ():
            text.text = with_signs(fonts.get(f"{W}ascii", ""), text.text or "")


def _is_raised(run: Element) -> bool:
    position = run.find(f"{W}rPr/{W}vertAlign")
    return position is not None and position.get(f"{W}val") == "superscript"


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


def _write_out_word_art(body: Element) -> None:
    """Set the words that are drawn along a line beside their paragraph; in heads, they are marks.

    Newer programs write them as a text box.
    """
    for path in reversed(list(body.iter(TEXT_PATH))):
        if text := path.get("string", "").strip():
            _place_beside_anchor([new_paragraph(new_run(text))], path)


def _write_out_notes(body: Element, notes: Notes) -> None:
    """Set a footnote beside the paragraph that refers to it, and the endnotes at the end."""
    for reference in reversed(list(body.iter(f"{W}footnoteReference"))):
        blocks = notes.footnotes.get(reference.get(f"{W}id", ""), ())
        _place_beside_anchor(copy.deepcopy(list(blocks)), reference)
    last = body.find(f"{W}sectPr")
    for block in itertools.chain.from_iterable(notes.endnotes.values()):
        if last is None:
            body.append(block)
        else:
            last.addprevious(block)


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
