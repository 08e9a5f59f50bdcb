"""Read the letters of a PDF page in the order in which they are read.

From left to right that is PDFium's. Lines of Hebrew or Arabic come from it with brackets, the words
of foreign names and the parts of numbers the wrong way round, from some programs with whole words
turned round. What is right is where each letter stands: from that these lines are put together.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import pypdfium2

from indexing.boxes import Shares, page_boxes
from indexing.partition.blocks import HYPHENS, line_spans
from indexing.partition.pdf.accents import with_accents
from indexing.partition.pdf.boxes import Spans, letter_places, places, rows_of_spans
from indexing.partition.pdf.drawn_later import OrderedLine, lines_in_order
from indexing.partition.pdf.drop_caps import with_capitals
from indexing.partition.pdf.form_fields import NOT_TICKED, TICKED
from indexing.partition.pdf.gaps_in_words import missing_spaces, with_words_closed
from indexing.partition.pdf.joining_letters import as_written
from indexing.partition.pdf.letter_order import NEW, Order, places_in_order
from indexing.partition.pdf.letter_spacing import with_words
from indexing.partition.pdf.line_letters import Line, LineReading, read_line
from indexing.partition.pdf.mirrored import dropped_spaces, is_mirrored
from indexing.partition.pdf.powers import exponents
from indexing.partition.pdf.radicals import with_characters
from indexing.partition.pdf.script_gaps import with_scripts_closed
from indexing.partition.pdf.shapes import with_shapes
from indexing.partition.pdf.soft_hyphens import with_hyphens
from indexing.partition.pdf.tex import with_names
from indexing.partition.pdf.thai_marks import with_marks
from indexing.partition.pdf.thai_shapes import with_letters
from indexing.partition.pdf.torn_at_marks import with_whole_lines
from indexing.partition.pdf.turned_words import with_turned_words
from indexing.partition.pdf.unspaced import without_spaces
from indexing.partition.reading_order import has_letters_from_right, runs_from_right
from indexing.partition.text import may_have_other_scripts
from indexing.types import PageBox

MAX_LETTERS = 50_000
"""A page with more is left as PDFium has it."""

# PDFium knows the hyphen of ASCII alone; Chromium breaks words with this one.
_HYPHEN_AT_END = "\u2010\r\n"

# For PDFium the word goes on there, with no line end between. What is before it is looked at last:
# the search is for the sign then, and far faster.
_BEFORE_NUMBER = re.compile(r"\ufffe(?=\d+\s*?(?:\n|\Z))(?<=[^\W\d_]\ufffe)")
FAR_BELOW = 0.8  # of the height of a line, from one to the next

_MIRRORED = dict(zip("()[]{}<>«»‹›", ")(][}{><»«›‹", strict=True))
_IN_BRACKETS = re.compile(r"\([^()]*\)|\[[^][]*\]")
_CLOSED_FIRST, _OPENED_LAST = re.compile(r"^[)\]}]"), re.compile(r"[(\[{](?=\s*$)")
_SENTENCE_ENDS = tuple(".,:;!?")
_WEAK = ("AN", "EN", "NSM", "CS", "ES", "ET", "BN")


@dataclass(frozen=True, slots=True)
class PageLetters:
    """The text of a page, and line by line of the same letters as PDFium's."""

    text: str
    raw: str  # as PDFium returns it
    stand: Shares | None = None  # where the letters of lines stand that are put together anew
    is_from_right: bool = False
    dropped: Sequence[int] = ()  # before which places a space is missing
    order: Order | None = None  # of PDFium's letters; None where it is its own

    @property
    def written(self) -> str:
        """The text with the spaces that PDFium has dropped."""
        starts, ends = (0, *self.dropped), (*self.dropped, len(self.text))
        return " ".join(self.text[start:end] for start, end in zip(starts, ends, strict=True))

    def places(
        self, page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, spans: Spans
    ) -> Shares:
        """Return where each of these parts of the text stands, also off the page."""
        ends = rows_of_spans(spans)
        if self.stand is None:
            return self._asked(page, textpage, ends)
        found = _around(self.stand, ends)
        (unknown,) = np.isnan(found[:, 0]).nonzero()
        if len(unknown):
            found[unknown] = self._asked(page, textpage, ends[unknown])
        return found

    def _asked(
        self,
        page: pypdfium2.PdfPage,
        textpage: pypdfium2.PdfTextPage,
        ends: npt.NDArray[np.int_],
    ) -> Shares:
        """Return where PDFium says that parts stand; NaN for those without a letter."""
        if self.order is not None:
            return places_in_order(partial(places, page, textpage, self.raw), self.order, ends)
        found = places(page, textpage, self.raw, ends)
        found[ends[:, 0] == ends[:, 1]] = np.nan
        return found

    def with_order(self, letters: npt.NDArray[np.int_]) -> "PageLetters":
        """Return, with the same text still, these of the letters in order; `NEW` stands nowhere."""
        is_new = letters == NEW
        order = letters if self.order is None else np.where(is_new, NEW, self.order[letters])
        if self.stand is None:
            return replace(self, order=order)
        stand = np.where(is_new[:, None], np.nan, self.stand[letters])
        return replace(self, order=order, stand=stand)

    def line_boxes(
        self, page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage
    ) -> list[PageBox | None]:
        """Return the box of each line of the text, None for blank lines and those off the page.

        The lines are those of its `page_text`.
        """
        return page_boxes(self.places(page, textpage, line_spans(self.text)))


