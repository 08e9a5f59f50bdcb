import ctypes
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
import pytest
from reportlab.lib.pagesizes import A5
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from indexing.boxes import union
from indexing.chunking import chunk
from indexing.partition.formats import DocumentFormat
from indexing.partition.pdf.boxes import places
from indexing.partition.pdf.document import open_pdf
from indexing.partition.processes.isolation import ReadLimits, read_isolated
from indexing.types import Block, Page, PageBox
from tests.files.drawn import RECEIPT, draw_lines
from tests.files.hostile_pdfs import pdf, stream
from tests.files.make_files import make_lease

FILES = Path(__file__).parents[3] / "files"

DEVICE = 100_000
"""So many pixels that nothing is lost when PDFium rounds places to them."""

Change = Callable[[pypdfium2.PdfPage], object]

CHANGES = [
    pytest.param(lambda page: None, id="as it is"),
    pytest.param(lambda page: page.set_rotation(90), id="turned right"),
    pytest.param(lambda page: page.set_rotation(180), id="upside down"),
    pytest.param(lambda page: page.set_rotation(270), id="turned left"),
    pytest.param(lambda page: page.set_cropbox(40, 500, 560, 830), id="cropped"),
    pytest.param(lambda page: page.set_mediabox(-200, -90, 700, 900), id="origin elsewhere"),
    pytest.param(
        lambda page: (
            page.set_rotation(90),
            page.set_mediabox(-50, 30, 600, 850),
            page.set_cropbox(20, 480, 590, 840),
        ),
        id="all at once",
    ),
]


@pytest.mark.parametrize("change", CHANGES)
def test_each_line_stands_where_its_box_is(tmp_path: Path, change: Change) -> None:
    lease = _changed_lease(tmp_path, change)

    for page in open_pdf(lease).pages:
        for line, box in _lines(page.blocks):
            assert box is not None
            assert _words_within(lease, page.number, box) == line.split()


@pytest.mark.parametrize("change", CHANGES)
def test_the_box_of_a_passage_holds_its_words(tmp_path: Path, change: Change) -> None:
    lease = _changed_lease(tmp_path, change)

    for passage in chunk(open_pdf(lease).pages):
        assert passage.box is not None
        found = _words_within(lease, passage.page_number, passage.box)
        # PDFium itself returns lines that lie on their side in another order.
        assert sorted(found) == sorted(passage.content.split())


def test_a_line_that_is_cut_off_has_no_box(tmp_path: Path) -> None:
    lease = _changed_lease(tmp_path, lambda page: page.set_cropbox(40, 500, 560, 770))

    first, *_ = open_pdf(lease).pages

    boxes = dict(_lines(first.blocks))
    assert boxes.pop("WAREHOUSE LEASE") is None
    assert None not in boxes.values()


def test_a_line_with_a_broken_word_has_the_box_of_both_its_lines(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "broken.pdf"))
    for number, line in enumerate(["The tenant stores lamps in the ware-", "house.", "The end."]):
        canvas.drawString(60, 700 - 15 * number, line)
    canvas.save()

    (page,) = open_pdf(tmp_path / "broken.pdf").pages

    (joined, box), (_, below) = _lines(page.blocks)
    assert joined == "The tenant stores lamps in the warehouse."
    assert box is not None
    assert below is not None
    words = _words_within(tmp_path / "broken.pdf", 1, box)
    assert words[:6] == ["The", "tenant", "stores", "lamps", "in", "the"]
    assert words[-1].endswith("house.")
    assert box[3] - box[1] > 1.5 * (below[3] - below[1])


def test_text_that_runs_upwards_has_its_place(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "upwards.pdf"), pagesize=A5)
    canvas.rotate(90)
    canvas.drawString(100, -50, "The lamps are stored at gate three.")
    canvas.save()

    (page,) = open_pdf(tmp_path / "upwards.pdf").pages

    ((_, box),) = _lines(page.blocks)
    assert box == pytest.approx(_ink(tmp_path / "upwards.pdf"), abs=0.02)


def test_letters_outside_of_the_first_plane_move_no_line(tmp_path: Path) -> None:
    names = b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> %s "
    words = b"BT /F 12 Tf 20 200 Td (x AAA y) Tj 0 -20 Td (gate three) Tj 0 -20 Td (A lamp A) Tj ET"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>"
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R"
    resources = b" /Resources << /Font << /F 5 0 R >> >> >>"
    for name, letter in ((b"<D83DDD26>", "\U0001f526"), (b"<D83D>", "")):
        cmap = stream(names % name + b"endbfchar endcmap")
        file = pdf({3: page + resources, 4: stream(words), 5: font, 6: cmap})
        (tmp_path / "lamps.pdf").write_bytes(file)

        (read,) = open_pdf(tmp_path / "lamps.pdf").pages

        (first, _), (second, box), (third, _) = _lines(read.blocks)
        assert first.split() == f"x {letter * 3} y".split()
        assert third.split() == f"{letter} lamp {letter}".split()
        assert box is not None
        assert _words_within(tmp_path / "lamps.pdf", 1, box) == second.split()


