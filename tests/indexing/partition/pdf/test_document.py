import io
import time
from dataclasses import replace
from itertools import repeat
from pathlib import Path

import pytest
from PIL import Image, ImageOps
from reportlab.lib.pagesizes import A5
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from indexing.ocr import UNKNOWN_LETTERS
from indexing.partition.formats import DocumentFormat
from indexing.partition.pdf.document import KEPT_PAGES, open_pdf
from indexing.partition.processes.isolation import ReadLimits, read_isolated
from indexing.types import Block, BlockKind, Page, ReadBy
from tests.files.drawn import (
    DELIVERY_NOTE,
    RECEIPT,
    draw_chart,
    draw_lines,
    draw_unknown_letters,
)
from tests.files.hostile_pdfs import FONT, PAGE, pdf, stream
from tests.files.make_files import LEASE_PAGES
from tests.files.unnamed_letters import write_unnamed_letters
from tests.indexing.partition.pdf.test_annotations import write_annotated

FILES = Path(__file__).parents[3] / "files"


@pytest.fixture(scope="module")
def delivery_note() -> tuple[Page, ...]:
    """A scanned page, and one of text with a picture; they are looked at once for all tests."""
    return tuple(open_pdf(FILES / "delivery-note-scan.pdf").pages)


def test_each_page_holds_its_own_words() -> None:
    document = open_pdf(FILES / "warehouse-lease.pdf")

    pages = list(document.pages)

    assert document.title == "Warehouse Lease, 14 Dock Road"
    assert [page.number for page in pages] == [1, 2, 3]
    for page, lines in zip(pages, LEASE_PAGES, strict=True):
        words = " ".join(block.text for block in page.blocks).split()
        assert words == " ".join(lines).split()


def test_a_page_below_countless_stamps_has_its_own_words_and_a_warning(tmp_path: Path) -> None:
    page = PAGE % (FONT + b"/Annots [" + b"5 0 R " * 20_001 + b"]")
    stamp = b"<< /Type /Annot /Subtype /Stamp /Rect [0 0 9 9] /AP << /N 6 0 R >> >>"
    drawn = stream(b"", b"/Type /XObject /Subtype /Form /BBox [0 0 9 9]")
    (tmp_path / "stamps.pdf").write_bytes(pdf({3: page, 5: stamp, 6: drawn}))

    (read,) = open_pdf(tmp_path / "stamps.pdf").pages

    assert "stored in the warehouse" in read.blocks[0].text
    assert "more than 20,000 notes and form fields" in read.warning


def test_headings_are_told_from_text() -> None:
    first, second, _ = open_pdf(FILES / "warehouse-lease.pdf").pages

    assert _headings(first.blocks) == ["WAREHOUSE LEASE", "1 Term"]
    assert _headings(second.blocks) == ["2 Rent and Deposit", "3 Use of the Warehouse"]


def test_a_page_without_text_keeps_its_number(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "scan.pdf"))
    canvas.showPage()
    canvas.drawString(60, 700, "The second page has words.")
    canvas.save()

    blank, written = open_pdf(tmp_path / "scan.pdf").pages

    assert (blank.number, blank.blocks) == (1, ())
    assert written.blocks == (Block(BlockKind.TEXT, "The second page has words."),)


@pytest.mark.parametrize("skipped", [0, 1])
def test_of_a_document_that_is_opened_anew_each_page_comes_once(
    skipped: int, tmp_path: Path
) -> None:
    count = 2 * KEPT_PAGES + 1
    canvas = Canvas(str(tmp_path / "long.pdf"))
    for number in range(1, count + 1):
        canvas.drawString(60, 700, f"This is leaf {number}.")
        canvas.showPage()
    canvas.save()

    pages = list(open_pdf(tmp_path / "long.pdf", skipped).pages)

    numbers = range(1 + skipped, count + 1)
    assert [page.number for page in pages] == list(numbers)
    texts = [block.text for page in pages for block in page.blocks]
    assert texts == [f"This is leaf {number}." for number in numbers]


def test_a_filled_form_is_read(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "form.pdf"))
    canvas.drawString(60, 700, "Name of the supplier:")
    canvas.acroForm.textfield(name="supplier", value="Northline", x=200, y=690)
    canvas.save()

    (page,) = open_pdf(tmp_path / "form.pdf").pages

    assert "Northline" in page.blocks[0].text


