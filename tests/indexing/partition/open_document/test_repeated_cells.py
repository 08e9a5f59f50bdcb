from pathlib import Path

import pytest
from lxml import etree

from indexing.partition.open_document.document import open_odp, open_odt
from indexing.partition.open_document.repeated_cells import MAX_COPIES, count_of, write_out_repeated
from tests.indexing.partition.open_documents import NAMES, write


def cell(text: str, times: int | str = 1) -> str:
    return (
        f'<table:table-cell table:number-columns-repeated="{times}"><text:p>{text}</text:p>'
        "</table:table-cell>"
    )


def row(*cells: str, times: int = 1) -> str:
    return (
        f'<table:table-row table:number-rows-repeated="{times}">{"".join(cells)}</table:table-row>'
    )


TABLE = "<table:table>{}</table:table>".format(
    row(cell("Watch"), cell("Mon"), cell("Tue"), cell("Wed"), cell("", 9))
    + row(cell("Early"), cell("Ada", 2), cell("Bo"))
    + row(cell("Late"), cell("", 2), cell("Cy"))
    + row(cell("Night"), cell("Di", 3), times=2)
    + row(cell("", 1000), times=9_000_000)
)
ROWS = "Early | Ada | Ada | Bo\nLate |  |  | Cy\nNight | Di | Di | Di\nNight | Di | Di | Di"


@pytest.mark.parametrize("kind", ["text", "presentation"])
def test_a_cell_that_stands_for_several_stands_in_each(kind: str, tmp_path: Path) -> None:
    is_text = kind == "text"
    write(tmp_path / "plan", TABLE if is_text else f"<draw:page>{TABLE}</draw:page>", kind)

    (page,) = (open_odt if is_text else open_odp)(tmp_path / "plan").pages

    (block,) = page.blocks
    assert (block.header, block.text) == ("Watch | Mon | Tue | Wed", ROWS)


@pytest.mark.parametrize(("number", "count"), [("3", 3), ("0", 1), ("x", 1), ("9" * 9, 1)])
def test_what_is_no_sound_number_of_columns_is_one(number: str, count: int) -> None:
    body = etree.fromstring(f"<table:table {NAMES}>{row(cell('a', number))}</table:table>")

    assert count_of(body[0][0], "columns-repeated") == count


def test_tables_that_are_repeated_within_each_other_do_not_grow_without_end() -> None:
    nested = "b"
    for _ in range(20):
        nested = f"<table:table>{row(cell(nested, 100))}</table:table>"
    body = etree.fromstring(f"<office:text {NAMES}>{nested}</office:text>")

    write_out_repeated(body)

    assert sum(1 for _ in body.iter()) < MAX_COPIES + 1000
