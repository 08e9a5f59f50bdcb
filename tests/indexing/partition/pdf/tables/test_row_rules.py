"""Tables with a rule, or a colour, for each of some cells, as browsers and Word draw them."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.types import Block, BlockKind
from tests.indexing.partition.drawn_tables import blocks_of, draw_table
from tests.indexing.partition.from_right import draw, hebrew

LAMPS = [
    ["Lamp", "Place", "Keeper"],
    ["Deck lamp", "Quay", "Ann"],
    ["Buoy light", "Mole", "Bo"],
    ["Bell", "Gate", "Cy"],
]
STOCK = [["Lamp", "Stock", "Price"], ["Deck lamp", "4", "30"], ["Buoy light", "12", "7"]]
STOCK += [["Bell", "9", "15"]]
SEVERAL_LINES = [STOCK[0], ["Deck lamp\nwith chain\nof brass", "4", "30"], STOCK[2]]
SEVERAL_LINES += [["Bell of\nthe gate", "9", "15"], ["Lantern\nin blue", "11", "8"]]
SEVERAL_LINES_READ = ["Deck lamp with chain of brass | 4 | 30", "Buoy light | 12 | 7"]
SEVERAL_LINES_READ += ["Bell of the gate | 9 | 15", "Lantern in blue | 11 | 8"]
TASKS = [["No.", "Task", "Due"], ["1", "Oil the hinges\nof the gate\nand the door", "May 4"]]
TASKS += [
    ["2", "Trim  the wick\nof  the lamp", "May 9"],
    ["3", "Count the buoys\nat the quay", "May 12"],
]
TASKS += [["4", "Paint the rail", "May 15"]]
PROSE = "These lamps were counted in the spring of the year, and all of them were found in order."

Style = Sequence[tuple[object, ...]]


def below(rows: Iterable[int], columns: Iterable[int] = range(3)) -> Style:
    """Return the style of a rule below each of these cells."""
    return [
        ("LINEBELOW", (column, row), (column, row), 0.5, colors.grey)
        for row in rows
        for column in columns
    ]


def behind(rows: Iterable[int], columns: Iterable[int] = range(3)) -> Style:
    """Return the style of a colour behind each of these cells."""
    return [
        ("BACKGROUND", (column, row), (column, row), colors.lightgrey)
        for row in rows
        for column in columns
    ]


PADDED = [("TOPPADDING", (0, 0), (-1, -1), 6), ("BOTTOMPADDING", (0, 0), (-1, -1), 6)]
TIGHT = [("TOPPADDING", (0, 0), (-1, -1), 0), ("BOTTOMPADDING", (0, 0), (-1, -1), 0)]
TIGHT += [("VALIGN", (0, 0), (-1, -1), "MIDDLE")]


@pytest.mark.parametrize(
    "style",
    [
        pytest.param(below(range(4)), id="a rule below each row"),
        pytest.param(below(range(3)), id="none below the last one"),
        pytest.param([*below([0]), *PADDED], id="one below the header"),
        pytest.param([*below([0, 3]), *PADDED], id="and at the end"),
        pytest.param(behind([0, 2]), id="every second row coloured"),
        pytest.param(behind([1, 3]), id="every second one below the header"),
        pytest.param([*behind([0]), *PADDED], id="the header coloured"),
    ],
)
@pytest.mark.parametrize("rows", [LAMPS, STOCK], ids=["words", "figures"])
def test_a_table_is_told_by_what_is_drawn_for_its_cells(
    tmp_path: Path, rows: list[list[str]], style: Style
) -> None:
    (table,) = _tables(tmp_path, (rows, style))

    assert table.header == " | ".join(rows[0])
    assert table.text.splitlines() == [" | ".join(row) for row in rows[1:]]


@pytest.mark.parametrize(
    "style",
    [
        pytest.param(below([0, 4]), id="rules around the rows"),
        pytest.param([*behind([0, 2, 4]), *TIGHT], id="every second row coloured"),
        pytest.param([*behind([1, 3]), *TIGHT], id="every second one below the header"),
    ],
)
def test_cells_of_several_lines_are_of_one_row(tmp_path: Path, style: Style) -> None:
    apart = [("LEADING", (0, 0), (-1, -1), 17), ("VALIGN", (0, 0), (-1, -1), "TOP")]

    (table,) = _tables(tmp_path, (SEVERAL_LINES, [*apart, *style]))

    assert table.header == "Lamp | Stock | Price"
    assert table.text.splitlines() == SEVERAL_LINES_READ


@pytest.mark.parametrize(
    "frame",
    [
        pytest.param([], id="no rules"),
        pytest.param([*below([0]), ("BOX", (0, 0), (-1, -1), 1, colors.grey)], id="a frame"),
        pytest.param([("LINEAFTER", (0, 0), (0, -1), 1, colors.grey)], id="a rule down the page"),
    ],
)
def test_bands_of_colour_are_rows_where_a_text_behind_the_first_cell_has_several_lines(
    tmp_path: Path, frame: Style
) -> None:
    apart = [("LEADING", (0, 0), (-1, -1), 20), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    bands = [*apart, *behind([1, 3]), *TIGHT[:2], *frame]

    (table,) = _tables(tmp_path, (TASKS, bands))

    assert table.header == "No. | Task | Due"
    assert table.text.splitlines() == _on_one_line(TASKS[1:])


@pytest.mark.parametrize("rest", [[], [["", "and all\nthe oars", ""]]], ids=["a row", "a rest"])
def test_bands_that_the_page_begins_with_are_rows_without_a_header(
    tmp_path: Path, rest: list[list[str]]
) -> None:
    apart = [("LEADING", (0, 0), (-1, -1), 20), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    rows = [*rest, *TASKS[1:]]

    (table,) = _tables(tmp_path, (rows, [*apart, *behind([len(rest), len(rest) + 2]), *TIGHT[:2]]))

    assert table.header == ""
    assert [line.strip(" |") for line in table.text.splitlines()] == [
        line.strip(" |") for line in _on_one_line(rows)
    ]


def test_sums_in_joined_cells_below_bands_are_rows_of_the_table(tmp_path: Path) -> None:
    prices = ["Price", "7.00", "9.00", "12.00", "13.00"]
    rows = [[*row[:2], price] for row, price in zip(TASKS, prices, strict=True)]
    rows += [["Net", "", "41.00"], ["Tax", "", "8.00"], ["Due", "", "49.00"]]
    apart = [("LEADING", (0, 0), (-1, -1), 20), ("VALIGN", (0, 0), (-1, -1), "TOP")]
    joined = [("SPAN", (0, row), (1, row)) for row in (5, 6, 7)]
    colours = [*behind([1, 3]), *behind([5, 7], [0, 2])]

    (table,) = _tables(tmp_path, (rows, [*apart, *colours, *joined, *TIGHT[:2]]))

    assert table.header == "No. | Task | Price"
    assert table.text.splitlines() == _on_one_line(rows[1:])


def test_the_ground_of_a_header_parts_it_from_the_first_row_where_rules_do_not(
    tmp_path: Path,
) -> None:
    rows = [["", "2024", "2023"], *STOCK[1:]]
    style = [*behind([0]), *below([1, 2, 3]), *TIGHT]

    (table,) = _tables(tmp_path, (rows, style))

    assert table.header == " | 2024 | 2023"
    assert table.text.splitlines() == [" | ".join(row) for row in rows[1:]]


def test_tables_below_each_other_are_parted_by_what_stands_between(tmp_path: Path) -> None:
    style = below(range(4))

    one, text, other = _blocks(tmp_path, (LAMPS, style), PROSE, (STOCK, style))

    assert (one.header, other.header) == ("Lamp | Place | Keeper", "Lamp | Stock | Price")
    assert text.text == PROSE
    assert other.text.splitlines()[0] == "Deck lamp | 4 | 30"


def test_a_title_between_two_tables_belongs_to_neither(tmp_path: Path) -> None:
    style = below(range(4))

    one, title, other = _blocks(tmp_path, (LAMPS, style), "Stock", (STOCK, style))

    assert (one.kind, title.text, other.kind) == (BlockKind.TABLE, "Stock", BlockKind.TABLE)
    assert one.text.splitlines()[-1] == "Bell | Gate | Cy"
    assert other.header == "Lamp | Stock | Price"


def test_the_last_two_rows_of_a_table_may_be_on_a_page_of_their_own(tmp_path: Path) -> None:
    rest = [[f"L-{n}", "Deck lamp", "m", f"{n}40.50"] for n in range(2)]

    table, text = _blocks(tmp_path, (rest, below([1], range(4))), PROSE)

    assert table.kind is BlockKind.TABLE
    assert [table.text.splitlines(), text.text] == [list(map(" | ".join, rest)), PROSE]


def test_two_rows_below_a_text_are_no_table_of_another_page(tmp_path: Path) -> None:
    rest = [[f"L-{n}", "Deck lamp", "m", f"{n}40.50"] for n in range(2)]

    blocks = _blocks(tmp_path, PROSE, (rest, below([1], range(4))), PROSE)

    assert all(block.kind is not BlockKind.TABLE for block in blocks)


def test_cells_without_a_rule_between_them_are_one(tmp_path: Path) -> None:
    rows = [["Region", "Lamp", "Sold"], ["North", "Deck lamp", "10"], ["", "Buoy", "7"]]
    rows += [["South", "Deck lamp", "4"], ["", "Bell", "3"]]
    style = [*below([0, 2, 4]), *below([1, 3], [1, 2])]

    (table,) = _tables(tmp_path, (rows, style))

    assert table.text.splitlines() == [
        "North | Deck lamp | 10",
        "North | Buoy | 7",
        "South | Deck lamp | 4",
        "South | Bell | 3",
    ]


def test_a_heading_over_several_columns_is_joined_with_their_names(tmp_path: Path) -> None:
    rows = [["", "Price in euros", ""], ["Lamp", "Net", "Gross"]]
    rows += [["Deck lamp", "10", "12"], ["Buoy", "7", "8"]]
    style = [*below([0], [1, 2]), *below([1, 2, 3])]

    (table,) = _tables(tmp_path, (rows, style))

    assert table.header == "Lamp | Price in euros Net | Price in euros Gross"
    assert table.text == "Deck lamp | 10 | 12\nBuoy | 7 | 8"


HEADING_RULES = [
    ("LINEBELOW", (first, 0), (last, 0), 0.5, colors.grey)
    for first, last in ((0, 0), (1, 2), (3, 4))
]


@pytest.mark.parametrize(
    ("style", "side"),
    [
        pytest.param(below([0], range(5)), "CENTER", id="of these"),
        pytest.param(HEADING_RULES, "CENTER", id="heading"),
        pytest.param(HEADING_RULES, "RIGHT", id="heading at its side"),
    ],
)
def test_headings_over_several_columns_may_have_a_rule_below_each(
    tmp_path: Path, style: Style, side: str
) -> None:
    heading = "Lamps of the quay in"
    rows = [["", f"{heading} 2023", "", f"{heading} 2024", ""]]
    rows += [["Lamp", "Sold", "Lost", "Sold", "Lost"]]
    rows += [["Deck lamp", "10", "12", "11", "13"], ["Buoy", "7", "8", "9", "6"]]
    style = [*style, *below(range(1, 4), range(5)), ("SPAN", (1, 0), (2, 0))]

    (table,) = _tables(
        tmp_path,
        (rows, [*style, ("SPAN", (3, 0), (4, 0)), ("ALIGN", (1, 0), (-1, 0), side)]),
    )

    names = [f"{heading} {year} {name}" for year in (2023, 2024) for name in ("Sold", "Lost")]
    assert table.header == " | ".join(["Lamp", *names])
    assert table.text == "Deck lamp | 10 | 12 | 11 | 13\nBuoy | 7 | 8 | 9 | 6"


def test_a_text_spread_over_its_line_below_a_table_is_no_row_of_figures(tmp_path: Path) -> None:
    spread = "    ".join(["The", "keeper", "has", "340", "further", "lamps", "at", "the", "quay"])

    rows = [LAMPS[0], ["Deck lamp\nof brass", "Quay in\nthe north", "Ann and\nher men"], *LAMPS[2:]]

    table, text = _blocks(tmp_path, (rows, below(range(3))), spread)

    assert table.header == "Lamp | Place | Keeper"
    assert table.text.splitlines() == [
        "Deck lamp of brass | Quay in the north | Ann and her men",
        "Buoy light | Mole | Bo",
        "Bell | Gate | Cy",
    ]
    assert text.text.startswith("The keeper")


def test_a_label_between_rows_without_rules_does_not_end_their_table(tmp_path: Path) -> None:
    rows = [*STOCK[:3], ["Lamps of the sea", "", ""], *STOCK[3:], ["Horn", "2", "9"]]

    (table,) = _tables(tmp_path, (rows, below([0])))

    assert table.header == "Lamp | Stock | Price"
    assert table.text.splitlines()[2:] == ["Lamps of the sea", "Bell | 9 | 15", "Horn | 2 | 9"]


def test_lines_of_a_cell_stay_together_where_rows_have_no_rules(tmp_path: Path) -> None:
    rows = [["Sign", "Help", "Who"], ["Dim", "Fill the tank\nup to the mark", "Guard"]]
    rows += [["Dark", "Oil", "Driver"]]

    (table,) = _tables(
        tmp_path, (rows, [*below([0]), *PADDED, ("VALIGN", (0, 0), (-1, -1), "TOP")])
    )

    assert table.text == "Dim | Fill the tank up to the mark | Guard\nDark | Oil | Driver"


def test_rows_of_cells_at_their_middles_may_begin_with_a_cell_of_several_lines(
    tmp_path: Path,
) -> None:
    rows = [
        ["Lamp", "Pack", "Price"],
        ["Buoy light", "one", "7"],
        ["Deck lamp", "box\nof 12", "30"],
    ]
    rows += [["Bell", "one", "15"], ["Horn", "box\nof 9", "8"]]

    (table,) = _tables(tmp_path, (rows, [*below([0]), ("VALIGN", (0, 0), (-1, -1), "MIDDLE")]))

    assert table.text.splitlines()[1:] == [
        "Deck lamp | box of 12 | 30",
        "Bell | one | 15",
        "Horn | box of 9 | 8",
    ]


@pytest.mark.parametrize(
    "style",
    [
        pytest.param(below([0], [1, 2]), id="below the names"),
        pytest.param(below([0, 3], [1, 2]), id="and the sums"),
    ],
)
def test_rules_below_figures_alone_are_not_all_of_a_table(tmp_path: Path, style: Style) -> None:
    (table,) = _tables(tmp_path, (STOCK, [*style, ("ALIGN", (1, 0), (-1, -1), "RIGHT")]))

    assert "Deck lamp | 4 | 30" in table.text


def test_columns_for_signs_of_currency_are_none_of_their_own(tmp_path: Path) -> None:
    rows = [["Lamp", "", "2023", "", "2024"], ["Deck lamp", "$", "10", "$", "12"]]
    rows += [["Buoy", "", "7", "", "8"], ["Bell", "", "3", "", "4"], ["Sum", "$", "20", "$", "24"]]
    widths = [120, 10, 50, 10, 50]
    canvas = Canvas(str(tmp_path / "filing.pdf"), pagesize=A4)
    tight = [("LEFTPADDING", (0, 0), (-1, -1), 1), ("RIGHTPADDING", (0, 0), (-1, -1), 1)]
    draw_table(canvas, rows, 500, [*behind([1, 3], range(5)), *tight], width=widths)
    canvas.save()

    (table,) = blocks_of(tmp_path / "filing.pdf")

    assert table.header == "Lamp | 2023 | 2024"
    assert table.text.splitlines()[0] == "Deck lamp | $ 10 | $ 12"


def test_a_cell_of_a_table_from_the_right_may_be_beside_two_rows(tmp_path: Path) -> None:
    lines = [(200, "cba", "fed", "ihg"), (180, "", "on", "cba fed ihg srq vut")]
    lines += [(170, "lk", "", ""), (160, "", "dc", "fe"), (140, "g", "ih", "kj")]
    cells = [
        (x, y, text)
        for y, *row in lines
        for x, text in zip((240, 198, 50), row, strict=True)
        if text
    ]
    ends = {194: (36, 190, 232, 276), 174: (36, 190, 232)}
    ends |= dict.fromkeys((154, 134), ends[194])
    rules = [
        b"%d %d m %d %d l S " % (left, y, right, y)
        for y, places in ends.items()
        for left, right in pairwise(places)
    ]

    (table,) = blocks_of(draw(tmp_path, *cells, rules=b"".join(rules)))

    assert table.header == hebrew("abc | def | ghi")
    rows = ("kl | no | tuv qrs ghi def abc", "kl | cd | ef", "g | hi | jk")
    assert table.text.splitlines() == [hebrew(row) for row in rows]


def _on_one_line(rows: list[list[str]]) -> list[str]:
    return [" | ".join(" ".join(cell.split()) for cell in row) for row in rows]


def _tables(folder: Path, *parts: tuple[list[list[str]], Style]) -> list[Block]:
    return [block for block in _blocks(folder, *parts) if block.kind is BlockKind.TABLE]


def _blocks(folder: Path, *parts: tuple[list[list[str]], Style] | str) -> list[Block]:
    """Return what is read of tables and lines below each other."""
    canvas = Canvas(str(folder / "tables.pdf"), pagesize=A4)
    bottom = 780.0
    for part in parts:
        if isinstance(part, str):
            bottom -= 30
            canvas.setFont("Helvetica", 10)
            canvas.drawString(66, bottom + 5, part)
        else:
            rows, style = part
            bottom -= 30 * len(rows)
            draw_table(canvas, rows, bottom, style, width=120)
    canvas.save()
    return blocks_of(folder / "tables.pdf")