def test_fields_of_a_page_that_was_taken_out_of_its_form_are_read(tmp_path: Path) -> None:
    write_annotated(tmp_path / "page.pdf", "/Subtype /Widget /FT /Tx /AP << /N 5 0 R >>")

    (page,) = open_pdf(tmp_path / "page.pdf").pages

    assert [block.text for block in page.blocks] == ["Drawn onto it"]


def test_what_was_typed_onto_a_page_is_read(tmp_path: Path) -> None:
    write_annotated(tmp_path / "drawn.pdf", "/Subtype /FreeText /Contents (Old) /AP << /N 5 0 R >>")
    write_annotated(tmp_path / "bare.pdf", "/Subtype /FreeText /Contents (Paid in March)")

    (drawn,) = open_pdf(tmp_path / "drawn.pdf").pages
    (bare,) = open_pdf(tmp_path / "bare.pdf").pages

    assert [block.text for block in drawn.blocks] == ["Drawn onto it"]
    assert bare.blocks == (
        Block(BlockKind.TEXT, "Paid in March", line_boxes=((0.1, 0.2, 0.5, 0.4),)),
    )


def test_a_broken_page_leaves_the_others(tmp_path: Path) -> None:
    lease = (FILES / "warehouse-lease.pdf").read_bytes()
    broken = lease.replace(b"/Type /Page\n", b"/Type /Pear\n", 1)
    (tmp_path / "broken.pdf").write_bytes(broken)

    pages = list(open_pdf(tmp_path / "broken.pdf").pages)

    assert [page.number for page in pages] == [1, 2, 3]
    assert pages[0].warning == "page 1 cannot be read: it is damaged; upload an intact copy"
    assert pages[1].blocks


def test_a_running_head_is_no_heading_again(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "report.pdf"))
    for text in (
        "Revenue grew in the first quarter, as planned.",
        "It fell in the second one, alas.",
    ):
        canvas.drawString(60, 780, "Annual Report")
        canvas.drawString(60, 740, text)
        canvas.showPage()
    canvas.save()

    first, second = open_pdf(tmp_path / "report.pdf").pages

    assert first.blocks[0] == Block(BlockKind.HEADING, "Annual Report")
    assert second.blocks[0].kind is BlockKind.TEXT


def test_letters_without_names_are_read_as_they_are_seen(tmp_path: Path) -> None:
    text = "THE LAMP OF THE QUAY AND THE OIL"
    write_unnamed_letters(tmp_path / "unnamed.pdf", text, ord("'"))

    (page,) = open_pdf(tmp_path / "unnamed.pdf").pages

    assert page.read_by is ReadBy.OCR
    assert [block.text for block in page.blocks] == [text]


def test_a_scanned_page_is_read_as_it_is_seen(delivery_note: tuple[Page, ...]) -> None:
    scanned, _ = delivery_note

    assert scanned.read_by is ReadBy.OCR
    assert scanned.warning == ""
    assert scanned.blocks == (
        Block(BlockKind.HEADING, "DELIVERY NOTE"),
        Block(BlockKind.TEXT, "Northline delivered these goods to gate 3."),
        Block(
            BlockKind.TABLE,
            "LN-100 | Storm lantern | 24\nLN-200 | Deck lamp | 12\nLN-300 | Signal lamp | 3",
            header="Article | Name | Pieces",
        ),
        Block(BlockKind.TEXT, "Received by Ana Ruiz on 5 March 2024."),
    )


def test_a_picture_is_read_where_it_stands_in_the_text(delivery_note: tuple[Page, ...]) -> None:
    _, mixed = delivery_note

    text = "\n".join(block.text for block in mixed.blocks)

    assert mixed.read_by is ReadBy.MIXED
    assert text.startswith("The goods were paid in cash")
    assert text.index("TOTAL 85.50") < text.index("The original receipt")


def test_a_picture_written_among_the_text_of_a_page_is_read(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "inline.pdf"), pagesize=A5)
    canvas.drawString(30, 560, "What was delivered is listed below, as the driver has it.")
    canvas.drawInlineImage(draw_lines(DELIVERY_NOTE, (874, 400), 26), 30, 300, 350, 160)
    canvas.save()

    (page,) = open_pdf(tmp_path / "inline.pdf").pages

    assert page.read_by is ReadBy.MIXED
    assert "Signal lamp" in " ".join(block.text for block in page.blocks)


def test_pages_without_pictures_are_not_looked_at() -> None:
    pages = list(open_pdf(FILES / "warehouse-lease.pdf").pages)

    assert {page.read_by for page in pages} == {ReadBy.TEXT}


