"""Take out what was deleted while changes are tracked, with the paragraphs and rows it leaves.

A paragraph whose mark is deleted is one with the next, and neither it nor a row that is deleted
counts in a list. ECMA-376 part 1, 17.13.5.
"""

from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.word.elements import P, T, W, is_on, text_of
from indexing.partition.word.joined_paragraphs import join_with_next

DELETED = (f"{W}del", f"{W}moveFrom")


def leave_out_deleted(body: Element) -> None:
    """Remove what is deleted or moved away; where a paragraph ends by it no more, join two."""
    for mark in list(body.iter(*DELETED)):
        holder = mark.getparent()
        if holder.tag == f"{W}trPr":
            row = holder.getparent()
            if row.getparent() is not None:
                row.getparent().remove(row)
        elif holder.tag == f"{W}rPr" and holder.getparent().tag == f"{W}pPr":
            paragraph = holder.getparent().getparent()
            if not join_with_next(paragraph) and not "".join(paragraph.itertext(T)):
                _leave_unnumbered(paragraph)
    etree.strip_elements(body, *DELETED, with_tail=False)


def number_what_shows(body: Element) -> None:
    """Let no paragraph count in a list that is hidden as a whole, with its mark."""
    for hidden in body.iterfind(f".//{P}/{W}pPr/{W}rPr/{W}vanish"):
        paragraph = hidden.getparent().getparent().getparent()
        if is_on(hidden) and not text_of(paragraph):
            _leave_unnumbered(paragraph)


def _leave_unnumbered(paragraph: Element) -> None:
    properties = paragraph.find(f"{W}pPr")
    for numbering in properties.findall(f"{W}numPr"):
        properties.remove(numbering)
    numbering = etree.SubElement(properties, f"{W}numPr")
    etree.SubElement(numbering, f"{W}numId").set(f"{W}val", "0")
