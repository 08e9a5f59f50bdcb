from collections.abc import Sequence
from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.tables.bands import Bands
from indexing.partition.pdf.tables.cells import Word
from indexing.partition.pdf.tables.headed_rows import tables_in
from indexing.partition.pdf.tables.rules import Rule
from indexing.types import BlockKind

LINE = 12.0
"""From a line to the next; a rule stands right above each line that has a number for it."""

NAMES = ((0, "Country"), (100, "Capital"))
ROWS = (((0, "France"), (100, "Paris")), ((0, "Norway"), (100, "Oslo")))


def test_two_columns_of_words_are_a_table_for_the_rules_around_their_names() -> None:
    assert _tables([NAMES, *ROWS], 0, 1, 3) == [
        [["Country", "Capital"], ["France", "Paris"], ["Norway", "Oslo"]]
    ]


def test_a_text_goes_on_where_its_line_has_no_room_for_the_next_word() -> None:
    lines = [
        ((0, "Term"), (100, "Meaning")),
        ((0, "Lien"), (100, "A right to keep the property of")),
        ((100, "another person"),),
        ((0, "Tort"), (100, "A wrongful act")),
    ]

    ((_, *rows),) = _tables(lines, 0, 1, 4)

    assert rows == [
        ["Lien", "A right to keep the property of another person"],
        ["Tort", "A wrongful act"],
    ]


def test_a_row_without_a_label_is_one_where_the_text_above_had_room() -> None:
    lines = [
        ((0, "Site"), (100, "Found there in the years of the survey")),
        ((0, "North"), (100, "Oak and beech")),
        ((100, "Some pines"),),
        ((0, "South"), (100, "Nothing but grass and heather and moss")),
    ]

    ((_, *rows),) = _tables(lines, 0, 1, 4)

    assert rows[1] == ["", "Some pines"]


def test_sums_below_a_further_rule_are_rows_of_the_table() -> None:
    figures = [((0, name), (100, figure)) for name, figure in (("Ink", "4.50"), ("Pens", "12.00"))]

    ((_, *rows),) = _tables([NAMES, *figures, ((0, "Sum"), (100, "16.50"))], 0, 1, 3, 4)

    assert rows == [["Ink", "4.50"], ["Pens", "12.00"], ["Sum", "16.50"]]


def test_a_heading_names_the_columns_that_the_rule_below_it_is_over() -> None:
    lines = [
        ((210, "Error"),),
        ((0, "Model"), (100, "Data"), (200, "Mean"), (250, "Max")),
        ((0, "LSTM"), (100, "small"), (200, "0.12"), (250, "0.40")),
        ((0, "GRU"), (100, "large"), (200, "0.14"), (250, "0.44")),
    ]

    ((names, *_),) = _tables(lines, 0, 2, 4, part=Rule(LINE - 1, 200, 270))

    assert names == ["Model", "Data", "Error Mean", "Error Max"]


def test_a_table_of_the_same_width_below_another_has_its_own_names() -> None:
    lines = [NAMES, *ROWS, ((0, "Table 2 shows the rivers of both of these"),)]
    lines += [((0, "Country"), (100, "River")), ((0, "France"), (100, "Loire")), ROWS[1]]

    tables = _tables(lines, 0, 1, 3, 4, 5, 7)

    assert [table[0] for table in tables] == [["Country", "Capital"], ["Country", "River"]]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param(
            [
                NAMES,
                *[
                    (
                        (0, f"{letter} text in columns that runs"),
                        (220, f"on beside it {letter} times"),
                    )
                    for letter in "abcd"
                ],
            ],
            id="columns of running text",
        ),
        pytest.param(
            [NAMES, ((0, "Name:"), (100, "Ann")), ((0, "Seat:"), (100, "Rome"))], id="form"
        ),
        pytest.param(
            [NAMES, ((0, "Depots and"),), ((0, "sheds"), (100, "12")), ((0, "Bus"), (100, "4"))],
            id="a label of two lines beside a figure",
        ),
        pytest.param([NAMES, ((0, "Two figures"), (100, "12"), (150, "14"))] * 2, id="figures"),
    ],
)
def test_other_lines_between_such_rules_are_left_alone(
    lines: Sequence[Sequence[tuple[float, str]]],
) -> None:
    assert _tables(lines, 0, 1, len(lines)) == []


def test_a_narrow_table_of_words_is_read_by_its_rules(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "narrow.pdf"), pagesize=A4)
    canvas.setFont("Times-Roman", 10)
    for at in (715, 698, 638):
        canvas.line(250, at, 345, at)
    for number, row in enumerate(("Country Capital", "France Paris", "Spain Madrid", "Italy Rome")):
        for left, text in zip((250, 300), row.split(), strict=True):
            canvas.drawString(left, 703 - 14 * number - 4 * (number > 0), text)
    canvas.save()

    (page,) = open_pdf(tmp_path / "narrow.pdf").pages

    (table,) = (block for block in page.blocks if block.kind is BlockKind.TABLE)
    assert (table.header, table.text) == (
        "Country | Capital",
        "France | Paris\nSpain | Madrid\nItaly | Rome",
    )


def _tables(
    lines: Sequence[Sequence[tuple[float, str]]], *rules: int, part: Rule | None = None
) -> list[list[list[str]]]:
    """Return the names and the rows of each table."""
    words = [
        Word(word, number, x + 5 * at, top, x + 5 * (at + len(word)), top + 10, 10, top + 5)
        for number, line in enumerate(lines)
        for top in [LINE * number]
        for x, text in line
        for at, word in _words(text)
    ]
    bands = Bands(0, 400, [LINE * number - 1 for number in rules], LINE, LINE)
    found = tables_in(bands, words, [part] if part else [])
    return [[table.names, *table.texts] for table in found]


def _words(text: str) -> list[tuple[float, str]]:
    """Return the words of a text with where each begins, in letters; spaces are half as wide."""
    words = text.split()
    return [(sum(map(len, words[:n])) + n / 2, word) for n, word in enumerate(words)]
