"""Japanese that is written downwards, in columns from the right."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from indexing.partition.pdf.document import open_pdf
from tests.files.hostile_pdfs import PAGE, pdf, stream

FONT = (
    b"<< /Type /Font /Subtype /Type0 /BaseFont /Ryumin-Light-90ms-RKSJ-%s "
    b"/Encoding /90ms-RKSJ-%s /DescendantFonts [7 0 R] >>"
)
DESCENDANT = (
    b"<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Ryumin-Light /DW 1000 /FontDescriptor 8 0 R "
    b"/CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >>"
)
DESCRIPTOR = (
    b"<< /Type /FontDescriptor /FontName /Ryumin-Light /Flags 4 /FontBBox [0 -200 1000 900] "
    b"/ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 >>"
)

COLUMNS = [
    "縦書きの文章です。第二条の規定",
    "次の行は左にあります。価格は",
    "三行目終わり。最後の行。",
]


@pytest.mark.parametrize(
    "order",
    [pytest.param([0, 1, 2], id="from the right"), pytest.param([2, 1, 0], id="from the left")],
)
def test_columns_are_read_downwards_from_the_right(tmp_path: Path, order: list[int]) -> None:
    draw(tmp_path / "columns.pdf", order)

    assert lines_of(tmp_path / "columns.pdf") == COLUMNS


def test_a_page_with_a_column_beside_lines_is_read_by_lines(tmp_path: Path) -> None:
    lines = [f"{number}の行は横書きの文章です。" for number in range(6)]
    draw(tmp_path / "lines.pdf", [0], lines)

    assert lines_of(tmp_path / "lines.pdf")[: len(lines)] == lines


def draw(path: Path, order: list[int], lines: Sequence[str] = ()) -> None:
    parts = [("/H", 60, 250 - 20 * number, line) for number, line in enumerate(lines)]
    parts += [("/V", 280 - 30 * number, 280, COLUMNS[number]) for number in order]
    shown = " ".join(
        f"{font} 14 Tf 1 0 0 1 {x} {y} Tm <{text.encode('cp932').hex()}> Tj"
        for font, x, y, text in parts
    )
    page = PAGE % b"/Resources << /Font << /H 5 0 R /V 6 0 R >> >>"
    objects = {3: page, 4: stream(f"BT {shown} ET".encode())}
    for number, direction in ((5, b"H"), (6, b"V")):
        objects[number] = FONT % (direction, direction)
    path.write_bytes(pdf(objects | {7: DESCENDANT, 8: DESCRIPTOR}))


def lines_of(path: Path) -> list[str]:
    (page,) = open_pdf(path).pages
    return "\n".join(block.text for block in page.blocks).split("\n")
