from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import Word, cell_text, rows_of
from tests.indexing.partition.placed_words import line_of

NAMES = line_of(0, (0, "Date"), (100, "Details"), (300, "Amount"))
ROWS = [
    ["1 May", "Transfer to the supplier reference 778", "120.00"],
    ["2 May", "Rent", "800.00"],
    ["4 May", "Card payment at the book store", "33.50"],
]


def test_a_text_that_ends_at_the_bottom_of_its_row_begins_above_it() -> None:
    words = [
        *line_of(1.3, (100, "Transfer to the supplier")),
        *line_of(2.1, (0, "1 May"), (100, "reference 778"), (300, "120.00")),
        *line_of(3.4, (0, "2 May"), (100, "Rent"), (300, "800.00")),
        *line_of(4.7, (100, "Card payment at the")),
        *line_of(5.5, (0, "4 May"), (100, "book store"), (300, "33.50")),
    ]

    assert _read([*NAMES, *words]) == [["Date", "Details", "Amount"], *ROWS]


def test_a_text_around_the_middle_of_its_row_is_of_that_row() -> None:
    words = [
        *line_of(1.5, (100, "Transfer to the supplier")),
        *line_of(2, (0, "1 May"), (300, "120.00")),
        *line_of(2.5, (100, "reference 778")),
        *line_of(4, (0, "2 May"), (100, "Rent"), (300, "800.00")),
        *line_of(5.5, (100, "Card payment at the")),
        *line_of(6, (0, "4 May"), (300, "33.50")),
        *line_of(6.5, (100, "book store")),
    ]

    assert _read([*NAMES, *words]) == [["Date", "Details", "Amount"], *ROWS]


def test_several_texts_around_the_middle_are_of_that_row() -> None:
    words = [
        *line_of(1.5, (100, "Transfer to the supplier"), (300, "in")),
        *line_of(2, (0, "1 May"), (400, "120.00")),
        *line_of(2.5, (100, "reference 778"), (300, "progress")),
        *line_of(4, (0, "2 May"), (100, "Rent"), (300, "paid"), (400, "800.00")),
        *line_of(5.5, (0, "4 May"), (100, "Card"), (300, "paid"), (400, "33.50")),
    ]
    names = line_of(0, (0, "Date"), (100, "Details"), (300, "State"), (400, "Amount"))

    assert _read([*names, *words])[1] == ["1 May", ROWS[0][1], "in progress", "120.00"]


def test_a_heading_as_far_from_the_row_above_as_from_that_below_is_a_row() -> None:
    words = [
        *line_of(1, (0, "1 May"), (100, "Transfer"), (300, "120.00")),
        *line_of(2, (100, "By card")),
        *line_of(3, (0, "2 May"), (100, "Rent"), (300, "800.00")),
        *line_of(4, (0, "4 May"), (100, "Book store"), (300, "33.50")),
    ]

    assert ["2 May", "Rent", "800.00"] in _read([*NAMES, *words])


def test_a_heading_over_other_cells_of_the_next_row_is_no_part_of_it() -> None:
    words = [
        *line_of(1.5, (100, "What was paid by card, and what was owed to others")),
        *line_of(2.3, (0, "1 May"), (100, "Transfer"), (300, "120.00")),
        *line_of(3.6, (0, "2 May"), (100, "Rent"), (300, "800.00")),
        *line_of(4.9, (0, "4 May"), (100, "Book store"), (300, "33.50")),
    ]

    assert ["1 May", "Transfer", "120.00"] in _read([*NAMES, *words])


def test_the_rest_of_a_row_below_the_header_of_the_next_page_is_no_name() -> None:
    words = [
        *line_of(1.3, (100, "from the stone quay")),
        *line_of(2.1, (100, "to the lighthouse")),
        *line_of(3.5, (0, "1 May"), (100, "Transfer to the supplier"), (300, "120.00")),
        *line_of(4.3, (100, "reference 778")),
        *line_of(5.7, (0, "2 May"), (100, "Rent"), (300, "800.00")),
    ]

    names, rest, *rows = _read([*NAMES, *words])

    assert names == ["Date", "Details", "Amount"]
    assert rest == ["", "from the stone quay to the lighthouse", ""]
    assert rows == ROWS[:2]