def test_text_over_a_picture_is_not_read_twice(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "searchable.pdf"), pagesize=A5)
    canvas.drawImage(ImageReader(draw_lines(DELIVERY_NOTE, (874, 1240), 26)), 0, 0, *A5)
    for number, line in enumerate(DELIVERY_NOTE * 3):
        canvas.drawString(30, 560 - 15 * number, " ".join(line))
    canvas.save()

    (page,) = open_pdf(tmp_path / "searchable.pdf").pages

    assert page.read_by is ReadBy.TEXT
    assert " ".join(block.text for block in page.blocks).count("Signal lamp") == 3


def test_a_hidden_text_that_is_not_what_is_seen_is_replaced(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "badly-recognised.pdf"), pagesize=A5)
    canvas.drawImage(ImageReader(draw_lines(DELIVERY_NOTE, (874, 1240), 26)), 0, 0, *A5)
    for number in range(20):
        canvas.drawString(30, 560 - 15 * number, "Nortbl1nc dclivcrcd tbcsc g00ds", mode=3)
    canvas.save()

    (page,) = open_pdf(tmp_path / "badly-recognised.pdf").pages

    text = "\n".join(block.text for block in page.blocks)
    assert page.read_by is ReadBy.OCR
    assert "Northline delivered these goods to gate 3." in text
    assert "dclivcrcd" not in text


def test_a_hidden_text_that_is_what_is_seen_is_kept(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "searchable.pdf"), pagesize=A5)
    canvas.drawImage(ImageReader(draw_lines(DELIVERY_NOTE, (874, 1240), 26)), 0, 0, *A5)
    for number, line in enumerate(DELIVERY_NOTE * 2):
        canvas.drawString(34, 560 - 15 * number, " ".join(line), mode=3)
    canvas.save()

    (page,) = open_pdf(tmp_path / "searchable.pdf").pages

    assert page.read_by is ReadBy.TEXT
    assert " ".join(block.text for block in page.blocks).count("Signal lamp") == 2


def test_a_hidden_text_in_wrong_letters_says_so(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "foreign.pdf"), pagesize=A5)
    scan = ImageOps.pad(draw_unknown_letters(), (500, 710), color="white", centering=(0, 0))
    canvas.drawImage(ImageReader(scan), 0, 0, *A5)
    for number in range(20):
        canvas.drawString(30, 560 - 15 * number, "KHnra o CTpaHe n ropoAe Hbl Xpa", mode=3)
    canvas.save()

    (page,) = open_pdf(tmp_path / "foreign.pdf").pages

    assert page.warning == f"text in the pictures on page 1 is {UNKNOWN_LETTERS}"


def test_scans_and_pictures_in_letters_that_nobody_here_knows_say_so(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "foreign.pdf"), pagesize=A5)
    letters = ImageReader(draw_unknown_letters())
    canvas.drawImage(letters, 0, 100, A5[0], A5[0] * 200 / 500)
    canvas.showPage()
    canvas.drawString(40, 550, "The letter below came with the lamps on Monday.")
    canvas.drawImage(letters, 40, 100, 300, 300 * 200 / 500)
    canvas.save()

    scanned, mixed = open_pdf(tmp_path / "foreign.pdf").pages

    warning = "text in the pictures on page {} is " + UNKNOWN_LETTERS
    assert scanned.warning == warning.format(1)
    assert mixed.warning == warning.format(2)
    texts = [block.text for block in mixed.blocks]
    assert "The letter below came with the lamps on Monday." in texts


def test_a_stamp_on_a_scan_is_kept(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "stamped.pdf"), pagesize=A5)
    canvas.drawImage(ImageReader(draw_lines(RECEIPT, (874, 1240), 26)), 0, 0, *A5)
    canvas.setFillAlpha(0)
    canvas.drawString(40, 20, "Bates 000123")
    canvas.save()

    (page,) = open_pdf(tmp_path / "stamped.pdf").pages

    assert page.read_by is ReadBy.MIXED
    assert page.blocks[-1].text == "Bates 000123"


def test_a_page_turned_on_the_glass_is_read(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "turned.pdf"), pagesize=A5)
    turned = draw_lines(RECEIPT, (420, 420), 20).rotate(90)
    canvas.drawImage(ImageReader(turned), 0, 0, 400, 400)
    canvas.save()

    (page,) = open_pdf(tmp_path / "turned.pdf").pages

    assert "TOTAL 85.50" in page.blocks[1].text


def test_a_blank_page_is_not_looked_at(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "blank.pdf"))
    canvas.line(60, 700, 300, 700)
    canvas.drawString(60, 710, "Notes")
    canvas.save()

    (page,) = open_pdf(tmp_path / "blank.pdf").pages

    assert (page.read_by, page.blocks) == (ReadBy.TEXT, (Block(BlockKind.TEXT, "Notes"),))