def _around(stand: Shares, ends: npt.NDArray[np.int_]) -> Shares:
    """Return what is around the letters of each part of which is known where they stand."""
    if not len(ends):
        return np.empty((0, 4))
    # Of each two numbers the first one begins what is reduced, and the second one ends it. These
    # two pass over what is not known.
    sides = np.append(stand, [[np.nan] * 4], axis=0)
    low = np.fmin.reduceat(sides[:, :2], ends.ravel())[::2]
    high = np.fmax.reduceat(sides[:, 2:], ends.ravel())[::2]
    around = np.concatenate([low, high], axis=1)
    # A blank line may end before it begins.
    around[ends[:, 0] >= ends[:, 1]] = np.nan
    return around


def raw_text(textpage: pypdfium2.PdfTextPage) -> str:
    """Return the text of a page as PDFium has it, but with what it names wrongly named."""
    # Halves of characters are kept, so that what follows is found by its place; `page_text` drops
    # them.
    raw = with_hyphens(textpage, textpage.get_text_range(errors="surrogatepass"))
    raw = with_names(textpage, raw)
    raw = raw.replace(*TICKED).replace(*NOT_TICKED)
    if may_have_other_scripts(raw):
        raw = with_letters(with_characters(raw))
    if "\ufffe" in raw:
        raw = _BEFORE_NUMBER.sub(lambda match: _apart(textpage, match), raw)
    return raw.replace(_HYPHEN_AT_END, f"{HYPHENS[0]}\r\n")


def _apart(textpage: pypdfium2.PdfTextPage, hyphen: re.Match[str]) -> str:
    """Return the end of a line for a hyphen that a number follows far below: that of the page."""
    _, bottom, _, top = textpage.get_charbox(hyphen.start() - 1, loose=True)
    _, _, _, top_of_number = textpage.get_charbox(hyphen.end(), loose=True)
    return "\n" if bottom - top_of_number > FAR_BELOW * (top - bottom) else hyphen[0]


def page_letters(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str) -> PageLetters:
    """Return the letters of the page as they are read; `raw` is its text as PDFium has it."""
    letters = _as_drawn(page, textpage, raw)
    if letters.is_from_right or letters.dropped or len(raw) > MAX_LETTERS:
        return letters
    find_places = partial(letters.places, page, textpage)
    lines = list(lines_in_order(letters.text, find_places, page.get_size()))
    return _with_lines(letters, lines) if lines else letters


def _with_lines(letters: PageLetters, lines: Iterable[OrderedLine]) -> PageLetters:
    """Return the letters with these lines, from the first to the last, in order."""
    text, stand = letters.text, letters.stand
    stand = np.full((len(text), 4), np.nan) if stand is None else stand.copy()
    parts: list[str] = []
    order: list[int] = []
    at = 0
    for line in lines:
        start, end = line.span
        stand[start:end] = line.boxes
        parts += [text[at:start], line.text]
        order += [*range(at, start), *line.order]
        at = end
    order += range(at, len(text))
    in_order = replace(letters, stand=stand).with_order(np.array(order))
    return replace(in_order, text="".join([*parts, text[at:]]))


