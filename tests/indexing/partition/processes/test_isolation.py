import asyncio
import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from copy import deepcopy
from pathlib import Path

import docx
import openpyxl
import psutil
import pytest

from indexing.partition.formats import DocumentFormat
from indexing.partition.processes.isolation import (
    DocumentHead,
    ReadLimits,
    prepare_readers,
    read_isolated,
)
from indexing.partition.processes.page_messages import pack_message
from indexing.partition.processes.reader_process import LENGTH, MANY_PAGES, Looks
from indexing.partition.processes.ready_readers import Reader, _forked, ready_readers
from indexing.partition.reader import open_document
from indexing.partition.unreadable import DAMAGED, GAVE_UP, DocumentUnreadable
from indexing.types import Page
from tests.files.drawn import draw_chart
from tests.files.ole2_writer import ring_of_sectors
from tests.files.xls_writer import formula, record, write_xls
from tests.huge_pages import may_have_huge_pages
from tests.indexing.partition.open_documents import write
from tests.indexing.partition.processes.forked import send_whatever
from tests.indexing.partition.processes.reading import LIMITS, pdf_of_text, read_all, until
from tests.libreoffice import needs_calc, needs_libreoffice
from tests.readers import has_filter, readers

ROOT = Path(__file__).parents[4]
FILES = ROOT / "tests" / "files"

PROGRAM = """
import asyncio, pathlib, sys
from indexing.partition.processes.reader_process import Looks
from indexing.partition.processes.isolation import ReadLimits, read_isolated
from indexing.partition.unreadable import DAMAGED, GAVE_UP, DocumentUnreadable

print("started", flush=True)

async def main():
    limits = ReadLimits(wall_seconds=60, cpu_seconds=60, memory_bytes=2**30)
    async for item in read_isolated(pathlib.Path(sys.argv[1]), "pdf", limits):
        print(item.page_count if hasattr(item, "page_count") else item.number, flush=True)
        if len(sys.argv) > 2:
            await asyncio.sleep(60)

asyncio.run(main())
"""


async def test_the_head_comes_first_and_then_every_page() -> None:
    lease = FILES / "warehouse-lease.pdf"

    head, *pages = [item async for item in read_isolated(lease, DocumentFormat.PDF, LIMITS)]

    assert head == DocumentHead("Warehouse Lease, 14 Dock Road", 3)
    assert pages == list(open_document(lease, DocumentFormat.PDF).pages)


async def test_slides_are_read_as_well_without_the_words_that_readers_do_without() -> None:
    slides = FILES / "quarterly-review.pptx"

    _, *pages = await read_all(slides, DocumentFormat.PPTX)

    assert pages == list(open_document(slides, DocumentFormat.PPTX).pages)


async def test_figures_come_with_their_pages_when_they_are_asked_for(tmp_path: Path) -> None:
    draw_chart().save(tmp_path / "chart.png")
    (read_here,) = open_document(tmp_path / "chart.png", DocumentFormat.PNG).pages

    document = read_isolated(
        tmp_path / "chart.png", DocumentFormat.PNG, LIMITS, looks=Looks.FOR_FIGURES
    )
    _, page = [item async for item in document]

    assert isinstance(page, Page)
    assert len(page.figures) == 1
    assert page.figures == read_here.figures


async def test_figures_stay_behind_when_nobody_asks_for_them(tmp_path: Path) -> None:
    draw_chart().save(tmp_path / "chart.png")

    _, page = await read_all(tmp_path / "chart.png", DocumentFormat.PNG)

    assert isinstance(page, Page)
    assert page.figures == ()


async def test_a_file_that_breaks_its_reader_says_so() -> None:
    with pytest.raises(DocumentUnreadable, match=f"^{GAVE_UP}$"):
        await read_all(FILES / "plain-text.pdf", DocumentFormat.PDF)


async def test_a_file_at_which_a_library_panics_says_so_too(tmp_path: Path) -> None:
    cut = tmp_path / "cut.xls"
    cut.write_bytes((FILES / "price-list.xls").read_bytes()[:-13])

    with pytest.raises(DocumentUnreadable, match=f"^{DAMAGED}$"):
        await read_all(cut, DocumentFormat.XLS)


