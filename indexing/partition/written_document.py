"""A text document as its file has it, and on the pages that LibreOffice lays it out on."""

import contextlib
import itertools
from dataclasses import dataclass
from pathlib import Path

from indexing.partition.libreoffice import (
    ConversionFailed,
    converted,
    find_soffice,
    pdf_page_texts,
)
from indexing.partition.office_pictures import Album
from indexing.partition.rendered_pages import (
    drawn_shapes,
    place_on_pages,
    place_pictures,
)
from indexing.types import NO_PAGE, Block, Document, Page


@dataclass(frozen=True, slots=True)
class WrittenDocument:
    """A text document as its file has it; marks stand for its pictures."""

    title: str
    pages: list[Page]
    needs_layout: bool  # where its pages end is not told by the program that wrote it
    album: Album

    def document(self, path: Path, suffix: str, skip_pages: int) -> Document:
        """Return the document that is in the file, laid out if it needs to be and can be.

        The first `skip_pages` pages are left out, and their pictures not looked at.
        """
        pages = self.pages
        if self.needs_layout and find_soffice() is not None:
            with (
                contextlib.suppress(ConversionFailed),
                converted(path, suffix, ["pdf"]) as (pdf,),
            ):
                laid_out = self.on_pages_of(pdf)
                if laid_out[0].number != NO_PAGE:
                    pages = laid_out
        page_count = max((page.number for page in pages), default=0)
        return Document(self.title, max(page_count, 0), self.album.pages(pages, skip_pages))

    def on_pages_of(self, pdf: Path) -> list[Page]:
        """Return the pages as a PDF of the document has them."""
        blocks = itertools.chain.from_iterable(page.blocks for page in self.pages)
        pages = place_on_pages(blocks, pdf_page_texts(pdf))
        if len(pages) == 1 or not self.album:
            return pages
        return place_pictures(pages, self._shape_of, drawn_shapes(pdf))

    def _shape_of(self, block: Block) -> float | None:
        shown = self.album.shown(block)
        return None if shown is None else shown.width / shown.height
