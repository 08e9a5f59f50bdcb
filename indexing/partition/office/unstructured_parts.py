"""What we take of Unstructured, without the language model and the lists it would bring along.

Unstructured tells titles from prose by counting words and sentences. It has them from spaCy, which
makes every process that reads documents 33 MB larger, and from a tagger to be downloaded. Half a
million English words and all languages of the world it loads for checks that nobody asks for.
"""

import copy
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Any

from docx.exceptions import PythonDocxError
from docx.oxml.exceptions import XmlchemyError
from docx.oxml.ns import qn
from docx.table import Table as DocxTable
from docx.text.paragraph import Paragraph
from lxml import etree
from pptx.slide import Slide

from indexing.partition.text import clean_line
from indexing.partition.word.elements import MARK, PLACE, STORY, P, R, T, W
from indexing.partition.word.english_numbers import LAST, cardinal, ordinal
from indexing.partition.word.list_labels import in_script


@contextmanager
def _left_out(name: str, **needed: object) -> Iterator[None]:
    """Let what is imported here find a module by this name that has only what it needs."""
    before = sys.modules.get(name)
    sys.modules[name] = ModuleType(name)
    vars(sys.modules[name]).update(needed)
    try:
        yield
    finally:
        del sys.modules[name]
        if before is not None:
            sys.modules[name] = before


with (
    _left_out("spacy"),
    _left_out("iso639"),
    _left_out("unstructured.nlp.english_words", ENGLISH_WORDS=frozenset()),
):
    from unstructured.documents.elements import (
        Element,
        ElementMetadata,
        Footer,
        Header,
        Table,
        Text,
        Title,
    )
    from unstructured.nlp import tokenize
    from unstructured.partition import docx as unstructured_docx
    from unstructured.partition import pptx as unstructured_pptx
    from unstructured.partition.docx import partition_docx

__all__ = ["Element", "Footer", "Header", "Table", "Title", "partition_docx", "slide_elements"]

_WORD = re.compile(r"\w+(?:['’.]\w+)*|[^\w\s]")
# Not behind the point of "U.S." or "J. Smith".
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?…])(?<![\s.]\w\.)[\"'”’)\]]*\s+|(?<=[。！？｡])")


@dataclass(frozen=True, slots=True)
class _Piece:
    """A word or a sentence, as spaCy shows it; what part of speech it is, nobody knows."""

    text: str
    tag_: str = ""


@dataclass(frozen=True, slots=True)
class _Text:
    """A text, as spaCy shows it: a sequence of words, which has sentences."""

    text: str

    def __iter__(self) -> Iterator[_Piece]:
        return map(_Piece, _WORD.findall(self.text))

    @property
    def sents(self) -> Iterator[_Piece]:
        return map(_Piece, _BETWEEN_SENTENCES.split(self.text))


tokenize._process = _Text


def slide_elements(slide: Slide) -> list[Element]:
    """Return the elements of one slide, in the order of their places."""
    options = unstructured_pptx.PptxPartitionerOptions(
        file=None,
        file_path=None,
        include_page_breaks=False,
        include_slide_notes=False,
        infer_table_structure=True,
        strategy="fast",
    )
    partitioner = unstructured_pptx._PptxPartitioner(options)
    partitioner._presentation = _OfOneSlide([slide])
    return list(partitioner._iter_presentation_elements())


@dataclass(frozen=True, slots=True)
class _OfOneSlide:
    """A presentation, as the library looks at it."""

    slides: list[Slide]


_known_number = unstructured_docx._ListLabels._format_number


def list_number(value: int, number_format: str) -> str:
    """Write the number of a list in a format that Word names; "" in one that is not known."""
    try:
        return in_script(value, number_format) or str(_known_number(value, number_format))
    except unstructured_docx._UnrenderableLabel:
        return ""


# What legal numbering leaves as it is: 01, and what has no number. ECMA-376 part 1, 17.9.4.
_LEFT_BY_LEGAL_NUMBERING = ("decimalZero", "none", "bullet")
_IN_WORDS = {"cardinalText": cardinal, "ordinalText": ordinal}


