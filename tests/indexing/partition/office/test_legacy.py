import io
from pathlib import Path

import docx
import docx.shared
import pytest

from indexing.partition.office.legacy import (
    BOXES_LOST,
    CUT_OFF,
    FORMULA_STREAM,
    FORMULAS_LOST,
    open_doc,
    open_ppt,
    open_rtf,
)
from indexing.partition.office.libreoffice import converted, find_soffice
from indexing.types import NO_PAGE, Block, BlockKind, ReadBy
from tests.files.drawn import draw_lines
from tests.libreoffice import needs_libreoffice

FILES = Path(__file__).parents[3] / "files"


@needs_libreoffice
def test_a_word_document_has_structure_and_true_pages() -> None:
    document = open_doc(FILES / "supplier-handbook.doc")
    first, second = document.pages

    assert (document.title, document.page_count) == ("Supplier Handbook", 2)
    assert first.blocks[-1] == Block(
        BlockKind.TABLE,
        "Northline | 2 | Ana Ruiz\nSeaway Freight | 5 | Bo Larsen",
        header="Carrier | Days | Contact",
    )
    assert (second.number, second.blocks[0]) == (2, Block(BlockKind.HEADING, "Payment"))


@needs_libreoffice
def test_formulas_that_are_lost_are_told_of(tmp_path: Path) -> None:
    handbook = (FILES / "supplier-handbook.doc").read_bytes()
    (tmp_path / "formulas.doc").write_bytes(handbook + FORMULA_STREAM)

    first, second = open_doc(tmp_path / "formulas.doc").pages

    assert (first.warning, second.warning) == (FORMULAS_LOST, "")


@needs_libreoffice
def test_the_pictures_of_a_word_document_are_read(tmp_path: Path) -> None:
    document = docx.Document()
    for number in (1, 2):
        picture = io.BytesIO()
        draw_lines([[f"Scanned page {number}"]], (640, 900), 28).save(picture, "PNG")
        document.add_picture(picture, width=docx.shared.Pt(400))
    document.save(str(tmp_path / "scan.docx"))

    with converted(tmp_path / "scan.docx", "docx", ["doc"]) as (doc,):
        pages = open_doc(doc, 1).pages

    assert [(page.number, page.blocks[0].text, page.read_by) for page in pages] == [
        (2, "Scanned page 2", ReadBy.OCR)
    ]


@needs_libreoffice
def test_a_slide_of_powerpoint_is_a_page() -> None:
    with converted(FILES / "quarterly-review.pptx", "pptx", ["ppt"]) as (ppt,):
        document = open_ppt(ppt)
    pages = list(document.pages)

    assert [page.number for page in pages] == [1, 2, 3]
    assert pages[0].blocks[0] == Block(BlockKind.HEADING, "Quarterly Review")
    assert "Revenue | 412,000 pounds" in pages[2].blocks[-1].text


def test_rich_text_is_read_with_or_without_libreoffice() -> None:
    document = open_rtf(FILES / "letter.rtf")
    (page,) = document.pages

    assert page.number == (NO_PAGE if find_soffice() is None else 1)
    assert [block.text for block in page.blocks] == [
        "The roof above bay 4 leaks, as we wrote in März.",
        "4 | 11",
        "Please send a roofer.",
    ]


@needs_libreoffice
@pytest.mark.parametrize(
    "row",
    [
        pytest.param(r"\trowd\cellx2000\cellx4000\intbl Washer\cell 99\cell", id="does not end"),
        pytest.param(r"\intbl Washer\cell 99\cell\row", id="does not begin"),
    ],
)
def test_a_row_of_rich_text_that_is_not_as_it_should_be_is_read(row: str, tmp_path: Path) -> None:
    head = r"\trowd\cellx2000\cellx4000\intbl Part\cell Price\cell\row\pard The dearest:\par"
    (tmp_path / "prices.rtf").write_text(rf"{{\rtf1 {head} {row}\pard Thank you\par}}")

    (page,) = open_rtf(tmp_path / "prices.rtf").pages

    lines = [block.text for block in page.blocks]
    assert lines == ["Part | Price", "The dearest:", "Washer | 99", "Thank you"]


@needs_libreoffice
def test_rich_text_that_libreoffice_alone_understands_is_read(tmp_path: Path) -> None:
    (tmp_path / "odd.rtf").write_text(r"{\rtf1 Thank you\u9999999 ?\par}")

    (page,) = open_rtf(tmp_path / "odd.rtf").pages

    assert page.blocks[0].text.startswith("Thank you")


def test_formulas_of_rich_text_are_read_with_or_without_libreoffice(tmp_path: Path) -> None:
    formula = rb"{\mmath{\*\moMath{\mr A=}{\msSup{\me{\mr r}}{\msup{\mr 2}}}}}"
    (tmp_path / "circle.rtf").write_bytes(rb"{\rtf1\ansi The area is " + formula + b" here.}")

    (page,) = open_rtf(tmp_path / "circle.rtf").pages

    assert [block.text for block in page.blocks] == ["The area is A=r^2 here."]


def test_text_boxes_of_rich_text_that_are_lost_are_told_of(tmp_path: Path) -> None:
    box = r"{\shp{\*\shpinst{\shptxt Mind the step\par}}}"
    # LibreOffice makes nothing of a text whose bytes are fewer than it says.
    (tmp_path / "box.rtf").write_text(rf"{{\rtf1 Welcome\par{box}\bin99999 }}")

    page, lost = open_rtf(tmp_path / "box.rtf").pages

    assert [block.text for block in page.blocks] == ["Welcome"]
    assert (lost.number, lost.warning) == (NO_PAGE, BOXES_LOST)


@needs_libreoffice
def test_formulas_of_rich_text_take_the_room_in_which_they_are_drawn(tmp_path: Path) -> None:
    formula = rb"{\mmath{\*\moMath{\mf{\mnum{\mr a}}{\mden{\mr b}}}}}"
    steps = b"".join(rb"Step %d is " % step + formula + rb" here.\par " for step in range(40))
    (tmp_path / "steps.rtf").write_bytes(rb"{\rtf1\ansi " + steps + b"}")

    first, second = open_rtf(tmp_path / "steps.rtf").pages

    assert first.blocks[0].text == "Step 0 is a/b here."
    assert second.blocks[-1].text == "Step 39 is a/b here."


@pytest.mark.parametrize(
    ("end", "warning"),
    [
        pytest.param(rb"lamps \{\par and their ", CUT_OFF, id="amid the text"),
        pytest.param(rb"lamps {\b and}", "", id="behind a group within it"),
        pytest.param(rb"lamps \}\par}", "", id="whole"),
        pytest.param(b"lamps}\r\n\0\0\x1a", "", id="zeros behind the end"),
        pytest.param(b"lamps} and more", "", id="words behind the end"),
    ],
)
def test_an_rtf_text_that_is_cut_off_says_so(end: bytes, warning: str, tmp_path: Path) -> None:
    (tmp_path / "cut.rtf").write_bytes(rb"{\rtf1\ansi Oil for deck " + end)

    pages = list(open_rtf(tmp_path / "cut.rtf").pages)

    assert pages[0].blocks[0].text.startswith("Oil for deck lamps")
    assert "; ".join(page.warning for page in pages if page.warning) == warning
