"""Find where each line of the letters of a PDF page is, in their text and on the page."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import pypdfium2

from indexing.boxes import Shares
from indexing.partition.blocks import line_spans
from indexing.partition.pdf.boxes import Rectangles, Span, Spans
from indexing.partition.pdf.letters import PageLetters


@dataclass(frozen=True, slots=True)
class PlacedLines:
    """The letters of a page, and where each line is in their text and on the page."""

    page: pypdfium2.PdfPage
    textpage: pypdfium2.PdfTextPage
    size: tuple[float, float]  # of the page as it is displayed, in points
    letters: PageLetters
    spans: Sequence[Span]
    stand: Shares
    points: Rectangles  # the same, from the upper left

    @classmethod
    def of(
        cls,
        page: pypdfium2.PdfPage,
        textpage: pypdfium2.PdfTextPage,
        letters: PageLetters,
        size: tuple[float, float] | None = None,
    ) -> "PlacedLines":
        """Find the lines of the letters; without its size, the page is asked for it."""
        size = size or page.get_size()
        spans = line_spans(letters.text)
        stand = letters.places(page, textpage, spans)
        return cls(page, textpage, size, letters, spans, stand, stand * (size * 2))

    def points_of(self, spans: Spans) -> Rectangles:
        """Return where other parts of the text stand, in points from the upper left."""
        return self.letters.places(self.page, self.textpage, spans) * (self.size * 2)

    def read_as(self, letters: PageLetters) -> "PlacedLines":
        """Return the lines as they are of other letters of the page; of the same, the same."""
        before = self.letters
        if letters is before:
            return self
        if letters.order is not before.order or letters.stand is not before.stand:
            return self.of(self.page, self.textpage, letters, self.size)
        # What is the same part of the letters stands where it stood.
        spans = line_spans(letters.text)
        known = dict(zip(self.spans, itertools.count()))
        rows = [known.get(span, -1) for span in spans]
        stand = self.stand[rows]
        new = [number for number, row in enumerate(rows) if row < 0]
        stand[new] = letters.places(self.page, self.textpage, [spans[number] for number in new])
        points = stand * (self.size * 2)
        return replace(self, letters=letters, spans=spans, stand=stand, points=points)
