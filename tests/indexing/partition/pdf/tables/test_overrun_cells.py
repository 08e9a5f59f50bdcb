from indexing.partition.pdf.tables.borderless import tables_of
from indexing.partition.pdf.tables.cells import cells_of, left_of, plain_text, rows_of
from indexing.partition.pdf.tables.overrun_cells import untangled
from tests.indexing.partition.placed_words import line_of

OVERRUN = ((0, "L-2"), (50, "Lamp of brass for"), (138, "the stone"), (186, "quay and bay"))
OVERRUN += ((200, "12"), (280, "30.00"))


def test_what_is_drawn_over_the_next_cells_stays_in_its_own() -> None:
    row = cells_of(sorted(line_of(0, *OVERRUN), key=left_of))

    texts = [plain_text(cell) for cell in untangled(row)]

    assert texts == ["L-2", "Lamp of brass for the stone quay and bay", "12", "30.00"]


def test_cells_beside_each_other_are_as_they_were() -> None:
    row = cells_of(line_of(0, (0, "L-1"), (50, "Lamp of"), (88, "brass"), (200, "9")))

    assert untangled(row) is row


def test_a_row_with_an_overrun_cell_is_one_of_its_table() -> None:
    others = [
        line_of(at, (0, f"L-{at}"), (50, "Lamp"), (200, str(at + 10)), (280, "30.00"))
        for at in (1, 3, 4)
    ]
    words = [word for line in (line_of(2, *OVERRUN), *others) for word in line]

    (table,) = tables_of(rows_of(words))

    assert table.texts[1] == ["L-2", "Lamp of brass for the stone quay and bay", "12", "30.00"]
