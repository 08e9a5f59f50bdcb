from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import Word, cell_text, rows_of
from tests.indexing.partition.placed_words import line_of

ROWS = [
    *line_of(1, (0, "L-1"), (100, "Deck lamp"), (200, "box"), (240, "30.00")),
    *line_of(2, (0, "L-2"), (100, "Buoy"), (200, "pcs"), (240, " 7.00")),
    *line_of(3, (0, "L-3"), (100, "Bell"), (200, "box"), (240, "15.00")),
]


def test_names_as_close_as_words_are_parted_where_columns_begin() -> None:
    names = line_of(0, (0, "No."), (100, "Lamp"), (200, "Measure"), (240, "Price"))

    assert _read([*names, *ROWS])[0] == ["No.", "Lamp", "Measure", "Price"]


def test_a_label_as_close_to_its_figure_as_words_is_parted_from_it() -> None:
    words = [
        *line_of(0, (0, "No."), (100, "Lamp"), (200, "Unit"), (240, "Price")),
        *ROWS,
        *line_of(4, (200, "In all"), (235, "152.00")),
    ]

    assert _read(words)[-1] == ["", "", "In all", "152.00"]


def test_names_of_several_words_are_parted_at_the_wider_gap_between_their_columns() -> None:
    words = [
        *line_of(0, (0, "Lamp"), (160, "Pieces"), (196.5, "Unit"), (218, "price")),
        *line_of(1, (0, "Deck lamp"), (180, "14"), (218, "30.00")),
        *line_of(2, (0, "Buoy"), (180, "12"), (218, "15.00")),
    ]

    assert _read(words)[0] == ["Lamp", "Pieces", "Unit price"]


def test_a_name_above_figures_is_not_parted_where_the_name_of_a_sum_stands() -> None:
    words = [
        *line_of(0, (0, "Lamp"), (165, "Pieces"), (228, "Unit"), (252, "price"), (330, "Amount")),
        *line_of(1, (0, "Deck lamp"), (185, "4"), (252, "30.00"), (330, "120.00")),
        *line_of(2, (0, "Buoy"), (185, "2"), (252, "15.00"), (330, " 30.00")),
        *line_of(3, (213, "Sum EUR"), (330, "150.00")),
    ]

    assert _read(words)[0] == ["Lamp", "Pieces", "Unit price", "Amount"]


def test_a_heading_over_columns_is_not_parted() -> None:
    words = [
        *line_of(0, (190, "Sold"), (215, "by"), (230, "weight")),
        *line_of(1, (0, "No."), (100, "Lamp"), (200, "Unit"), (240, "Price")),
        *[
            word._replace(
                line=word.line + 1,
                top=word.top + 14,
                bottom=word.bottom + 14,
                middle=word.middle + 14,
            )
            for word in ROWS
        ],
    ]

    assert _read(words)[0] == ["No.", "Lamp", "Sold by weight Unit", "Price"]


def test_text_below_a_table_is_not_parted_where_a_word_happens_to_stand_in_a_column() -> None:
    words = [
        *line_of(0, (0, "No."), (100, "Lamp"), (200, "Unit"), (240, "Price")),
        *ROWS,
        *line_of(
            4, (0, "Goods that are not yet paid for,"), (165, "remain our own"), (240, "property.")
        ),
    ]

    assert _read(words)[-1] == ["L-3", "Bell", "box", "15.00"]


def test_text_is_not_parted_where_that_of_one_row_happens_to_be() -> None:
    words = [
        *line_of(0, (0, "No."), (100, "Article"), (300, "Price")),
        *line_of(1, (0, "1"), (100, "Keyboard"), (146, "flat"), (300, "30.00")),
        *line_of(2, (0, "2"), (100, "Large lamp"), (156, "LED"), (300, "7.00")),
        *line_of(3, (0, "3"), (100, "Board of"), (146, "90"), (162, "403"), (300, "15.00")),
        *line_of(4, (0, "4"), (100, "Horn"), (300, "9.00")),
    ]

    assert _read(words)[1:3] == [["1", "Keyboard flat", "30.00"], ["2", "Large lamp LED", "7.00"]]


def _read(words: list[Word]) -> list[list[str]]:
    """Return the texts of the header and the rows of the only table."""
    (table,) = tables_of(rows_of(words))
    return [[cell_text(cell) for cell in row] for row in (table.header, *table.rows)]
