"""Bring the notes of a Word document into a shape in which they can stand in its body."""

import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.word.elements import (
    MARK,
    STORY,
    TBL,
    P,
    W,
    new_paragraph,
    new_run,
    text_of,
)

NoteBlocks: TypeAlias = Mapping[str, Sequence[Element]]
"""The paragraphs and tables of notes, by their ids in the document."""


@dataclass(frozen=True, slots=True)
class Notes:
    """What footnotes and endnotes say."""

    footnotes: NoteBlocks
    endnotes: NoteBlocks


def blocks_of_note(note: Element) -> list[Element]:
    """Return what the note says as one paragraph, but for the items of lists and tables in it.

    It has no page of its own, so nothing in it ends one.
    """
    blocks = list(_blocks_of(note))
    for block in blocks:
        etree.strip_elements(block, MARK, with_tail=False)
        for paragraph in block.iter(P):
            paragraph.set(STORY, etree.QName(note).localname)
    return blocks


def _blocks_of(note: Element) -> Iterator[Element]:
    texts: list[str] = []
    for block in note.iterchildren(P, TBL):
        numbering = block.find(f"{W}pPr/{W}numPr")
        if block.tag == P and numbering is None:
            texts.append(text_of(block))
            continue
        yield from _joined(texts)
        texts = []
        if block.tag == TBL:
            yield block
        elif text := text_of(block):
            yield _item(text, numbering)
    yield from _joined(texts)


def _joined(texts: Sequence[str]) -> Iterator[Element]:
    if text := " ".join(texts).strip():
        yield new_paragraph(new_run(text))


def _item(text: str, numbering: Element) -> Element:
    paragraph = new_paragraph(new_run(text))
    properties = etree.Element(f"{W}pPr")
    properties.append(copy.deepcopy(numbering))
    paragraph.insert(0, properties)
    return paragraph
