import zipfile
from pathlib import Path

import pytest

from indexing.partition.sheets.xlsb import open_xlsb
from indexing.types import NO_PAGE, Block, BlockKind
from tests.files.xlsb_writer import Cell, write_xlsb

FORMATS = ["0.0%", "yyyy-mm-dd", "yyyy-mm-dd hh:mm", "hh:mm", "[h]:mm"]


def test_values_are_read_as_they_are_shown(tmp_path: Path) -> None:
    rows: list[list[Cell]] = [
        ["Name", "Share", "When", "Value"],
        ["Lamp", (0.125, 1), (45000, 2), "#N/A"],
        ["Wick", (-5, 1), (45001.5, 3), True],
        ["Oil", 7, (0.75, 4), 1234567.5],
        ["Tin", None, (1.5, 5), "#DIV/0!"],
    ]
    write_xlsb(tmp_path / "book.xlsb", {"Größen": rows}, FORMATS)

    (page,) = open_xlsb(tmp_path / "book.xlsb").pages

    text = (
        "Lamp | 12.5% | 2023-03-15 | #N/A\n"
        "Wick | -500% | 2023-03-16 12:00:00 | TRUE\n"
        "Oil | 7 | 18:00:00 | 1234567.5\n"
        "Tin |  | 36:00:00 | #DIV/0!"
    )
    assert (page.number, page.label) == (NO_PAGE, "Größen")
    assert page.blocks == (Block(BlockKind.TABLE, text, header="Name | Share | When | Value"),)


def test_cells_that_do_not_say_their_column_stand_behind_the_one_before(tmp_path: Path) -> None:
    rows: list[list[Cell]] = [
        ["Name", "Share", "When", "Value"],
        ["Lamp", (0.125, 1), (45000, 2), "#N/A"],
        ["Wick", None, 7, True],
    ]
    write_xlsb(tmp_path / "book.xlsb", {"One": rows}, FORMATS, short=True)

    (page,) = open_xlsb(tmp_path / "book.xlsb").pages

    text = "Lamp | 12.5% | 2023-03-15 | #N/A\nWick |  | 7 | TRUE"
    assert page.blocks == (Block(BlockKind.TABLE, text, header="Name | Share | When | Value"),)


def test_a_name_beside_several_rows_stands_in_each(tmp_path: Path) -> None:
    rows: list[list[Cell]] = [[], ["Region", "Name"], ["North", "Lamp"], [None, "Wick"], ["", "x"]]
    write_xlsb(tmp_path / "book.xlsb", {"One": rows, "Two": []}, merged=[(2, 3, 0, 0)])

    page, second = open_xlsb(tmp_path / "book.xlsb").pages

    assert page.blocks[0].text == "North | Lamp\nNorth | Wick\n | x"
    assert (second.label, second.blocks) == ("Two", ())


def test_a_stray_cell_far_off_does_not_cost_its_sheet(tmp_path: Path) -> None:
    far: list[Cell] = [*[None] * 16_000, "far"]
    write_xlsb(tmp_path / "book.xlsb", {"Log": [*[["a"]] * 2000, far]})

    (page,) = open_xlsb(tmp_path / "book.xlsb").pages

    assert not page.warning
    assert page.blocks[0].text.startswith("a\na\n")


@pytest.mark.parametrize(
    ("part", "last"),
    [
        pytest.param("xl/worksheets/sheet1.bin", b"\x07\x0c\1", id="cells"),
        pytest.param("xl/strings.bin", "cotton".encode("utf-16-le"), id="texts"),
    ],
)
def test_a_sheet_that_is_cut_off_is_read_to_there_and_says_so(
    part: str, last: bytes, tmp_path: Path
) -> None:
    write_xlsb(tmp_path / "book.xlsb", {"Prices": [["Lamp", 5], ["Wick", "cotton"]]})
    with zipfile.ZipFile(tmp_path / "book.xlsb") as package:
        members = {name: package.read(name) for name in package.namelist()}
    members[part] = members[part].partition(last)[0]
    with zipfile.ZipFile(tmp_path / "cut.xlsb", "w") as package:
        for name, content in members.items():
            package.writestr(name, content)

    (page,) = open_xlsb(tmp_path / "cut.xlsb").pages

    assert [block.text for block in page.blocks] == ["Lamp | 5\nWick"]
    assert page.warning.startswith("not all of the sheet 'Prices' was read: it is damaged")