def test_a_name_may_have_two_lines_as_near_as_those_of_other_cells() -> None:
    words = [
        *line_of(0.8, (100, "in a few words")),
        *line_of(2.2, (0, "1 May"), (100, "Transfer to the supplier"), (300, "120.00")),
        *line_of(3, (100, "reference 778")),
        *line_of(4.4, (0, "2 May"), (100, "Rent"), (300, "800.00")),
    ]

    names, *rows = _read([*NAMES, *words])

    assert names == ["Date", "Details in a few words", "Amount"]
    assert rows == ROWS[:2]


def test_a_date_that_is_broken_behind_a_hyphen_goes_on_in_the_next_line() -> None:
    words = [
        *line_of(1.3, (0, "L365"), (100, "Rent"), (300, "2024-03-")),
        *line_of(2.1, (300, "25")),
        *line_of(3.4, (0, "N339"), (100, "Lamps of the"), (300, "2024-04-")),
        *line_of(4.2, (100, "stone quay"), (300, "18")),
        *line_of(5.5, (0, "B834"), (100, "Oil"), (300, "2024-07-")),
        *line_of(6.3, (300, "19")),
    ]

    _, *rows = _read([*line_of(0, (0, "Sign"), (100, "What"), (300, "Last seen")), *words])

    assert rows == [
        ["L365", "Rent", "2024-03-25"],
        ["N339", "Lamps of the stone quay", "2024-04-18"],
        ["B834", "Oil", "2024-07-19"],
    ]


def test_amounts_that_are_owed_stay_apart() -> None:
    words = [
        *line_of(1.3, (0, "1 May"), (100, "Rent"), (300, "800.00-")),
        *line_of(2.1, (300, "33.50-")),
        *line_of(3.4, (0, "2 May"), (100, "Oil"), (300, "12.00-")),
    ]

    _, *rows = _read([*NAMES, *words])

    assert [row[2] for row in rows] == ["800.00-", "33.50-", "12.00-"]


def _read(words: list[Word]) -> list[list[str]]:
    """Return the texts of the header and the rows of the only table, each on one line."""
    (table,) = tables_of(rows_of(words))
    rows = (table.header, *table.rows)
    return [[cell_text(cell).replace("\n", " ") for cell in row] for row in rows]


def test_lines_without_a_label_are_of_the_row_above_if_all_stand_nearer_than_rows() -> None:
    services = [
        ("Seal of the main shaft, with", "a test run"),
        ("Care",),
        ("Two lamps and", "a bell"),
    ]
    rows = [line_of(0, (0, "Code"), (50, "Service"), (250, "Price"))]
    number = 0.0
    for at, (first, *others) in enumerate(services):
        number += 1.25
        rows.append(line_of(number, (0, f"A-{at}"), (50, first), (250, f"{at}6.00")))
        for other in others:
            number += 1
            rows.append(line_of(number, (50, other)))
    words = [word for row in rows for word in row]

    (table,) = tables_of(rows_of(words))

    assert [row[1] for row in table.texts] == [" ".join(lines) for lines in services]


def test_words_in_small_letters_below_texts_alone_are_the_rest_of_these() -> None:
    words = [
        *line_of(0, (0, "Article"), (100, "Pieces"), (200, "Price"), (300, "Remark")),
        *line_of(1.4, (0, "Lamp"), (100, "24"), (200, "12.50"), (300, "in stock")),
        *line_of(2.8, (0, "Hydraulic"), (100, "591"), (200, "123.95"), (300, "sent on")),
        *line_of(4.2, (0, "oil"), (300, "a Friday")),
        *line_of(5.6, (0, "Bell"), (100, "4"), (200, "94.13"), (300, "tested")),
        *line_of(7, (300, "twice")),
        *line_of(8.4, (0, "Buoy"), (100, "7"), (200, "9.75"), (300, "sold")),
    ]

    _, *rows = _read(words)

    assert rows == [
        ["Lamp", "24", "12.50", "in stock"],
        ["Hydraulic oil", "591", "123.95", "sent on a Friday"],
        ["Bell", "4", "94.13", "tested twice"],
        ["Buoy", "7", "9.75", "sold"],
    ]
