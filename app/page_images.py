"""The pages of documents as pictures: drawn once, kept beside the document, marked when asked.

A document is not trusted, so a process with limits draws it, at most a few at a time. What it makes
is kept in the file store with the file itself, and goes with it: the picture of the page, the
places of its lines, and of an office document the PDF that all its pages are drawn from.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.cited_lines import cited_lines
from app import ids
from app.file_store import made_of
from app.models.data_source import DataSource, lock_data_source
from app.models.data_source_page import select_pages_numbered
from app.models.workflow import Workflow, select_workflow
from app.page_marks import lines_with, marked
from app.services import Services
from app.work_folder import work_folder
from config.errors import NotFound, PageNotDrawn, ReferenceNotFound
from indexing.boxes import box_from_json
from indexing.partition.formats import DocumentFormat
from indexing.partition.office.libreoffice import HOW_TO_INSTALL, find_soffice
from indexing.partition.processes.isolation import ReadLimits
from indexing.partition.processes.page_renderer import LINES, OFFICE, PDF, PICTURES, PNG
from indexing.partition.processes.page_rendering import render_page
from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import Block, BlockKind, Page

RENDER_CPU_SECONDS = 60
RENDER_SECONDS = 120
"""How long drawing a page may take, LibreOffice included; more than in processor time, for it gives
way to questions."""

_CITATION = re.compile(r"(wfl?_[A-Za-z0-9]+):([0-9]{1,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class PageImage:
    """A page as a picture."""

    png: bytes
    highlighted_lines: int = 0  # 0 also where the words are not on the page


async def page_image(
    services: Services, data_source: DataSource, number: int, highlight: str = ""
) -> PageImage:
    """Return a page (from 1) as a picture, the lines marked that the words to highlight stand on.

    These are given as they are, or as `wfl_…:N`: what citation N of an answer of the same account
    cites.

    Raises:
        NotFound: the document has no such page, or is gone.
        ReferenceNotFound, InvalidId: no such answer cites this document.
        PageNotDrawn: the page cannot be drawn.
        Unavailable: too many pages are being drawn, or the file store is away.
    """
    if number < 1 or not has_page_images(data_source):
        raise NotFound("page")
    texts = await _texts(services, data_source, highlight.strip())
    png = await services.files.find(_key(data_source, number, PNG))
    if png is not None and not texts:
        return PageImage(png)
    async with services.drawings.turn():
        png = png or await _drawn(services, data_source, number)
        if not texts:
            return PageImage(png)
        page = await _page_with_places(services, data_source, number)
        return await asyncio.to_thread(_highlighted, png, texts, page)


def has_page_images(data_source: DataSource) -> bool:
    """Tell whether the pages of a document of this format can be drawn."""
    return data_source.file_format in {DocumentFormat.PDF, *PICTURES, *OFFICE}


def _key(data_source: DataSource, number: int, name: str) -> str:
    """Return where something is kept that was made of a document; the PDF is that of all pages."""
    of_page = "" if name == PDF else f"{number}-"
    return f"{made_of(data_source.blob_key)}/{of_page}{name}"


async def _texts(services: Services, data_source: DataSource, highlight: str) -> list[str]:
    """Return what to highlight: the words given, or the lines that a citation stands for."""
    citation = _CITATION.fullmatch(highlight)
    if citation is None:
        return [highlight] if highlight else []
    workflow_id = ids.parse_id(ids.WORKFLOW, citation[1])
    async with services.database.reading() as session:
        workflow = await select_workflow(session, data_source.account_id, workflow_id)
    key = f"<source_id={int(citation[2])}>"
    if workflow is not None:
        for cited in workflow.citations:
            if cited["citation_key"] == key and cited["data_source_id"] == data_source.id:
                return await asyncio.to_thread(_lines_of, workflow, cited)
    raise ReferenceNotFound("citation")


def _lines_of(workflow: Workflow, cited: dict[str, Any]) -> list[str]:
    """Return the lines of a cited passage that have what the answer's sentences say."""
    sentences = [
        checked["sentence"]
        for checked in workflow.verification
        if cited["citation_key"] in checked["citation_keys"]
    ]
    return cited_lines(sentences, cited["text"], cited["file_name"])


async def _drawn(services: Services, data_source: DataSource, number: int) -> bytes:
    """Draw a page, keep what comes of it, and return the picture."""
    if png := await services.files.find(_key(data_source, number, PNG)):
        return png  # Drawn for another request while this one was in line.
    limits = ReadLimits(
        wall_seconds=RENDER_SECONDS,
        cpu_seconds=RENDER_CPU_SECONDS,
        memory_bytes=services.settings.read_memory_mb * 2**20,
    )
    with work_folder(services.settings.work_dir, "draw-") as folder:
        try:
            async with _drawable(services, data_source) as (path, file_format):
                if file_format in OFFICE and find_soffice() is None:
                    reason = f"{file_format} needs LibreOffice on the server ({HOW_TO_INSTALL})"
                    raise PageNotDrawn(number, reason)
                is_there = await render_page(
                    path, file_format, number, folder=folder, limits=limits
                )
        except DocumentUnreadable as error:
            raise PageNotDrawn(number, str(error)) from error
        await _keep(services, data_source, number, folder)
        if not is_there:
            raise NotFound("page")
        return (folder / PNG).read_bytes()


@asynccontextmanager
async def _drawable(
    services: Services, data_source: DataSource
) -> AsyncIterator[tuple[Path, DocumentFormat]]:
    """Yield a copy of the PDF that was made of an office document before, or else of the file."""
    keys = {
        _key(data_source, 0, PDF): DocumentFormat.PDF,
        data_source.blob_key: DocumentFormat(data_source.file_format),
    }
    async with AsyncExitStack() as stack:
        for key, file_format in keys.items():
            try:
                copy = services.files.local_copy(key, services.settings.work_dir)
                path = await stack.enter_async_context(copy)
            except FileNotFoundError:
                continue
            yield path, file_format
            return
        raise NotFound("file")


async def _keep(services: Services, data_source: DataSource, number: int, folder: Path) -> None:
    """Keep what was made; the picture last, so that where it is all the rest is.

    A deletion waits until it is kept, and so finds it. What is made of a document that is gone is
    not kept.
    """
    async with services.database.transaction() as session:
        if not await lock_data_source(session, data_source.id):
            raise NotFound(ids.DATA_SOURCE.noun)
        for name in (PDF, LINES, PNG):
            if (folder / name).exists():
                await services.files.save(_key(data_source, number, name), folder / name)


async def _page_with_places(services: Services, data_source: DataSource, number: int) -> Page:
    """Return a page with the places of its lines.

    They are those of its reading, which has recognised scans too; where that knows none, as of
    office documents, those of its drawing.
    """
    async with services.database.reading() as session:
        rows = await select_pages_numbered(session, data_source.id, number)
    for page in (row.to_page() for row in rows):
        if any(block.line_boxes for block in page.blocks):
            return page
    lines = json.loads(await services.files.find(_key(data_source, number, LINES)) or b"[]")
    boxes = tuple(box_from_json(box) for _, box in lines)
    text = "\n".join(line for line, _ in lines)
    return Page(number, (Block(BlockKind.TEXT, text, line_boxes=boxes),))


def _highlighted(png: bytes, texts: Sequence[str], page: Page) -> PageImage:
    boxes = list(dict.fromkeys(box for text in texts for box in lines_with(text, page)))
    return PageImage(marked(png, boxes) if boxes else png, len(boxes))
