"""Tables at the top of a page whose header is at the end of the page before."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf
from indexing.types import Block, BlockKind, Page

PITCH = 24
COLUMNS = (60, 240, 420)
NAMES = ("Sign", "Share of all", "Place")
ROWS = [("B526", "75%", "Corvo"), ("N358", "71%", "Bergen"), ("B108", "99%", "Husum")]
WORDS = [("Ana", "Sales", "Turku"), ("Igor", "Stock", "Bergen"), ("Elif", "Sales", "Husum")]
WORDS += [("Mia", "Stock", "Elba")]
TEXT = "Nobody has asked for the masts of the harbour since the storm."
NAMED = Block(BlockKind.TABLE, "B526 | 75% | Corvo\nN358 | 71% | Bergen\nB108 | 99% | Husum")


@pytest.mark.parametrize(
    "end",
    [
        pytest.param([NAMES], id="alone"),
        pytest.param([NAMES, ("L318", "73%", "Elba")], id="with a row"),
    ],
)
def test_a_header_at_the_end_of_a_page_names_the_columns_on_the_next(
    tmp_path: Path, end: list[Sequence[str]]
) -> None:
    _, second = _read(tmp_path, end, ROWS)

    (table, _) = second.blocks
    assert (table.header, table.text) == ("Sign | Share of all | Place", NAMED.text)
    assert len(table.line_boxes) == 4
    assert table.line_boxes[0] is None


def test_a_reader_that_begins_at_the_page_finds_the_names_too(tmp_path: Path) -> None:
    _read(tmp_path, [NAMES], ROWS)

    (second,) = open_pdf(tmp_path / "stock.pdf", skip_pages=1).pages

    assert second.blocks[0].header == "Sign | Share of all | Place"


def test_a_name_may_have_two_lines(tmp_path: Path) -> None:
    names = [("Sign", "Share", "Place"), ("", "of all", "")]
    # Those of another table on the next page are no running foot.
    _, second = _read(tmp_path, names, [*ROWS, (), (TEXT,), *names, *ROWS], pitch=14)

    assert second.blocks[0].header == "Sign | Share of all | Place"


def test_the_first_row_of_words_is_a_row_below_the_names_of_the_page_before(
    tmp_path: Path,
) -> None:
    _, second = _read(tmp_path, [("Name", "Office", "Town"), ("Rui", "Stock", "Faro")], WORDS)

    assert second.blocks[0] == Block(
        BlockKind.TABLE,
        "Ana | Sales | Turku\nIgor | Stock | Bergen\nElif | Sales | Husum\nMia | Stock | Elba",
        header="Name | Office | Town",
    )


@pytest.mark.parametrize(
    "end",
    [
        pytest.param([], id="a sentence"),
        pytest.param([("L318", "73%", "Elba")], id="a row"),
        pytest.param([("Sign", "Share of all")], id="too few names"),
    ],
)
def test_what_names_no_columns_stays_what_it_is(tmp_path: Path, end: list[Sequence[str]]) -> None:
    _, second = _read(tmp_path, end, ROWS)

    assert second.blocks[0] == NAMED


def test_names_of_a_table_on_the_page_before_are_left_to_it(tmp_path: Path) -> None:
    rows = [(f"A{n}", "kept", "Turku") for n in range(4)]
    _, second = _read(tmp_path, [*ROWS, *rows, ("L318", "none", "Elba")], ROWS)

    assert second.blocks[0] == NAMED


def _read(
    folder: Path, end: Sequence[Sequence[str]], top: Sequence[Sequence[str]], pitch: float = PITCH
) -> list[Page]:
    """Return two pages: the first ends with these rows, the second begins with those."""
    canvas = Canvas(str(folder / "stock.pdf"), pagesize=A4)
    canvas.drawString(60, 100 + pitch * len(end), TEXT)
    _draw(canvas, 100 + pitch * (len(end) - 1), end, pitch)
    canvas.drawString(290, 40, "Page 1")
    canvas.showPage()
    _draw(canvas, 780, top, PITCH)
    canvas.drawString(290, 40, "Page 2")
    canvas.save()
    return list(open_pdf(folder / "stock.pdf").pages)


def _draw(canvas: Canvas, y: float, rows: Sequence[Sequence[str]], pitch: float) -> None:
    for number, row in enumerate(rows):
        for x, cell in zip(COLUMNS, row, strict=False):
            canvas.drawString(x, y - pitch * number, cell)