def _as_drawn(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str) -> PageLetters:
    """Return the letters of the page in the order in which PDFium found them."""
    # What PDFium has in place of a hyphen is behind all of them.
    has_other_scripts = may_have_other_scripts(raw.replace("\ufffe", ""))
    text = as_written(page, textpage, raw) if has_other_scripts else raw
    text = with_turned_words(page, textpage, raw, text)
    text = with_accents(page, textpage, raw, text)
    text = with_words(page, textpage, raw, text)
    if has_other_scripts:
        text = without_spaces(page, textpage, raw, text)
        text = with_scripts_closed(page, textpage, raw, text)
    text = with_capitals(page, textpage, raw, text)
    text = with_words_closed(page, textpage, raw, text)
    missing = partial(_missing, page, textpage, raw)
    if not has_other_scripts:
        return _with_signs(PageLetters(text, raw), missing())
    if not has_letters_from_right(raw) or len(raw) > MAX_LETTERS:
        text, stand = with_marks(page, textpage, raw, text)
        letters = PageLetters(text, raw, stand)
        return letters if stand is not None else _with_signs(letters, missing())
    is_from_right = runs_from_right(raw)
    stand = np.full((len(raw), 4), np.nan)
    shaped = with_whole_lines(page, textpage, raw, with_shapes(page, textpage, raw))
    if shaped is not None:
        text = "".join(
            new if new != old else one for one, old, new in zip(text, raw, shaped[0], strict=True)
        )
    as_named, as_drawn = list(text), list(text)
    for part, named, drawn, boxes in _readings(page, textpage, raw, shaped, is_from_right):
        as_named[part], as_drawn[part], stand[part] = named, drawn, boxes
    # Programs name a bracket by what it means, or by what it looks like.
    texts = ("".join(as_named), "".join(as_drawn))
    text = max(texts, key=lambda one: len(_IN_BRACKETS.findall(one)))
    return PageLetters(text, raw, stand, is_from_right, dropped_spaces(textpage, raw))


def _missing(page: pypdfium2.PdfPage, textpage: pypdfium2.PdfTextPage, raw: str) -> dict[int, str]:
    """Return the signs that PDFium's text lacks, by the letters before which they stand."""
    spaces = dict.fromkeys(missing_spaces(page, textpage, raw), " ")
    return spaces | dict.fromkeys(exponents(page, textpage, raw), "^")


def _with_signs(letters: PageLetters, missing: Mapping[int, str]) -> PageLetters:
    """Return the letters with a sign before each of these."""
    if not missing:
        return letters
    places = sorted(missing)
    parts = [letters.text[: places[0]]]
    for start, end in pairwise([*places, len(letters.text)]):
        parts += [missing[start], letters.text[start:end]]
    order = np.insert(np.arange(len(letters.text)), places, NEW)
    return replace(letters.with_order(order), text="".join(parts))


def _readings(
    page: pypdfium2.PdfPage,
    textpage: pypdfium2.PdfTextPage,
    raw: str,
    shaped: tuple[str, Shares] | None,
    is_from_right: bool,
) -> Iterator[tuple[slice, str, str, Shares]]:
    """Yield the lines that PDFium may have turned round, as they are read.

    Their text comes twice, with brackets by what they mean and by what they look like; then where
    its letters stand.
    """
    seen, stand = shaped or (raw, None)
    for start, end in line_spans(seen):
        text = seen[start:end]
        if not text or not (is_from_right or has_letters_from_right(text)):
            continue
        if is_mirrored(textpage, start):
            continue
        if stand is None:
            boxes = letter_places(page, textpage, raw, range(start, end))
        else:
            boxes = stand[start:end]
        is_from_left = not has_letters_from_right(text) and not _ends_on_the_left(text)
        from_right = not is_from_left and (is_from_right or runs_from_right(text))
        reading = read_line(Line(text, boxes), from_right=from_right)
        if reading is None:
            continue
        named, drawn = _named_and_drawn(_not_mirrored(text), reading)
        if is_from_left:
            named = drawn = _with_ends(named)
        if not is_from_left or named != text:
            yield slice(start, end), named, drawn, boxes[reading.order]


def _named_and_drawn(letters: Sequence[str], reading: LineReading) -> tuple[str, str]:
    """Return the letters in order, with brackets by what they mean and by what they look like."""
    named = [letters[at] for at in reading.order]
    drawn = [
        _MIRRORED.get(letter, letter) if is_turned else letter
        for letter, is_turned in zip(named, reading.turned, strict=True)
    ]
    return "".join(named), "".join(drawn)


def _with_ends(text: str) -> str:
    """Turn the brackets around a line that is read from the left, if PDFium has mirrored them."""
    return _CLOSED_FIRST.sub(_turn, _OPENED_LAST.sub(_turn, text))


def _turn(bracket: re.Match[str]) -> str:
    return _MIRRORED[bracket[0]]


def _ends_on_the_left(text: str) -> bool:
    """Tell whether a line without such letters, as it is seen, runs from the right."""
    return text.startswith(_SENTENCE_ENDS) or (text != "" and not any(map(str.isalpha, text)))


def _not_mirrored(text: str) -> list[str]:
    """Undo what PDFium does to a line: it mirrors what stands behind letters from the right."""
    letters = []
    is_behind = False
    for letter in text:
        kind = unicodedata.bidirectional(letter)
        if kind in ("R", "AL"):
            is_behind = True
        elif kind == "L":
            is_behind = False
        elif is_behind and kind not in _WEAK:
            letter = _MIRRORED.get(letter, letter)
        letters.append(letter)
    return letters