async def test_a_page_too_large_to_be_looked_at_is_kept_with_a_warning() -> None:
    limits = ReadLimits(wall_seconds=60, cpu_seconds=60, memory_bytes=100 * 2**20)

    document = read_isolated(FILES / "delivery-note-scan.pdf", DocumentFormat.PDF, limits)
    _, scanned, mixed = [item async for item in document]

    assert isinstance(scanned, Page)
    assert isinstance(mixed, Page)
    assert scanned.warning.startswith("the pictures on page 1 cannot be read")
    assert mixed.blocks[0].text.startswith("The goods were paid in cash")


def test_a_chart_on_a_page_is_a_figure_where_it_stands(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "report.pdf"), pagesize=A5)
    canvas.drawString(40, 560, "The chart shows how many lamps were sold in each month.")
    canvas.drawImage(ImageReader(draw_chart()), 40, 300, 320, 210)
    canvas.drawString(40, 280, "In March the warehouse was closed for the inventory week.")
    canvas.save()

    (page,) = open_pdf(tmp_path / "report.pdf").pages

    (figure,) = page.figures
    before, behind = page.blocks[: figure.position], page.blocks[figure.position :]
    assert [block.text[:15] for block in before] == ["The chart shows"]
    assert "Lamps sold in 2024" in behind[0].text
    assert behind[-1].text.startswith("In March")


def test_of_a_scanned_page_only_the_figure_is_cut_out(tmp_path: Path) -> None:
    scan = draw_lines([["The report of Harbour Light"], ["for the year 2024"]], (874, 1240), 28)
    scan.paste(draw_chart(), (100, 700))
    canvas = Canvas(str(tmp_path / "scan.pdf"), pagesize=A5)
    canvas.drawImage(ImageReader(scan), 0, 0, *A5)
    canvas.save()

    (page,) = open_pdf(tmp_path / "scan.pdf").pages

    (figure,) = page.figures
    width, height = Image.open(io.BytesIO(figure.image)).size
    assert figure.position == 1
    assert width > height


def test_a_picture_on_every_page_is_a_figure_once(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "report.pdf"), pagesize=A5)
    for _ in range(2):
        canvas.drawString(40, 560, "The chart shows how many lamps were sold in each month.")
        canvas.drawImage(ImageReader(draw_chart()), 40, 300, 320, 210)
        canvas.showPage()
    canvas.save()

    pages = list(open_pdf(tmp_path / "report.pdf").pages)

    assert [len(page.figures) for page in pages] == [1, 0]


def test_scans_and_receipts_are_no_figures(delivery_note: tuple[Page, ...]) -> None:
    assert [page.figures for page in delivery_note] == [(), ()]


async def test_a_reader_says_how_a_page_was_read() -> None:
    limits = ReadLimits(wall_seconds=60, cpu_seconds=60, memory_bytes=2**30)

    document = read_isolated(FILES / "delivery-note-scan.pdf", DocumentFormat.PDF, limits)
    pages = [item async for item in document if isinstance(item, Page)]

    assert [page.read_by for page in pages] == [ReadBy.OCR, ReadBy.MIXED]


def test_pages_that_are_read_at_once_are_as_they_are_one_by_one(tmp_path: Path) -> None:
    lease = (FILES / "warehouse-lease.pdf").read_bytes()
    broken = lease.replace(b"/Type /Page\n", b"/Type /Pear\n", 1)

    at_once = list(open_pdf(broken, groups=repeat(2)).pages)

    assert [replace(page, seconds=0) for page in at_once] == list(open_pdf(broken).pages)


def test_what_is_looked_at_waits_until_its_page_is_due(delivery_note: tuple[Page, ...]) -> None:
    at_once = open_pdf(FILES / "delivery-note-scan.pdf", groups=[1, 8]).pages

    assert [page.blocks for page in at_once] == [page.blocks for page in delivery_note]


def test_of_pages_that_are_read_at_once_each_says_what_it_took() -> None:
    began = time.monotonic()

    _alone, *at_once = open_pdf(FILES / "warehouse-lease.pdf", groups=[1, 2]).pages

    assert len(at_once) == 2
    assert all(page.seconds > 0 for page in at_once)
    assert sum(page.seconds for page in at_once) <= time.monotonic() - began


def _headings(blocks: tuple[Block, ...]) -> list[str]:
    return [block.text for block in blocks if block.kind is BlockKind.HEADING]
