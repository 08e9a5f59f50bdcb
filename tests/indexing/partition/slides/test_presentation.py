import io
import zipfile
from pathlib import Path

import pptx
import pptx.util
import pytest
from pptx.oxml import parse_xml
from pptx.oxml.ns import nsdecls

from indexing.partition.slides.presentation import IS_GONE, NOT_ALL, WORDS_ALONE, open_pptx
from indexing.types import Block, BlockKind, ReadBy
from tests.files.drawn import draw_chart, png_of

FILES = Path(__file__).parents[3] / "files"


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


def test_the_pictures_of_a_slide_stand_among_its_shapes(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    inches = [pptx.util.Inches(number) for number in range(7)]
    slide.shapes.add_picture(png_of("Code 4711"), inches[1], inches[3], width=inches[4])
    slide.shapes.title.text = "Labels"
    for words, top in (("below", inches[6]), ("above", inches[2])):
        box = slide.shapes.add_textbox(inches[1], top, inches[4], inches[1])
        box.text_frame.text = words
    deck.save(str(tmp_path / "labels.pptx"))

    (page,) = open_pptx(tmp_path / "labels.pptx").pages

    assert [block.text for block in page.blocks] == ["Labels", "above", "Code 4711", "below"]
    assert (page.read_by, page.pictures) == (ReadBy.MIXED, 1)


def test_a_deck_of_scans_is_read_slide_by_slide(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    for number in (1, 2, 3):
        slide = deck.slides.add_slide(deck.slide_layouts[6])
        slide.shapes.add_picture(
            png_of(f"Slide {number}"), 0, 0, deck.slide_width, deck.slide_height
        )
    deck.save(str(tmp_path / "scans.pptx"))

    document = open_pptx(tmp_path / "scans.pptx", 1)

    assert document.page_count == 3
    assert [(page.number, page.blocks[0].text, page.read_by) for page in document.pages] == [
        (2, "Slide 2", ReadBy.OCR),
        (3, "Slide 3", ReadBy.OCR),
    ]


def test_a_chart_that_was_pasted_as_a_picture_is_a_figure(tmp_path: Path) -> None:
    chart = io.BytesIO()
    draw_chart().save(chart, "PNG")
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "Sales"
    slide.shapes.add_picture(chart, 0, pptx.util.Inches(2))
    deck.save(str(tmp_path / "chart.pptx"))

    (page,) = open_pptx(tmp_path / "chart.pptx").pages

    assert [figure.position for figure in page.figures] == [1]


def test_merged_cells_of_a_slide_keep_the_columns_in_line(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[6])
    table = slide.shapes.add_table(3, 3, 0, 0, pptx.util.Inches(6), pptx.util.Inches(3)).table
    for cells, row in zip(["Lamp 2024 -", "- Sold Left", "Signal 5 1"], table.rows, strict=True):
        for text, cell in zip(cells.split(), row.cells, strict=True):
            cell.text = text.strip("-")
    table.cell(0, 0).merge(table.cell(1, 0))
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(2, 2).text = "1\nof them broken"
    deck.save(str(tmp_path / "merged.pptx"))

    (page,) = open_pptx(tmp_path / "merged.pptx").pages

    assert f"{page.blocks[0].header}\n{page.blocks[0].text}".split("\n") == [
        "Lamp | 2024 Sold | 2024 Left",
        "Signal | 5 | 1 of them broken",
    ]


def deck_of(path: Path, *titles: str) -> Path:
    deck = pptx.Presentation()
    for title in titles:
        deck.slides.add_slide(deck.slide_layouts[5]).shapes.title.text = title
    deck.save(str(path))
    return path


def replaced_in(path: Path, member: str, old: bytes, new: bytes) -> Path:
    """Write the package anew, with other bytes in one of its parts."""
    with zipfile.ZipFile(path) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    assert old in parts[member]
    parts[member] = parts[member].replace(old, new)
    with zipfile.ZipFile(path, "w") as package:
        for name, content in parts.items():
            package.writestr(name, content)
    return path


RELATIONS = "ppt/slides/_rels/slide2.xml.rels"
NOTES = (
    '<Relationship Id="n" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships'
    '/notesSlide" Target="slide2.xml"/></Relationships>'
)


@pytest.mark.parametrize(
    ("member", "change", "words", "warning"),
    [
        pytest.param(
            "ppt/slides/slide2.xml",
            (b"<p:spPr/>", b'<p:spPr><a:xfrm><a:off x="x" y="1"/></a:xfrm></p:spPr>'),
            ["Oil"],
            WORDS_ALONE,
            id="a place that is no number",
        ),
        pytest.param(
            RELATIONS,
            (b"</Relationships>", NOTES.encode()),
            ["Oil"],
            NOT_ALL,
            id="a slide that is its own notes",
        ),
        pytest.param(
            "ppt/_rels/presentation.xml.rels",
            (b"slides/slide2.xml", b"slides/none.xml"),
            [],
            IS_GONE,
            id="a slide that is missing",
        ),
        pytest.param(
            RELATIONS,
            (b"slideLayout6.xml", b"none.xml"),
            ["Oil"],
            WORDS_ALONE,
            id="a layout that is missing",
        ),
    ],
)
def test_what_is_wrong_with_a_slide_costs_no_other(
    member: str, change: tuple[bytes, bytes], words: list[str], warning: str, tmp_path: Path
) -> None:
    deck = deck_of(tmp_path / "deck.pptx", "Lamps", "Oil", "Wicks")

    first, second, third = open_pptx(replaced_in(deck, member, *change)).pages

    texts = [[block.text for block in page.blocks] for page in (first, second, third)]
    assert texts == [["Lamps"], words, ["Wicks"]]
    assert second.warning == warning.format(2)


def test_the_first_slide_says_what_is_damaged(tmp_path: Path) -> None:
    deck = deck_of(tmp_path / "deck.pptx", "Lamps", "Oil")
    replaced_in(deck, "ppt/slides/slide2.xml", b"</p:txBody>", b"")

    first, second = open_pptx(deck).pages

    assert "'ppt/slides/slide2.xml'" in first.warning
    assert [block.text for block in second.blocks] == ["Oil"]


def test_slides_whose_list_is_damaged_are_read_as_they_are_numbered(tmp_path: Path) -> None:
    deck = deck_of(tmp_path / "deck.pptx", "Lamps", "Oil")
    replaced_in(deck, "ppt/presentation.xml", b"<p:sldId ", b"<p:sldId ")
    deck.write_bytes(deck.read_bytes().replace(b"<p:sldId ", b"<p:damage"))

    first, second = open_pptx(deck).pages

    assert "'ppt/presentation.xml'" in first.warning
    assert [one.blocks[0].text for one in (first, second)] == ["Lamps", "Oil"]


def test_text_beside_the_notes_is_read_behind_them(tmp_path: Path) -> None:
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    box = slide.shapes.add_textbox(0, 0, 100, 100)
    box.text_frame.text = "Ask for Bo."
    slide.notes_slide.shapes._spTree.insert(2, box._element)
    number = slide.shapes.add_textbox(0, 0, 100, 100)
    number.text_frame.paragraphs[0]._p.append(
        parse_xml(f'<a:fld {nsdecls("a")} type="slidenum"><a:t>1</a:t></a:fld>')
    )
    slide.notes_slide.shapes._spTree.insert(2, number._element)
    slide.notes_slide.notes_text_frame.text = "Speak slowly."
    deck.save(str(tmp_path / "deck.pptx"))

    (page,) = open_pptx(tmp_path / "deck.pptx").pages

    assert [block.text for block in page.blocks] == ["Speak slowly.", "Ask for Bo."]
