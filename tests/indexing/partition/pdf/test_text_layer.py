"""The text that the file of a PDF holds of a page."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pypdfium2
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.in_step import alone
from indexing.partition.pdf.pictures import drawn_objects
from indexing.partition.pdf.text_layer import TextLayer, read_text_layer
from indexing.types import BlockKind
from tests.files.unnamed_letters import write_unnamed_letters

RENT = "The rent is due on the first day of each month, in full and without delay."


def test_lines_have_their_places_and_are_parts_of_blocks(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 780, "2 Rent")
        canvas.drawString(60, 760, RENT)

    layer = _read(_drawn(tmp_path, draw))

    assert layer.lines == ["2 Rent", RENT]
    assert [block.kind for block in layer.blocks] == [BlockKind.HEADING, BlockKind.TEXT]
    (first, second) = layer.boxes
    assert first
    assert second
    assert first[3] < second[1]
    assert [block.line_boxes for block in layer.blocks] == [(first,), (second,)]


def test_a_table_takes_the_place_of_its_lines(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(60, 780, RENT)
        for number, (name, *figures) in enumerate(
            [("Stock", "2023", "2024"), ("Lamps", "2,400", "3,100"), ("Buoys", "1,200", "1,400")]
        ):
            canvas.drawString(60, 740 - 14 * number, name)
            for place, figure in zip((300, 400), figures, strict=True):
                canvas.drawRightString(place, 740 - 14 * number, figure)

    text, table = _read(_drawn(tmp_path, draw)).blocks

    assert (text.kind, text.text) == (BlockKind.TEXT, RENT)
    assert (table.kind, table.header) == (BlockKind.TABLE, "Stock | 2023 | 2024")


def test_a_page_on_its_side_is_read_with_its_places_as_it_is_displayed(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.translate(300, 60)
        canvas.rotate(90)
        canvas.drawString(0, 0, RENT)

    layer = _read(_drawn(tmp_path, draw))

    assert layer.lines == [RENT]
    [box] = layer.boxes
    assert box
    assert box[3] - box[1] > 5 * (box[2] - box[0])


def test_nothing_is_kept_of_a_text_that_is_not_what_is_seen(tmp_path: Path) -> None:
    write_unnamed_letters(tmp_path / "unnamed.pdf", "THE RENT IS DUE IN MARCH", 36)

    layer = _read(tmp_path / "unnamed.pdf")

    assert layer.is_garbled
    assert (layer.letters, layer.blocks) == ("", ())


def _drawn(folder: Path, draw: Callable[[Canvas], None]) -> Path:
    canvas = Canvas(str(folder / "page.pdf"))
    draw(canvas)
    canvas.save()
    return folder / "page.pdf"


def _read(path: Path) -> TextLayer:
    with (
        pypdfium2.PdfDocument(path) as pdf,
        closing(pdf[0]) as page,
        closing(page.get_textpage()) as textpage,
    ):
        return alone(read_text_layer(page, textpage, lambda: drawn_objects(page)))
