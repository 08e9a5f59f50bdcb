import asyncio
import itertools
import signal
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import openpyxl
import psutil
import pypdfium2
import pytest
from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.formats import DocumentFormat
from indexing.partition.processes.isolation import DocumentHead, ReadLimits
from indexing.partition.processes.read_ahead import SLOW_FROM_THE_START, SLOW_SECONDS
from indexing.partition.processes.recovery import read_past_failures
from indexing.partition.unreadable import MAY_HELP, TOO_MUCH, DocumentUnreadable
from indexing.types import NO_PAGE, BlockKind, Page
from tests.conftest import FILES
from tests.files.drawn import draw_lines
from tests.readers import readers

LIMITS = ReadLimits(wall_seconds=60, cpu_seconds=60, memory_bytes=2**30)
LEASE_PAGES = 3
PAGES = 1500
"""More than what fits into the socket between a reader and the one who takes its pages."""


@pytest.fixture(scope="module")
def long_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lease over and over, so that its reader has still something to do."""
    path = tmp_path_factory.mktemp("recovery") / "long.pdf"
    with (
        pypdfium2.PdfDocument.new() as long,
        pypdfium2.PdfDocument(FILES / "warehouse-lease.pdf") as lease,
    ):
        for _ in range(PAGES // len(lease)):
            long.import_pages(lease)
        long.save(path)
    return path


async def test_every_page_comes_once_when_nothing_fails() -> None:
    head, *pages = await read(FILES / "warehouse-lease.pdf")

    assert isinstance(head, DocumentHead)
    assert [page.number for page in pages if isinstance(page, Page)] == [1, 2, 3]


async def test_page_that_kills_its_reader_is_named_and_has_its_text(long_pdf: Path) -> None:
    pages = await read_with_signals(long_pdf, LIMITS, {3: signal.SIGSEGV})

    (lost,) = [page for page in pages if page.warning]
    assert lost.warning == (
        f"of page {lost.number} only the text was read: "
        f"the reader process died (signal 11); {MAY_HELP}"
    )
    assert lost.blocks == pages[lost.number - 1 - LEASE_PAGES].blocks
    assert [page.number for page in pages] == list(range(1, PAGES + 1))


async def test_page_that_hangs_is_named_and_has_its_text(long_pdf: Path) -> None:
    limits = ReadLimits(60, 60, 2**30, page_seconds=2)

    pages = await read_with_signals(long_pdf, limits, {3: signal.SIGSTOP})

    (lost,) = [page for page in pages if page.warning]
    assert (
        lost.warning
        == f"of page {lost.number} only the text was read: took longer than 2 s; {TOO_MUCH}"
    )
    assert lost.blocks == pages[lost.number - 1 - LEASE_PAGES].blocks
    assert [page.number for page in pages] == list(range(1, PAGES + 1))


async def test_picture_that_takes_for_ever_costs_no_text(tmp_path: Path) -> None:
    path = tmp_path / "drawn-often.pdf"
    canvas = Canvas(str(path))
    canvas.drawString(72, 700, "The pump of hall 4 was paid on the 3rd of May.")
    canvas.beginForm("picture", 0, 0, 600, 800)
    canvas.drawImage(ImageReader(Image.new("L", (8000, 8000), 128)), 72, 72, 400, 400)
    canvas.endForm()
    for _ in range(1000):
        canvas.doForm("picture")
    canvas.save()

    _, page = await read(path, replace(LIMITS, page_seconds=2))

    assert isinstance(page, Page)
    assert page.warning == f"of page 1 only the text was read: took longer than 2 s; {TOO_MUCH}"
    assert [block.text for block in page.blocks] == [
        "The pump of hall 4 was paid on the 3rd of May."
    ]


async def test_page_whose_text_cannot_be_read_either_is_named_and_passed_over(
    tmp_path: Path,
) -> None:
    path = tmp_path / "endless.pdf"
    canvas = Canvas(str(path))
    draw_forms_in_forms(canvas, depth=12)
    canvas.showPage()
    canvas.drawString(72, 700, "The second page is well.")
    canvas.save()

    _, lost, page = await read(path, replace(LIMITS, memory_bytes=2**27))

    warning = f"page 1 cannot be read: most likely needed more than 128 MB of memory; {TOO_MUCH}"
    assert lost == Page(1, (), warning=warning)
    assert isinstance(page, Page)
    assert [block.text for block in page.blocks] == ["The second page is well."]


async def test_three_pages_may_be_lost(long_pdf: Path) -> None:
    at = dict.fromkeys((1, 700, 1200), signal.SIGKILL)

    pages = await read_with_signals(long_pdf, LIMITS, at)

    assert sum(bool(page.warning) for page in pages) == 3
    assert [page.number for page in pages] == list(range(1, PAGES + 1))


async def test_what_was_read_is_kept_when_the_time_is_over(long_pdf: Path) -> None:
    limits = ReadLimits(5, 60, 2**30)

    pages = await read_with_signals(long_pdf, limits, {3: signal.SIGSTOP})

    lost = pages[-1]
    assert lost.number > 3
    assert lost.warning == (
        f"pages {lost.number} to {PAGES} cannot be read: "
        f"the document took longer than 5 s; {TOO_MUCH}"
    )
    assert [page.number for page in pages] == list(range(1, lost.number + 1))


async def test_no_page_is_blamed_where_a_reader_uses_up_the_time_ahead_of_its_caller(
    tmp_path: Path,
) -> None:
    draw_scan(tmp_path / "scan.pdf", pages=3)
    limits = replace(LIMITS, wall_seconds=5)

    pages = []
    async for item in read_past_failures(tmp_path / "scan.pdf", DocumentFormat.PDF, limits):
        if isinstance(item, Page):
            pages.append(item)
        else:
            reader_process().send_signal(signal.SIGSTOP)
            await asyncio.sleep(limits.wall_seconds + 1)

    (lost,) = pages
    assert (
        lost.warning
        == f"pages 1 to 3 cannot be read: the document took longer than 5 s; {TOO_MUCH}"
    )


async def test_format_that_starts_at_its_first_page_only_ends_at_the_failure(
    tmp_path: Path,
) -> None:
    book = tmp_path / "long.csv"
    book.write_text("name,price\n" + "lamp oil,4.20\n" * 300_000)

    pages = await read_with_signals(
        book, LIMITS, {0: signal.SIGKILL}, file_format=DocumentFormat.CSV
    )

    assert pages[-1].warning.endswith(f"the reader process died (signal 9); {MAY_HELP}")


async def test_text_without_pages_goes_on_behind_the_part_that_kills_its_reader(
    tmp_path: Path,
) -> None:
    book = tmp_path / "long.html"
    book.write_text("".join(f"<p>Lamp {n} hangs at the quay.</p>" for n in range(200_000)))

    pages = await read_with_signals(
        book, LIMITS, {1: signal.SIGKILL}, file_format=DocumentFormat.HTML
    )

    (warning,) = [page.warning for page in pages if page.warning]
    assert warning == f"a part of it cannot be read: the reader process died (signal 9); {MAY_HELP}"
    assert pages[-1].blocks[-1].text == "Lamp 199999 hangs at the quay."


async def test_text_without_pages_ends_where_no_further_part_comes(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<p>{'Lamps hang at the quay. ' * 500_000}</p>")

    items = read_past_failures(page, DocumentFormat.HTML, replace(LIMITS, page_seconds=0.001))
    _, *pages = [item async for item in items]

    assert pages == [
        Page(
            NO_PAGE,
            (),
            warning=f"what follows cannot be read: took longer than 0.001 s; {TOO_MUCH}",
        )
    ]


async def test_sheet_that_kills_its_reader_is_called_a_sheet(tmp_path: Path) -> None:
    workbook = openpyxl.Workbook(write_only=True)
    for name in ("Lamps", "Oils", "Wicks"):
        sheet = workbook.create_sheet(name)
        for number in range(20_000):  # More than what fits into the socket.
            sheet.append([f"{name} of the kind {number}", number])
    workbook.save(tmp_path / "book.xlsx")

    pages = await read_with_signals(
        tmp_path / "book.xlsx", LIMITS, {0: signal.SIGKILL}, file_format=DocumentFormat.XLSX
    )

    warning = f"sheet 1 cannot be read: the reader process died (signal 9); {MAY_HELP}"
    assert pages[0] == Page(NO_PAGE, (), warning=warning)
    assert [page.label for page in pages[1:]] == ["Oils", "Wicks"]


async def test_file_that_cannot_be_opened_is_unreadable() -> None:
    with pytest.raises(DocumentUnreadable, match="the file cannot be read"):
        await read(FILES / "plain-text.pdf")


async def test_reading_goes_on_behind_the_pages_that_are_known() -> None:
    _, *pages = await read(FILES / "warehouse-lease.pdf")
    before = [page for page in pages[:2] if isinstance(page, Page)]

    _, page = await read(FILES / "warehouse-lease.pdf", read_before=before)

    assert page == pages[2]


async def test_page_is_read_as_it_stands_behind_the_one_before(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "report.pdf"))
    for number in (1, 2, 3):
        canvas.drawString(60, 780, "Harbour Light Annual Report")
        canvas.drawString(60, 700, f"Page {number} tells of the lamps that were sold in the year.")
        canvas.showPage()
    canvas.save()

    _, *pages = await read(tmp_path / "report.pdf")
    first, second, third = (page for page in pages if isinstance(page, Page))
    nothing = Page(2, (), warning="page 2 cannot be read")
    _, resumed = await read(tmp_path / "report.pdf", read_before=[first, nothing])

    assert first.blocks[0].kind is BlockKind.HEADING
    assert [block.kind for block in second.blocks] == [BlockKind.TEXT] * 2
    assert [block.kind for block in third.blocks] == [BlockKind.TEXT] * 2
    assert resumed == third


@pytest.mark.parametrize(
    ("limit", "reason"),
    [({"pages": 1}, "more than 1 pages"), ({"characters": 400}, "more than 400 letters")],
)
async def test_what_is_too_much_is_left_out(limit: dict[str, int], reason: str) -> None:
    limits = ReadLimits(60, 60, 2**30, **limit)

    _, first, last = await read(FILES / "warehouse-lease.pdf", limits)

    assert isinstance(first, Page)
    assert isinstance(last, Page)
    assert (first.number, last.number, last.blocks) == (1, NO_PAGE, ())
    assert reason in last.warning


async def test_slow_scan_is_read_by_several_readers_in_its_order(tmp_path: Path) -> None:
    draw_scan(tmp_path / "scan.pdf", pages=7)

    pages, most_at_once = [], 0
    limits = replace(LIMITS, wall_seconds=600, readers=2)
    async for item in read_past_failures(tmp_path / "scan.pdf", DocumentFormat.PDF, limits):
        most_at_once = max(most_at_once, len(readers()))
        if isinstance(item, Page):
            pages.append(item)

    texts = [" ".join(block.text for block in page.blocks) for page in pages]
    assert texts == [f"Delivery {number} {number} deck lamps" for number in range(1, 8)]
    is_slow = all(page.seconds >= SLOW_SECONDS for page in pages[:SLOW_FROM_THE_START])
    assert (most_at_once > 1) is is_slow


def draw_scan(path: Path, pages: int) -> None:
    canvas = Canvas(str(path), pagesize=(420, 420))
    for number in range(1, pages + 1):
        page = draw_lines([[f"Delivery {number}", f"{number} deck lamps"]], (840, 840), 40)
        canvas.drawImage(ImageReader(page), 0, 0, 420, 420)
        canvas.showPage()
    canvas.save()


def draw_forms_in_forms(canvas: Canvas, depth: int) -> None:
    """Draw ten times a form that draws ten times another, and so on."""
    for level in range(depth):
        canvas.beginForm(f"form{level}", 0, 0, 600, 800)
        for left in range(10):
            canvas.doForm(f"form{level - 1}") if level else canvas.rect(left, 10, 10, 10)
        canvas.endForm()
    canvas.doForm(f"form{depth - 1}")


async def read(
    path: Path, limits: ReadLimits = LIMITS, read_before: Sequence[Page] = ()
) -> list[DocumentHead | Page]:
    items = read_past_failures(path, DocumentFormat.PDF, limits, read_before=read_before)
    return [item async for item in items]


async def read_with_signals(
    path: Path,
    limits: ReadLimits,
    signals: dict[int, signal.Signals],
    file_format: DocumentFormat = DocumentFormat.PDF,
) -> list[Page]:
    """Read the document; at each count of items that have come, send its reader the signal."""
    pages = []
    async with aclosing(read_past_failures(path, file_format, limits)) as items:
        async for count, item in enumerated(items):
            if count in signals:
                reader_process().send_signal(signals[count])
            if isinstance(item, Page):
                pages.append(item)
    return pages


async def enumerated(
    items: AsyncIterator[DocumentHead | Page],
) -> AsyncIterator[tuple[int, DocumentHead | Page]]:
    counter = itertools.count()
    async for item in items:
        yield next(counter), item


def reader_process() -> psutil.Process:
    """Return the newest reader: the one before it may not be gone yet."""
    return max(readers(), key=lambda one: one.create_time())
