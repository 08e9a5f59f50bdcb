import zipfile
from pathlib import Path

import docx
import pptx
import pptx.util

from indexing.partition.office import open_docx, open_pptx, table_rows
from indexing.types import NO_PAGE, Block, BlockKind

FILES = Path(__file__).parents[2] / "files"


def test_words_stand_on_the_page_that_word_gave_them() -> None:
    document = open_docx(FILES / "supplier-handbook.docx")

    first, second, third = document.pages

    assert (document.title, document.page_count) == ("Supplier Handbook", 3)
    assert first.blocks[-1].text == "A confirmed order may be changed until it is packed,"
    assert second.blocks[0].text == "and after that it can only be returned."
    assert third.blocks[0] == Block(BlockKind.HEADING, "Payment")


def test_a_header_is_kept_once() -> None:
    pages = open_docx(FILES / "supplier-handbook.docx").pages

    texts = [block.text for page in pages for block in page.blocks]

    assert texts.count("Harbour Light Ltd, for suppliers") == 1


def test_a_table_keeps_its_rows() -> None:
    _, second, _ = open_docx(FILES / "supplier-handbook.docx").pages

    assert second.blocks[-1] == Block(
        BlockKind.TABLE,
        "Northline | 2 | Ana Ruiz\nSeaway Freight | 5 | Bo Larsen",
        header="Carrier | Days | Contact",
    )


def test_pages_that_nobody_counted_have_no_number(tmp_path: Path) -> None:
    document = docx.Document()
    for _ in range(40):
        document.add_paragraph("The supplier delivers within two working days. " * 5)
    document.save(str(tmp_path / "long.docx"))

    (page,) = open_docx(tmp_path / "long.docx").pages

    assert page.number == NO_PAGE
    assert len(page.blocks) == 40


def test_a_template_with_macros_is_read_like_a_document(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(FILES / "supplier-handbook.docx") as old,
        zipfile.ZipFile(tmp_path / "macros.dotm", "w") as new,
    ):
        for name in old.namelist():
            new.writestr(
                name,
                old.read(name).replace(
                    b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
                    b"application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
                ),
            )

    assert open_docx(tmp_path / "macros.dotm").page_count == 3


def test_a_slide_is_a_page_and_its_notes_come_last() -> None:
    document = open_pptx(FILES / "quarterly-review.pptx")

    first, second, _ = document.pages

    assert (document.title, document.page_count) == ("Quarterly Review Q1 2024", 3)
    assert first.blocks[0] == Block(BlockKind.HEADING, "Quarterly Review")
    assert second.number == 2
    assert [block.text for block in second.blocks] == [
        "What went well",
        "Revenue grew by 14 percent",
        "Returns fell to 1.2 percent",
        "January | 310\nFebruary | 365",
        "Thank the Bristol team for the inventory week.",
    ]


def test_a_table_on_a_slide_keeps_its_rows() -> None:
    *_, third = open_pptx(FILES / "quarterly-review.pptx").pages

    assert third.blocks[-1] == Block(
        BlockKind.TABLE, "Revenue | 412,000 pounds\nOpen orders | 37", header="Measure | Value"
    )


def test_text_that_hangs_over_the_edge_is_read(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    box = slide.shapes.add_textbox(-1000, -1000, pptx.util.Inches(3), pptx.util.Inches(1))
    box.text_frame.text = "Almost off the slide"
    deck.save(str(tmp_path / "edge.pptx"))

    blank, page = open_pptx(tmp_path / "edge.pptx").pages

    assert (blank.number, blank.blocks) == (1, ())
    assert [block.text for block in page.blocks] == ["Almost off the slide"]


def test_merged_cells_keep_the_columns_in_line() -> None:
    table = """<table><tr><td rowspan="2">Region</td><td colspan="2">2024</td></tr>
        <tr><td>Sales</td><td>Profit</td></tr></table>"""

    assert table_rows(table) == [["Region", "2024", ""], ["", "Sales", "Profit"]]