@pytest.mark.parametrize(
    ("turns_of_picture", "rotation"),
    [
        pytest.param(0, 0, id="upright"),
        pytest.param(1, 0, id="on its side on the glass"),
        pytest.param(2, 90, id="upside down on a turned page"),
        pytest.param(3, 270, id="on its side on a turned page"),
    ],
)
def test_what_is_recognised_on_a_scan_stands_where_its_ink_is(
    tmp_path: Path, turns_of_picture: int, rotation: int
) -> None:
    scan = draw_lines(RECEIPT, (420, 600), 20).rotate(90 * turns_of_picture, expand=True)
    canvas = Canvas(str(tmp_path / "scan.pdf"), pagesize=A5)
    canvas.drawImage(ImageReader(scan), 10, 20, scan.width * 0.6, scan.height * 0.6)
    canvas.save()
    turned = _changed(tmp_path / "scan.pdf", lambda page: page.set_rotation(rotation))

    (page,) = open_pdf(turned).pages

    box = union(box for _, box in _lines(page.blocks))
    assert box == pytest.approx(_ink(turned), abs=0.02)


def test_a_picture_between_text_has_its_words_where_they_stand() -> None:
    _, mixed = open_pdf(FILES / "delivery-note-scan.pdf").pages

    boxes = dict(_lines(mixed.blocks))

    # The sixth line of the receipt, which stands 300 to 540 points above the bottom of an A5 page.
    height = A5[1]
    top, bottom = (1 - (540 - 240 * pixels / 420) / height for pixels in (200, 225))
    assert boxes["TOTAL 85.50"] == pytest.approx((0.14, top, 0.56, bottom), abs=0.02)


async def test_boxes_come_out_of_the_process_of_the_reader() -> None:
    lease = FILES / "warehouse-lease.pdf"
    limits = ReadLimits(wall_seconds=60, cpu_seconds=60, memory_bytes=2**30)

    items = [item async for item in read_isolated(lease, DocumentFormat.PDF, limits)]

    received = [list(_lines(item.blocks)) for item in items if isinstance(item, Page)]
    assert received == [list(_lines(page.blocks)) for page in open_pdf(lease).pages]


def _changed_lease(folder: Path, change: Change) -> Path:
    make_lease(folder / "lease.pdf")
    return _changed(folder / "lease.pdf", change)


def _changed(path: Path, change: Change) -> Path:
    changed = path.with_stem("changed")
    with pypdfium2.PdfDocument(path) as document:
        for page in document:
            change(page)
        document.save(changed)
    return changed


def _lines(blocks: tuple[Block, ...]) -> Iterator[tuple[str, PageBox | None]]:
    """Yield the lines of a page, and check that each has its entry among the boxes."""
    for block in blocks:
        lines = [block.header] * bool(block.header) + block.text.split("\n")
        yield from zip(lines, block.line_boxes, strict=True)


def _words_within(path: Path, page_number: int, box: PageBox) -> list[str]:
    """Return the words that PDFium finds there."""
    with pypdfium2.PdfDocument(path) as document:
        page = document[page_number - 1]
        corners = [_in_points(page, *corner) for corner in (box[:2], box[2:])]
        left, right = sorted(x for x, _ in corners)
        bottom, top = sorted(y for _, y in corners)
        text: str = page.get_textpage().get_text_bounded(left, bottom, right, top)
        return text.split()


def _in_points(page: pypdfium2.PdfPage, across: float, down: float) -> tuple[float, float]:
    """Ask PDFium, not the code under test, what a place on the displayed page is in the file."""
    x, y = ctypes.c_double(), ctypes.c_double()
    place = round(across * DEVICE), round(down * DEVICE)
    pdfium.FPDF_DeviceToPage(page, 0, 0, DEVICE, DEVICE, 0, *place, x, y)
    return x.value, y.value


def _ink(path: Path) -> PageBox:
    """Return what is around all that is drawn on the first page, as it is displayed."""
    with pypdfium2.PdfDocument(path) as document:
        shown = document[0].render(scale=2).to_numpy().min(axis=2) < 128
    height, width = shown.shape
    rows, columns = np.flatnonzero(shown.any(axis=1)), np.flatnonzero(shown.any(axis=0))
    return columns[0] / width, rows[0] / height, columns[-1] / width, rows[-1] / height


def test_no_letters_have_no_places(tmp_path: Path) -> None:
    make_lease(tmp_path / "lease.pdf")
    with pypdfium2.PdfDocument(tmp_path / "lease.pdf") as document:
        textpage = document[0].get_textpage()

        assert places(document[0], textpage, textpage.get_text_range(), []).shape == (0, 4)


def test_what_is_behind_the_text_has_no_place(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "line.pdf"))
    canvas.drawString(72, 700, "The only line")
    canvas.save()

    with pypdfium2.PdfDocument(tmp_path / "line.pdf") as document:
        page = document[0]
        raw = "The only line and more"
        (known, unknown) = places(page, page.get_textpage(), raw, [(0, 13), (14, 22)])

    assert np.isfinite(known).all()
    assert np.isnan(unknown).all()