HEAD = pack_message(["head", "The lease", 3])
END = pack_message(["end"])


@pytest.mark.parametrize(
    "messages",
    [
        pytest.param([b""], id="nothing"),
        pytest.param([b"\xc1"], id="no value"),
        pytest.param([pack_message(["rubbish", 1, 2])], id="a word that says nothing"),
        pytest.param([pack_message(["head", 7, 3])], id="a title that is a number"),
        pytest.param([pack_message(["head", "\0", 3])], id="a title with NUL"),
        pytest.param([pack_message(["head", "", -1])], id="less than no pages"),
        pytest.param([pack_message(["head", "", 2**40])], id="more pages than can be counted"),
        pytest.param([pack_message(["head", "", float("nan")])], id="no number of pages"),
        pytest.param([pack_message(["head", "", 3, 4])], id="a head with more to it"),
        pytest.param([HEAD, HEAD], id="two heads"),
        pytest.param([END], id="an end without a head"),
        pytest.param([pack_message(["page"])], id="a page without a head"),
        pytest.param([HEAD, pack_message(["page", 1])], id="a page that is cut off"),
        pytest.param([HEAD, pack_message(["stop"])], id="an end that is none"),
        pytest.param([HEAD, pack_message(["error", 7, ""])], id="a reason that is a number"),
    ],
)
async def test_a_captured_reader_that_sends_rubbish_is_led_astray(messages: list[bytes]) -> None:
    wait_first(messages)

    with pytest.raises(DocumentUnreadable, match=r"^the process that reads it was led astray$"):
        await read_all(FILES / "warehouse-lease.pdf", DocumentFormat.PDF)

    await until(lambda: readers() == [])


async def test_the_reason_of_a_captured_reader_is_kept_short(
    caplog: pytest.LogCaptureFixture,
) -> None:
    wait_first([pack_message(["error", "a" * 10**6, "b" * 10**6])])

    with pytest.raises(DocumentUnreadable, match=r"^a{1000}$"):
        await read_all(FILES / "warehouse-lease.pdf", DocumentFormat.PDF)

    assert len(caplog.text) < 30_000


async def test_a_captured_reader_cannot_give_a_title_of_any_length() -> None:
    wait_first([pack_message(["head", "a" * 10**6, 3]), END])

    (head,) = await read_all(FILES / "warehouse-lease.pdf", DocumentFormat.PDF)

    assert head == DocumentHead("a" * 200, 3)


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        pytest.param(LENGTH.pack(2**32 - 1), "more than 256 MB", id="more than is taken"),
        pytest.param(LENGTH.pack(10) + b"short", "reader process died", id="less than was said"),
        pytest.param(b"\0\0", "reader process died", id="half a length"),
    ],
)
async def test_a_message_of_the_wrong_length_ends_the_reading(sent: bytes, reason: str) -> None:
    wait_first_and_send(sent)

    with pytest.raises(DocumentUnreadable, match=reason):
        await read_all(FILES / "warehouse-lease.pdf", DocumentFormat.PDF)


async def test_a_reader_is_stopped_at_its_deadline(long_document: Path) -> None:
    with pytest.raises(DocumentUnreadable, match=r"took longer than 0\.1 s"):
        await read_all(long_document, DocumentFormat.DOCX, ReadLimits(0.1, 60, 2**30))


async def test_a_reader_is_stopped_when_it_computes_too_long(long_document: Path) -> None:
    with pytest.raises(DocumentUnreadable, match="took longer than 1 s of processor time"):
        await read_all(long_document, DocumentFormat.DOCX, ReadLimits(60, 1, 2**30))


