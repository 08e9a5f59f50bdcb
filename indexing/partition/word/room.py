"""Estimate how much of its page the text of a Word document takes, from its print and spacing.

All room is told in words: as many of common print would take as much of a common page.
"""

import itertools
import re
from collections.abc import Iterable, Iterator

from indexing.partition.office.package_xml import Element
from indexing.partition.word.elements import MARK, TR, P, T, W, text_of
from indexing.partition.word.styles import styles_by_id, with_bases
from indexing.word_count import room_of_words

EXTENT = "{http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing}extent"

# As many of them fill a common page; and one in the smallest print.
WORDS_OF_A_PAGE = 600
MAX_WORDS_ON_A_PAGE = 1500

# A short paragraph and the row of a table take a line too, the room of so many words.
WORDS_OF_A_LINE = 10

# What is counted as common, in twentieths of a point: a line, what parts two paragraphs, and the
# text on a page of Letter or A4. Print is in half points.
COMMON_LINE, COMMON_SPACE, COMMON_PRINT = 276, 240, 24
COMMON_WIDTH, COMMON_HEIGHT = 8640, 12960
# The height of an A4 page, of which a picture takes a share; in the units of a drawing.
PAGE_HEIGHT = 10_692_000

_NUMBER = re.compile("[0-9]{1,9}")
_ON = ("1", "true", "on")


def words_per_page(body: Element) -> list[float]:
    """Return how many words stand on each page; a picture takes the room of some.

    The last is one that holds more than any page can, if there is one: others end within it.
    """
    return _per_page(body, _Print())


def room_per_page(body: Element, styles: Element | None) -> list[float]:
    """Return how full each page is by print, spacing, heights of rows and the size of pages."""
    return _per_page(body, _StatedPrint(body, styles))


class _Print:
    """How the words are printed: all of them alike."""

    def of_words(self, text: Element) -> float:
        return room_of_words(text.text or "")

    def of_paragraph(self, paragraph: Element) -> float:
        """Return what a paragraph takes beside its words, which leave a line half empty."""
        return max(0, WORDS_OF_A_LINE - room_of_words(text_of(paragraph)))

    def of_row(self, row: Element) -> float:
        return max(0, WORDS_OF_A_LINE - room_of_words(text_of(row)))


class _StatedPrint(_Print):
    """How the words are printed, as the document says."""

    def __init__(self, body: Element, styles: Element | None) -> None:
        self._styles = styles_by_id(styles)
        self._plain = next((name for name, one in self._styles.items() if _is_plain(one)), "")
        self._defaults = [] if styles is None else list(styles.iterfind(f"{W}docDefaults/*"))
        self._of_page = max(map(_of_page, body.iter(f"{W}sectPr")), default=1.0)
        # Of the last paragraph, which may have thousands of runs: asked of each, that took minutes.
        self._paragraph: Element | None = None
        self._print_of_styles = self._line = 0

    def of_words(self, text: Element) -> float:
        run = text.getparent()
        paragraph = next(run.iterancestors(P), run)
        path, name = f"{W}rPr/{W}sz", f"{W}val"
        if paragraph is not self._paragraph:
            self._paragraph = paragraph
            self._print_of_styles = self._stated_by(
                self._styles_of(paragraph), path, name, COMMON_PRINT
            )
            self._line = self._spacing(paragraph, "line", COMMON_LINE)
        # Large print takes more of the line, and more lines.
        own = _stated(run, path, name)
        size = self._print_of_styles if own is None else own
        of_print = max(1, size / COMMON_PRINT) ** 2
        of_line = max(1, self._line / COMMON_LINE)
        return super().of_words(text) * of_print * of_line * self._of_page

    def of_paragraph(self, paragraph: Element) -> float:
        space = sum(self._spacing(paragraph, side, 0) for side in ("before", "after"))
        extra = _of_height(max(0, space - COMMON_SPACE))
        return super().of_paragraph(paragraph) * self._of_page + extra

    def of_row(self, row: Element) -> float:
        height = row.find(f"{W}trPr/{W}trHeight")
        stated = 0 if height is None else _number(height, f"{W}val") or 0
        return max(super().of_row(row) * self._of_page, _of_height(stated))

    def _spacing(self, paragraph: Element, name: str, otherwise: int) -> int:
        elements = itertools.chain([paragraph], self._styles_of(paragraph))
        return self._stated_by(elements, f"{W}pPr/{W}spacing", f"{W}{name}", otherwise)

    def _stated_by(self, elements: Iterable[Element], path: str, name: str, otherwise: int) -> int:
        """Return what the first of the elements says that says anything, or the document."""
        for one in itertools.chain(elements, self._defaults):
            if (number := _stated(one, path, name)) is not None:
                return number
        return otherwise

    def _styles_of(self, paragraph: Element) -> Iterator[Element]:
        named = paragraph.find(f"{W}pPr/{W}pStyle")
        name = self._plain if named is None else named.get(f"{W}val", "")
        return with_bases(name, self._styles)


def _per_page(body: Element, print_: _Print) -> list[float]:
    rooms = [0.0]
    for node in body.iter(P, TR, T, MARK, EXTENT):
        if rooms[-1] > MAX_WORDS_ON_A_PAGE:
            break
        if node.tag == MARK:
            rooms.append(0)
        elif node.tag == T:
            rooms[-1] += print_.of_words(node)
        elif node.tag == TR:
            rooms[-1] += print_.of_row(node)
        elif node.tag == EXTENT:
            height = _number(node, "cy") or 0
            rooms[-1] += WORDS_OF_A_PAGE * height / PAGE_HEIGHT
        elif node.getparent() is body:
            rooms[-1] += print_.of_paragraph(node)
    return rooms


def _is_plain(style: Element) -> bool:
    """Tell whether paragraphs that name no style have this one."""
    return style.get(f"{W}type") == "paragraph" and style.get(f"{W}default") in _ON


def _of_page(section: Element) -> float:
    """Return by how much more the words of a section fill its pages than they would common ones."""
    size, margins = section.find(f"{W}pgSz"), section.find(f"{W}pgMar")
    if size is None or margins is None:
        return 1
    width, height = (
        (_number(size, f"{W}{length}") or 0)
        - sum(_number(margins, f"{W}{side}") or 0 for side in sides)
        for length, sides in (("w", ("left", "right")), ("h", ("top", "bottom")))
    )
    if width <= 0 or height <= 0:
        return 1
    return max(1, COMMON_WIDTH * COMMON_HEIGHT / (width * height), COMMON_HEIGHT / height)


def _of_height(height: float) -> float:
    return WORDS_OF_A_PAGE * height / COMMON_HEIGHT


def _stated(element: Element, path: str, name: str) -> int | None:
    found = element.find(path)
    return None if found is None else _number(found, name)


def _number(element: Element, name: str) -> int | None:
    value = element.get(name, "")
    return int(value) if _NUMBER.fullmatch(value) else None
