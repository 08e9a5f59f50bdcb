"""Documents that a reader reads for the tests of this folder, and how they wait for it."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from indexing.partition.formats import DocumentFormat
from indexing.partition.processes.isolation import DocumentHead, ReadLimits, read_isolated
from indexing.types import Page

LIMITS = ReadLimits(wall_seconds=60, cpu_seconds=60, memory_bytes=2**30)


async def read_all(
    path: Path, file_format: DocumentFormat, limits: ReadLimits = LIMITS
) -> list[DocumentHead | Page]:
    return [item async for item in read_isolated(path, file_format, limits)]


def without_seconds(items: Sequence[DocumentHead | Page]) -> list[DocumentHead | Page]:
    return [replace(item, seconds=0.0) if isinstance(item, Page) else item for item in items]


async def until(condition: Callable[[], bool]) -> None:
    """Wait for what happens in other processes, and is told by nobody."""
    async with asyncio.timeout(10):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def pdf_of_text(path: Path, page_count: int) -> Path:
    canvas = Canvas(str(path))
    for _ in range(page_count):
        text = canvas.beginText(60, 780)
        text.textLines(["The lease runs for three years and ends in March."] * 40)
        canvas.drawText(text)
        canvas.showPage()
    canvas.save()
    return path
