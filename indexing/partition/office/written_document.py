"""A text document as its file has it, and on the pages that LibreOffice lays it out on."""

import contextlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from indexing.partition.office.libreoffice import (
    ConversionFailed,
    converted,
    find_soffice,
    pdf_page_texts,
)
from indexing.partition.office.lost_lines import put_back
from indexing.partition.office.pictures import Album
from indexing.partition.office.placed_pictures import drawn_shapes, place_pictures
from indexing.partition.office.rendered_pages import place_on_pages
from indexing.types import NO_PAGE, Block, BlockKind, Document, Page


@dataclass(frozen=True, slots=True)
class WrittenDocument:
    """A text document as its file has it; marks stand for its pictures."""

    title: str
    pages: list[Page]
    needs_layout: bool  # where its pages end is not told by the program that wrote it
    album: Album
    running: Sequence[Block] = ()  # those of the blocks that are heads and feet of pages

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

    def with_lost(self, original: Iterable[Block]) -> "WrittenDocument":
        """Return the document with what it has lost of the original that it was converted from."""
        blocks = joined(put_back(joined([page.blocks for page in self.pages]), original))
        return replace(self, pages=[Page(NO_PAGE, tuple(blocks), warning=self._warning())])

    def on_pages_of(self, pdf: Path) -> list[Page]:
        """Return the pages as a PDF of the document has them."""
        blocks = joined([page.blocks for page in self.pages])
        pages = place_on_pages(blocks, pdf_page_texts(pdf), self.running)
        pages[:1] = [replace(one, warning=self._warning()) for one in pages[:1]]
        if len(pages) == 1 or not self.album:
            return pages
        return place_pictures(pages, self._shape_of, drawn_shapes(pdf))

    def _warning(self) -> str:
        return "; ".join(page.warning for page in self.pages if page.warning)

    def _shape_of(self, block: Block) -> float | None:
        shown = self.album.shown(block)
        return None if shown is None else shown.width / shown.height


def joined(pages: Iterable[Sequence[Block]]) -> list[Block]:
    """Return the blocks of all pages; tables that were parted between two of them are whole again.

    For where they were parted need not be where the pages end now.
    """
    blocks: list[Block] = []
    for page in pages:
        goes_on = bool(blocks) and bool(page) and _goes_on(blocks[-1], page[0])
        if goes_on:
            blocks[-1] = replace(blocks[-1], text=f"{blocks[-1].text}\n{page[0].text}")
        blocks += page[1:] if goes_on else page
    return blocks


def _goes_on(table: Block, below: Block) -> bool:
    are_tables = table.kind is below.kind is BlockKind.TABLE
    return are_tables and bool(table.header) and table.header == below.header
