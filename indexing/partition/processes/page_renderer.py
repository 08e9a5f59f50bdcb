"""Draw a page of a document: `python -m indexing.partition.processes.page_renderer ORDER`.

The order is a `RenderOrder` as JSON, and what comes of it lies in the folder that it names. Then a
line of JSON is printed: a verdict, and for a failure its reason and its trace.

A program of its own, as `pdf.check` is, and started when it is needed: the process that answers
questions keeps none of the libraries that read documents. Its limits are those of a reader.
"""

import dataclasses
import json
import os
import shutil
import sys
import threading
import traceback
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from indexing.partition.formats import DocumentFormat
from indexing.partition.office.libreoffice import converted
from indexing.partition.processes.confinement import confine
from indexing.partition.processes.reader_process import limit_resources
from indexing.partition.unreadable import reason_of

if TYPE_CHECKING:
    import pypdfium2
    from PIL import Image

PICTURES = frozenset(
    (DocumentFormat.PNG, DocumentFormat.JPG, DocumentFormat.TIFF, DocumentFormat.WEBP)
)
OFFICE = frozenset(
    (
        DocumentFormat.DOCX,
        DocumentFormat.DOC,
        DocumentFormat.PPTX,
        DocumentFormat.PPT,
        DocumentFormat.ODT,
        DocumentFormat.ODP,
        DocumentFormat.RTF,
    )
)
"""Formats that LibreOffice lays out."""

PNG = "page.png"
LINES = "lines.json"
"""The lines of the page's text with their boxes, where the file says where they stand."""
PDF = "document.pdf"
"""What LibreOffice made of the document; its other pages can be drawn from it."""

LONGEST_SIDE = 1600
"""Pixels: small print of an A4 page can be read. Pictures are made smaller, and never larger."""

MAX_LINE_LETTERS = 100_000
"""On a page; more is no page that a person reads, and is not looked for in it."""

# Answering questions comes first where processors are few.
NICENESS = 5


class Verdict(StrEnum):
    DRAWN = "drawn"
    NO_SUCH_PAGE = "no such page"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RenderOrder:
    """Which page is to be drawn, and what that may take."""

    path: str
    file_format: str
    number: int  # of the page, from 1
    folder: str  # for what comes of it
    cpu_seconds: int
    memory_bytes: int

    def to_json(self) -> str:
        return json.dumps(dataclasses.asdict(self))


def obey(order: RenderOrder) -> list[str]:
    """Draw the page within its limits, and return what there is to tell."""
    os.nice(NICENESS)
    limit_resources(order.cpu_seconds, order.memory_bytes)
    # Before there is a thread, because it would be left out.
    confine(
        Path(order.path), folder=Path(order.folder), with_libreoffice=order.file_format in OFFICE
    )
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        return [_draw(order)]
    except MemoryError:
        memory = f"needed more than {order.memory_bytes / 2**20:.0f} MB of memory"
        return [Verdict.FAILED, memory, traceback.format_exc()]
    except Exception as error:  # noqa: BLE001 Whatever comes up, it is the file's fault.
        return [Verdict.FAILED, reason_of(error), traceback.format_exc()]


def _draw(order: RenderOrder) -> Verdict:
    path, folder = Path(order.path), Path(order.folder)
    if order.file_format in PICTURES:
        return _draw_picture(path, order.number, folder)
    if order.file_format in OFFICE:
        with converted(path, order.file_format, ["pdf"]) as (pdf,):
            shutil.copyfile(pdf, folder / PDF)
        path = folder / PDF
    return _draw_pdf_page(path, order.number, folder)


def _draw_picture(path: Path, number: int, folder: Path) -> Verdict:
    from indexing.partition.pictures.upright import count_pages, open_picture, upright

    with open_picture(path) as picture:
        if number > count_pages(picture):
            return Verdict.NO_SUCH_PAGE
        picture.seek(number - 1)
        image = upright(picture).convert("RGB")
    image.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    image.save(folder / PNG)
    return Verdict.DRAWN


def _draw_pdf_page(path: Path, number: int, folder: Path) -> Verdict:
    import pypdfium2

    with pypdfium2.PdfDocument(path) as pdf:
        if number > len(pdf):
            return Verdict.NO_SUCH_PAGE
        # What was filled into a form is drawn too, if the form is there before its page.
        if pdf.get_formtype() != pypdfium2.raw.FORMTYPE_NONE:
            pdf.init_forms()
        page = pdf[number - 1]
        _render(page).save(folder / PNG)
        (folder / LINES).write_text(json.dumps(_lines(page)))
    return Verdict.DRAWN


def _render(page: "pypdfium2.PdfPage") -> "Image.Image":
    # PDFium rounds up, so a little less than a whole pixel is asked for.
    scale = (LONGEST_SIDE - 0.5) / max(*page.get_size(), 1)
    image: Image.Image = page.render(scale=scale).to_pil().convert("RGB")
    return image


def _lines(page: "pypdfium2.PdfPage") -> list[tuple[str, tuple[float, ...] | None]]:
    from indexing.partition.blocks import page_text
    from indexing.partition.pdf.letters import page_letters, raw_text
    from indexing.partition.pdf.upright import turned_back, turned_page, turns_to_upright

    textpage = page.get_textpage()
    if textpage.count_chars() > MAX_LINE_LETTERS:
        return []
    turns = turns_to_upright(page, textpage, raw_text(textpage))
    with turned_page(page, turns) as upright:
        letters = page_letters(page, upright, raw_text(upright))
        boxes = [turned_back(box, turns) for box in letters.line_boxes(page, upright)]
    return list(zip(page_text(letters.text).split("\n"), boxes, strict=True))


def _end_with_parent() -> None:
    """End when nobody waits for the page any more: the input is closed then, by whatever end."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    os._exit(1)


if __name__ == "__main__":
    told = obey(RenderOrder(**json.loads(sys.argv[1])))
    sys.stdout.write(f"{json.dumps(told)}\n")
