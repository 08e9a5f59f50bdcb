"""Find the words of a PDF page and where they stand, those of a sentence together."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pypdfium2

from indexing.boxes import Shares
from indexing.partition.blocks import HYPHENS
from indexing.partition.pdf.boxes import Rectangle, Rectangles, Span
from indexing.partition.pdf.letters import PageLetters
from indexing.partition.pdf.tables.cells import FIGURES_GAP, SpacedWord, Word, line_of
from indexing.partition.pdf.tables.ruled_grids import EDGE, Grid
from indexing.partition.pdf.tables.rules import Places
from indexing.partition.pdf.tables.typed_words import goes_on
from indexing.partition.pdf.tesseract import is_of_tesseract
from indexing.types import PageBox

MAX_WORDS = 6000
"""A page with more in what may be tables is left as lines."""

OVERRUN = 0.3  # of the width of a letter: so far over its end begins one of another cell
NARROWER = 0.8  # than a digit is a space within a figure; columns are further apart

_ALONE = re.compile("[.·…]+|[$€£¥()%—–-]+")
_MARKS = ".·…$€£¥()%—–-"

_THOUSANDS = re.compile(r"[^\w\s]{0,3}\d{1,3}")
_REST = re.compile(r"\d{3}(?:[.,]\d+)?[^\w\s]{0,3}")

_CHARACTERS = [chr(code) for code in range(0x3002)]
"""The last one stands for all behind it: neither space nor mark."""

_BROKEN = re.compile(rf"[{''.join(HYPHENS)}](?=\S)")

_IS_SPACE = np.array([one.isspace() for one in _CHARACTERS])
_IS_DIGIT = np.array([one.isdecimal() for one in _CHARACTERS])
_IS_MARK = np.array([one in _MARKS for one in _CHARACTERS])

_NOWHERE = (np.nan,) * 4

Numbers = npt.NDArray[np.int_]


@dataclass(frozen=True)
class PageText:
    """The text of a page and where its lines stand."""

    page: pypdfium2.PdfPage
    textpage: pypdfium2.PdfTextPage
    letters: PageLetters
    spans: Sequence[Span]  # of its lines
    lines: Sequence[str]  # of its `page_text`
    boxes: Sequence[PageBox | None]  # of the same
    size: tuple[float, float]  # of the page as it is displayed, in points

    @cached_property
    def stand(self) -> Shares:
        """Where its lines stand, as the boxes say, in rows."""
        return np.array([box or _NOWHERE for box in self.boxes])

    def places(self) -> list[Rectangle]:
        """Return where its lines stand, as its words do."""
        places: list[Rectangle] = self.mirrored(self.stand * (self.size * 2)).tolist()
        return places

    def words(self, numbers: Iterable[int]) -> list[Word]:
        """Return the words of these lines, in points; none if the place of one is not known.

        Those that stand together as in a sentence come as one. A page that is read from the right
        is seen in a mirror, so that the first column is always the left one.
        """
        asked = sorted(set(numbers))
        new = [number for number in asked if number not in self._by_line]
        if new and not self._look_for(new):
            return []
        words: list[Word] = []
        for number in asked:
            of_line = self._by_line[number]
            if of_line is None:
                return []
            words += of_line
        return words

    def each_word(self, numbers: Iterable[int]) -> list[SpacedWord]:
        """Return the words of these lines as `words` does, but none joined with others."""
        starts, ends, lines = self._found(numbers)
        if not len(starts) or len(starts) > MAX_WORDS:
            return []
        stand = self._places(starts, self._reach(starts, ends))
        words = self._joined(stand, starts, ends, lines, np.arange(len(starts)))
        return list(map(SpacedWord, words, self._are_spaced(stand, starts, ends).tolist()))

    def words_within(self, grid: Grid, numbers: Iterable[int]) -> list[Word]:
        """Return the words of these lines as `words` does, parted by the rules of the grid."""
        starts, ends, lines = self._found(numbers)
        if not len(starts) or len(starts) > MAX_WORDS:
            return []
        stand = self._places(starts, self._reach(starts, ends))
        if np.isnan(stand).any():
            return []
        cuts, overrun = self._cuts(grid, stand, starts, ends)
        if cuts:
            cut = np.searchsorted(starts, cuts)
            lines = np.insert(lines, cut, lines[cut - 1])
            starts, ends = np.sort([*starts, *cuts]), np.sort([*ends, *cuts])
            stand = self._places(starts, self._reach(starts, ends))
        parted = grid.parted(stand)
        parted = parted[~self._are_spaced(stand, starts, ends)[parted]]
        if overrun:
            parted = np.append(parted, np.searchsorted(starts, overrun))
        return self._joined(stand, starts, ends, lines, parted)

    @cached_property
    def _by_line(self) -> dict[int, Sequence[Word] | None]:
        """The words of the lines that were asked for; None where the place of one is not known."""
        return {}

    def _look_for(self, numbers: Sequence[int]) -> bool:
        """Find the words of further lines; tell whether they are not too many."""
        starts, ends, lines = self._found(numbers)
        if len(starts) > MAX_WORDS:
            return False
        self._by_line.update(dict.fromkeys(numbers, ()))
        if not len(starts):
            return True
        stand = self._places(starts, self._reach(starts, ends))
        is_unknown = np.isnan(stand)
        if is_unknown.any():
            nowhere = lines[is_unknown.any(axis=1)]
            self._by_line.update(dict.fromkeys(nowhere.tolist()))
            at = np.flatnonzero(~np.isin(lines, nowhere))
            stand, starts, ends, lines = stand[at], starts[at], ends[at], lines[at]
        if len(starts):
            words = self._joined(stand, starts, ends, lines)
            for number, of_line in itertools.groupby(words, line_of):
                self._by_line[number] = list(of_line)
        return True

    def _joined(
        self,
        stand: Rectangles,
        starts: Numbers,
        ends: Numbers,
        lines: Numbers,
        parted: Numbers | None = None,
    ) -> list[Word]:
        """Return words, those of a sentence as one, unless one is parted from that before it."""
        stand = self.mirrored(self._begun(stand, starts, ends))
        firsts = self._firsts(stand, starts, ends, lines)
        if parted is not None:
            firsts = np.union1d(firsts, parted)
        # One side after the other takes half as long as two at once.
        lefts, tops = (np.minimum.reduceat(side, firsts) for side in stand.T[:2])
        rights, bottoms = (np.maximum.reduceat(side, firsts) for side in stand.T[2:])
        sides = (lefts, tops, rights, bottoms, bottoms - tops, (tops + bottoms) / 2)
        last_ends = [*ends[firsts[1:] - 1].tolist(), int(ends[-1])]
        parts = map(slice, starts[firsts].tolist(), last_ends)
        texts = map(self.letters.text.__getitem__, parts)
        values = zip(texts, lines[firsts].tolist(), *(side.tolist() for side in sides), strict=True)
        # By what `Word` itself calls, which is a function of Python.
        return list(map(tuple.__new__, itertools.repeat(Word), values))

    def _begun(self, stand: Rectangles, starts: Numbers, ends: Numbers) -> Rectangles:
        """Return where words stand, those that go on in the next line of their cell as they begin.

        What is broken at the end of a column goes on beside it, and keeps its place.
        """
        rests = self._rests
        if not len(rests):
            return stand
        words = np.searchsorted(starts, rests) - 1
        is_asked = (words >= 0) & (rests < ends[words])
        words, rests = words[is_asked], rests[is_asked]
        if not len(words):
            return stand
        first, rest = self._places(starts[words], rests), self._places(rests, ends[words])
        goes_on_below = (rest[:, 0] < first[:, 2]) & (rest[:, 1] > first[:, 1])
        placed = stand.copy()
        placed[words[goes_on_below]] = first[goes_on_below]
        return placed

    @cached_property
    def _rests(self) -> Numbers:
        """Where in the text broken words go on that have no end of a line in them."""
        return np.array([match.end() for match in _BROKEN.finditer(self.letters.text)], np.int_)

    def mirrored(self, stand: Rectangles) -> Rectangles:
        """Return where something stands in the mirror, or on the page for what is in the mirror."""
        if not self.letters.is_from_right:
            return stand
        width, _ = self.size
        return np.array([width, 0, width, 0]) + stand[:, [2, 1, 0, 3]] * [-1, 1, -1, 1]

    def _found(self, numbers: Iterable[int]) -> tuple[Numbers, Numbers, Numbers]:
        """Return where the words of these lines begin and end in the text, and their lines."""
        starts, ends, lines = self._all_found
        is_asked = np.zeros(len(self.spans), np.bool_)
        is_asked[list(numbers)] = True
        asked = np.flatnonzero(is_asked[lines])
        return starts[asked], ends[asked], lines[asked]

    @cached_property
    def _all_found(self) -> tuple[Numbers, Numbers, Numbers]:
        """Where all words of the page begin and end, and their lines: found once."""
        is_letter = np.zeros(len(self._codes) + 2, np.bool_)
        is_letter[1:-1] = ~_IS_SPACE.take(self._codes)
        edges = np.flatnonzero(is_letter[1:] != is_letter[:-1])
        # No word goes on from one line to the next, for spaces are what ends a line.
        lines = np.searchsorted([start for start, _ in self.spans], edges[::2], "right") - 1
        return edges[::2], edges[1::2], lines

    def _places(self, starts: Numbers, ends: Numbers) -> Rectangles:
        """Return where these parts of the text stand, in points from the upper left."""
        spans = np.array([starts, ends]).T
        return self.letters.places(self.page, self.textpage, spans) * (self.size * 2)

    def _reach(self, starts: Numbers, ends: Numbers) -> Numbers:
        """Return up to where in the text these words are drawn."""
        if not is_of_tesseract(self.textpage, int(starts[0])):
            return ends
        is_space = np.append(self._codes == ord(" "), False)
        reach: Numbers = ends + is_space[ends]
        return reach

    def _cuts(
        self, grid: Grid, stand: Rectangles, starts: Numbers, ends: Numbers
    ) -> tuple[list[int], list[int]]:
        """Return where in the text words go on behind a rule, and where over the end of a word.

        Where cells have hardly a margin, the text has no space between their words. A name that is
        wider than its column runs over the beginning of the next one.
        """
        crossed = grid.crossed(stand)
        if not len(crossed):
            return [], []
        words = np.repeat(crossed, (ends - starts)[crossed])
        letters = np.concatenate([np.arange(starts[n], ends[n]) for n in crossed.tolist()])
        places = self._places(letters, letters + 1)
        is_within = np.concatenate([[False], words[1:] == words[:-1]])
        back = self._steps_back(places)
        back = back[is_within[back]]
        parted = grid.parted(places)
        parted = parted[is_within[parted] & ~np.isin(words[parted], words[back])]
        return letters[np.union1d(back, parted)].tolist(), letters[back].tolist()

    def _steps_back(self, letters: Rectangles) -> Numbers:
        """Return which letters begin well before the end of the one before."""
        if self.letters.is_from_right:
            return np.array([], np.int_)
        lefts, _, rights, _ = letters.T
        far = OVERRUN * (rights[:-1] - lefts[:-1])
        return np.flatnonzero(lefts[1:] < rights[:-1] - far) + 1

    def _are_spaced(
        self, stand: Rectangles, starts: Numbers, ends: Numbers
    ) -> npt.NDArray[np.bool_]:
        """Tell which words have a space of the text itself before them, from end to beginning.

        If a rule happens to lie in it, it is one that the text of a cell runs over.
        """
        spaces = self._places(ends[:-1], np.maximum(starts[1:], ends[:-1] + 1))
        lefts, _, rights, _ = stand.T
        gaps = np.maximum(lefts[1:] - rights[:-1], lefts[:-1] - rights[1:])
        widths = spaces[:, 2] - spaces[:, 0]
        # One that PDFium made up has no width.
        is_spaced = (starts[1:] > ends[:-1]) & (widths > EDGE) & (widths > gaps - 2 * EDGE)
        return np.concatenate([[False], is_spaced])

    @cached_property
    def _codes(self) -> Numbers:
        """Of each letter of the text its number in `_CHARACTERS`."""
        encoded = self.letters.text.encode("utf-32-le", "surrogatepass")
        codes = np.minimum(np.frombuffer(encoded, np.uint32), len(_CHARACTERS) - 1)
        return codes.astype(np.int_)

    def _firsts(self, stand: Shares, starts: Numbers, ends: Numbers, lines: Numbers) -> Numbers:
        """Return which words do not stand right behind the one before, as in a sentence."""
        lefts, tops, rights, bottoms = stand.T
        heights = bottoms - tops
        near = FIGURES_GAP * np.minimum(heights[1:], heights[:-1])
        gaps_before = self._gaps_before(lefts, rights, starts)
        is_beside = lines[1:] == lines[:-1]
        is_first = (
            ~is_beside
            | (gaps_before > near)
            | (np.abs(tops[1:] + bottoms[1:] - tops[:-1] - bottoms[:-1]) > 2 * near)
        )
        is_number = _IS_DIGIT[self._codes[starts]]
        is_first &= ~(is_beside & goes_on(rights - lefts, gaps_before, ends - starts, is_number))
        may_go_on = is_first & is_beside & (gaps_before < heights[1:])
        for n in self._may_be_thousands(starts, ends, may_go_on):
            digit = (rights[n + 1] - lefts[n + 1]) / (ends[n + 1] - starts[n + 1])
            is_first[n] = gaps_before[n] > NARROWER * digit
        is_alone = self._are_alone(starts, ends)
        firsts = np.ones(len(starts), np.bool_)
        firsts[1:] = is_first | is_alone[1:] | is_alone[:-1]
        return np.flatnonzero(firsts)

    def _are_alone(self, starts: Numbers, ends: Numbers) -> npt.NDArray[np.bool_]:
        """Tell which words are marks that no sentence goes on with."""
        # Of most that begin with a mark the second letter is none, as of negative figures.
        seconds = np.minimum(starts + 1, ends - 1)
        are_alone: npt.NDArray[np.bool_] = (
            _IS_MARK[self._codes[starts]] & _IS_MARK[self._codes[seconds]]
        )
        for n in np.flatnonzero(are_alone & (seconds > starts)).tolist():
            are_alone[n] = _ALONE.fullmatch(self.letters.text, starts[n], ends[n]) is not None
        return are_alone

    def _may_be_thousands(
        self, starts: Numbers, ends: Numbers, among: npt.NDArray[np.bool_]
    ) -> list[int]:
        """Return which words may be the thousands of a figure that goes on in the next word."""
        words = np.flatnonzero(among)
        before, after = self._codes[ends[words] - 1], self._codes[starts[words + 1]]
        return [
            n
            for n in words[_IS_DIGIT[before] & _IS_DIGIT[after]].tolist()
            if _THOUSANDS.fullmatch(self.letters.text, starts[n], ends[n])
            and _REST.fullmatch(self.letters.text, starts[n + 1], ends[n + 1])
        ]

    def _gaps_before(self, lefts: Places, rights: Places, starts: Numbers) -> Places:
        """Return how far each word stands from the one before, on the side where it may."""
        gaps, stand = lefts[1:] - rights[:-1], self.letters.stand
        if self.letters.is_from_right:
            return np.maximum(gaps, lefts[:-1] - rights[1:])
        behind = np.where(lefts[1:] < lefts[:-1], np.inf, gaps)
        if stand is None:
            return behind
        on_either_side = np.maximum(gaps, lefts[:-1] - rights[1:])
        return np.where(np.isfinite(stand[starts[1:], 0]), on_either_side, behind)