async def test_a_reader_gets_only_so_much_memory(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("word " * 1_900_000)
    document.save(str(tmp_path / "wide.docx"))

    with pytest.raises(DocumentUnreadable, match="needed more than 40 MB of memory"):
        await read_all(tmp_path / "wide.docx", DocumentFormat.DOCX, ReadLimits(60, 60, 40 * 2**20))


async def test_a_reader_whose_memory_is_full_to_the_last_byte_still_says_so(tmp_path: Path) -> None:
    size = 80 * 2**20
    (tmp_path / "ring.xls").write_bytes(ring_of_sectors("Workbook", size).ljust(size, b"\0"))

    with pytest.raises(DocumentUnreadable, match=r"^needed more than 40 MB of memory"):
        await read_all(tmp_path / "ring.xls", DocumentFormat.XLS, ReadLimits(60, 60, 40 * 2**20))


async def test_only_the_pages_asked_for_are_read() -> None:
    document = read_isolated(
        FILES / "warehouse-lease.pdf", DocumentFormat.PDF, LIMITS, pages=slice(1, 2)
    )

    head, page = [item async for item in document]

    assert isinstance(head, DocumentHead)
    assert isinstance(page, Page)
    assert (head.page_count, page.number) == (3, 2)


async def test_a_reader_that_dies_is_reported(long_pdf: Path) -> None:
    pages = read_isolated(long_pdf, DocumentFormat.PDF, LIMITS)
    await anext(pages)
    (reader,) = readers()
    reader.send_signal(signal.SIGSEGV)

    # What it sent before may still be on its way.
    with pytest.raises(DocumentUnreadable, match=r"the reader process died \(signal 11\)"):
        async for _ in pages:
            pass


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has huge pages to turn off")
@pytest.mark.parametrize(
    ("page_count", "has_huge_pages"), [(MANY_PAGES, True), (MANY_PAGES + 1, False)]
)
async def test_long_document_is_read_in_small_pages_of_memory(
    tmp_path: Path, page_count: int, has_huge_pages: bool
) -> None:
    text = pdf_of_text(tmp_path / "text.pdf", page_count)

    async with contextlib.aclosing(read_isolated(text, DocumentFormat.PDF, LIMITS)) as items:
        await anext(items)
        await anext(items)
        (reader,) = readers()
        assert may_have_huge_pages(reader.pid) is has_huge_pages


@needs_libreoffice
async def test_libreoffice_is_bound_as_its_reader_is_and_ends_with_it() -> None:
    limits = ReadLimits(wall_seconds=50, cpu_seconds=40, memory_bytes=2**30)
    reading = asyncio.create_task(read_all(FILES / "letter.rtf", DocumentFormat.RTF, limits))
    office = await libreoffice_of_a_reader()
    address_space = office.rlimit(psutil.RLIMIT_AS)[1]
    family = [*office.children(recursive=True), *office.parents()[:2], office]

    assert office.rlimit(psutil.RLIMIT_CPU)[0] == 40
    assert 2**30 < address_space < 2**33
    assert office.rlimit(psutil.RLIMIT_FSIZE)[1] == 2**30
    assert has_filter(office.pid)

    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    _, alive = await asyncio.to_thread(psutil.wait_procs, family, timeout=10)

    assert alive == []


def write_xlsx_formula(folder: Path) -> Path:
    workbook = openpyxl.Workbook()
    workbook.worksheets[0]["A1"] = "=6*7"
    workbook.save(folder / "book.xlsx")
    return folder / "book.xlsx"


def write_xls_formula(folder: Path) -> Path:
    empty = record(0x200, struct.pack("<IIHHH", 1, 2, 0, 1, 0))
    return write_xls(folder, {}, [empty, formula(bytes(8))], is_old=False)


def write_xml_formula(folder: Path) -> Path:
    names = 'xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"'
    row = '<ss:Row><ss:Cell ss:Formula="=6*7"/></ss:Row>'
    sheet = f'<ss:Worksheet ss:Name="One"><ss:Table>{row}</ss:Table></ss:Worksheet>'
    (folder / "book.xls").write_text(
        f'<?xml version="1.0"?><ss:Workbook {names}>{sheet}</ss:Workbook>'
    )
    return folder / "book.xls"


def write_ods_formula(folder: Path) -> Path:
    row = '<table:table-row><table:table-cell table:formula="=6*7"/></table:table-row>'
    write(folder / "book.ods", f"<table:table>{row}</table:table>", "spreadsheet")
    return folder / "book.ods"


@needs_calc
@pytest.mark.parametrize(
    ("write_formula", "file_format"),
    [
        pytest.param(write_xlsx_formula, DocumentFormat.XLSX, id="xlsx"),
        pytest.param(write_xls_formula, DocumentFormat.XLS, id="xls"),
        pytest.param(write_xml_formula, DocumentFormat.XLS, id="XML of Excel 2003"),
        pytest.param(write_ods_formula, DocumentFormat.ODS, id="ods"),
    ],
)
async def test_formulas_without_values_are_computed_in_the_reader(
    write_formula: Callable[[Path], Path], file_format: DocumentFormat, tmp_path: Path
) -> None:
    _, page = await read_all(write_formula(tmp_path), file_format)

    assert isinstance(page, Page)
    assert page.blocks[0].text == "42"


async def test_a_caller_that_stops_leaves_nothing_behind(long_pdf: Path) -> None:
    await read_all(long_pdf, DocumentFormat.PDF)
    await prepare_readers()
    await until(lambda: readers() == [])
    open_files = psutil.Process().num_fds()

    for _ in range(3):
        async with contextlib.aclosing(
            read_isolated(long_pdf, DocumentFormat.PDF, LIMITS)
        ) as pages:
            await anext(pages)

    await until(lambda: readers() == [] and psutil.Process().num_fds() <= open_files)


async def test_a_cancelled_caller_leaves_nothing_behind(long_document: Path) -> None:
    reading = asyncio.create_task(read_all(long_document, DocumentFormat.DOCX))
    await until(lambda: readers() != [])

    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading

    await until(lambda: readers() == [])


@pytest.mark.parametrize("command", [["-m", "program"], ["program.py"]], ids=["module", "script"])
def test_a_program_is_not_run_again_in_its_readers(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)

    output = subprocess.run(
        [sys.executable, *command, str(FILES / "warehouse-lease.pdf")],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )

    assert output.stdout.split() == ["started", "3", "1", "2", "3"]
    assert output.stderr == ""


def test_readers_end_with_a_killed_parent(tmp_path: Path, long_pdf: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    with subprocess.Popen(
        [sys.executable, "program.py", str(long_pdf), "slowly"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "started\n"
        program.stdout.readline()
        family = psutil.Process(program.pid).children(recursive=True)
        program.kill()

    _, alive = psutil.wait_procs(family, timeout=5)

    assert len(family) >= 2
    assert alive == []


@pytest.fixture(scope="module")
def long_document(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Word document that takes many seconds to read, on the fastest machine as well."""
    path = tmp_path_factory.mktemp("long") / "long.docx"
    document = docx.Document()
    table = document.add_table(rows=1, cols=4)
    for cell in table._cells:
        cell.text = "word"
    (row,) = table._tbl.tr_lst
    for _ in range(20_000):
        table._tbl.append(deepcopy(row))
    document.save(str(path))
    return path


@pytest.fixture(scope="module")
def long_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PDF with more text than fits between reader and caller."""
    return pdf_of_text(tmp_path_factory.mktemp("long") / "long.pdf", page_count=400)


def wait_first(messages: Sequence[bytes]) -> None:
    """Let a captured reader wait for the next document, that sends these messages."""
    wait_first_and_send(b"".join(LENGTH.pack(len(body)) + body for body in messages))


def wait_first_and_send(sent: bytes) -> None:
    ours, theirs = socket.socketpair()
    captured: Future[Reader] = Future()
    with theirs:
        captured.set_result(Reader(_forked(send_whatever, theirs, sent), ours))
    ready_readers()._waiting.appendleft(captured)


async def libreoffice_of_a_reader() -> psutil.Process:
    async with asyncio.timeout(20):
        while True:
            for reader in readers():
                for process in reader.children(recursive=True):
                    if "soffice" in process.name():
                        return process
            await asyncio.sleep(0.01)