class _ListLabels(unstructured_docx._ListLabels):  # type: ignore[misc]
    """Labels of list items and headings, also in legal numbering, in words and in other scripts.

    In legal numbering, section 2 of "Article IV" is 4.2, and of 第四章 too. A number in a format
    that is not known is written in figures: the words around it are to be read. Paragraphs
    are counted where they stood before tables were parted and moved out of each other.
    """

    def __init__(self, document: Any) -> None:
        super().__init__(document)
        languages = document.styles.element.xpath("w:docDefaults/w:rPrDefault//w:lang/@w:val")
        self._is_english = not languages or languages[0].lower().startswith("en")
        self._body = document._body

    def label(self, paragraph: Paragraph) -> str:
        return self._labels.get(paragraph._p, "")

    @cached_property
    def _labels(self) -> dict[Any, str]:
        by_place: dict[int, list[Any]] = {}
        for paragraph in self._body._element.iter(P) if self._numbering is not None else ():
            if place := paragraph.get(PLACE):
                by_place.setdefault(int(place), []).append(paragraph)
        labels: dict[Any, str] = {}
        counted: dict[str, tuple[dict[str, list[int | None]], set[tuple[str, int]]]] = {}
        for _, parts in sorted(by_place.items()):
            # Of a paragraph that is parted, the first part that says something has the number.
            first = max(parts, key=_says_something) if len(parts) > 1 else parts[0]
            self._counters, self._restarted = counted.setdefault(first.get(STORY, ""), ({}, set()))
            if label := super().label(Paragraph(first, self._body)):
                labels[first] = label
        return labels

    def _render_label(self, paragraph: Any) -> str:
        self._own_level: Any = None
        label = str(super()._render_label(paragraph))
        is_to_read = not label and self._own_level is not None
        return _text_without_number(self._own_level) if is_to_read else label

    def _level(self, num: Any, abstract: Any, ilvl: int) -> Any | None:
        level = super()._level(num, abstract, ilvl)
        if self._own_level is None:  # It is the first that is asked for.
            self._own_level = level
        return level

    def _format_number(self, value: int, num_fmt: str) -> str:
        legal = None if self._own_level is None else self._own_level.find(qn("w:isLgl"))
        is_legal = legal is not None and legal.get(qn("w:val"), "1") not in ("0", "false", "off")
        if is_legal and num_fmt not in _LEFT_BY_LEGAL_NUMBERING:
            num_fmt = "decimal"
        if num_fmt == "none":
            return ""
        if num_fmt in _IN_WORDS and self._is_english and 0 < value <= LAST:
            return _IN_WORDS[num_fmt](value)
        if known := in_script(value, num_fmt):
            return known
        try:
            return str(super()._format_number(value, num_fmt))
        except unstructured_docx._UnrenderableLabel:
            return str(super()._format_number(value, "decimal"))


def _text_without_number(level: Any) -> str:
    """Return what stands before each paragraph of a level that is not numbered: `Note:`."""
    kind, text = level.find(qn("w:numFmt")), level.find(qn("w:lvlText"))
    if kind is None or text is None or kind.get(qn("w:val")) != "none":
        return ""
    said = re.sub(r"%\d", "", text.get(qn("w:val")) or "").strip()
    return said if any(map(str.isalnum, said)) else ""


unstructured_docx._ListLabels = _ListLabels


def _says_something(paragraph: Any) -> bool:
    return bool(clean_line("".join(text.text or "" for text in paragraph.iter(T))))


class _Partitioner(unstructured_docx._DocxPartitioner):  # type: ignore[misc]
    """Parts a paragraph at each end of a page in it, and keeps the numbers in tables.

    The library leaves out what stands behind the first end where another one ends the paragraph,
    and copies all the rest for each.
    """

    def _iter_paragraph_elements(self, paragraph: Paragraph) -> Iterator[Element]:
        label = self._list_labels.label(paragraph)
        for number, part in enumerate(_parted_at_marks(paragraph)):
            if number:
                yield from self._opts.increment_page_number()
            yield from self._classified(part, label)
            if unstructured_docx._paragraph_text(part).strip():
                label = ""

    def _advance_table_numbering(self, table: DocxTable) -> None:
        """Write the numbers of a table in front of its paragraphs; the library leaves them out."""
        for paragraph in table._tbl.iter(P):
            if label := self._list_labels.label(Paragraph(paragraph, table)):
                run = paragraph.makeelement(R)
                etree.SubElement(run, T).text = f"{label} "
                paragraph.insert(len(paragraph.findall(f"{W}pPr")), run)

    def _classified(self, paragraph: Paragraph, label: str) -> Iterator[Element]:
        try:
            yield from self._classify_paragraph_to_element(paragraph, label)
        except (ValueError, PythonDocxError, XmlchemyError):
            # How it is formatted is not said as Word says it; what it says is its text still.
            text = f"{label} {unstructured_docx._paragraph_text(paragraph)}".strip()
            yield Text(text, metadata=ElementMetadata(page_number=self._opts.metadata_page_number))


unstructured_docx._DocxPartitioner = _Partitioner


def _parted_at_marks(paragraph: Paragraph) -> Iterator[Paragraph]:
    """Yield what the paragraph has on each page; the paragraph itself keeps its properties."""
    whole = paragraph._p
    if next(whole.iter(MARK), None) is None:
        yield paragraph
        return
    part = _like(whole)
    for child in whole.xpath("*[not(self::w:pPr)]"):
        if child.tag != R or child.find(MARK) is None:
            part.append(child)
            continue
        part.append(run := _like(child))
        for node in child.xpath("*[not(self::w:rPr)]"):
            if node.tag != MARK:
                run.append(node)
                continue
            yield Paragraph(part, paragraph._parent)
            part = _like(whole)
            part.append(run := _like(child))
    yield Paragraph(part, paragraph._parent)


def _like(element: Any) -> Any:
    """Return an empty paragraph or run that has the properties of another."""
    empty = element.makeelement(element.tag)
    empty.extend(map(copy.deepcopy, element.iterchildren(f"{W}pPr", f"{W}rPr")))
    return empty
