"""Tests of csv files: what parts their cells, and what stands above the table."""

from pathlib import Path

import pytest

from indexing.partition.sheets.csv_table import open_csv
from indexing.types import NO_PAGE, Block, BlockKind

FILES = Path(__file__).parents[3] / "files"


def test_a_csv_file_is_a_table() -> None:
    (page,) = open_csv(FILES / "price-list.csv").pages

    assert (page.number, page.label) == (NO_PAGE, "")
    assert page.blocks[0].header == "Article | Name | Price"
    assert page.blocks[0].text.splitlines()[1] == "LN-200 | Deck lamp | 61"


@pytest.mark.parametrize(
    ("content", "block"),
    [
        pytest.param(
            'Name,Note\nLamp,"brass, old"\nWick,2',
            Block(BlockKind.TABLE, "Lamp | brass, old\nWick | 2", "Name | Note"),
            id="quotes",
        ),
        pytest.param(
            '"Name,Note"\n"Lamp,""brass, old"""\n"Wick,2"',
            Block(BlockKind.TABLE, "Lamp | brass, old\nWick | 2", "Name | Note"),
            id="lines quoted whole",
        ),
        pytest.param(
            '\ufeff\ufeff"Name",Note\nLamp,2',
            Block(BlockKind.TABLE, "Lamp | 2", "Name | Note"),
            id="two marks of the encoding",
        ),
        pytest.param(
            "Name\tPrice\nLamp\t1,50",
            Block(BlockKind.TABLE, "Lamp | 1,50", "Name | Price"),
            id="tabs",
        ),
        pytest.param(
            "Name^Note\nLamp^brass, old",
            Block(BlockKind.TABLE, "Lamp | brass, old", "Name | Note"),
            id="carets",
        ),
        pytest.param(
            'Name, Note\nLamp, "brass, old"\nWick, 2',
            Block(BlockKind.TABLE, "Lamp | brass, old\nWick | 2", "Name | Note"),
            id="spaces before quotes",
        ),
        pytest.param(
            'Code,Name\n="00420",Lamp\n"=""00421""",Wick',
            Block(BlockKind.TABLE, "00420 | Lamp\n00421 | Wick", "Code | Name"),
            id="texts kept from Excel",
        ),
        pytest.param(
            "sep=;\nName;Price\nLamp;1,50",
            Block(BlockKind.TABLE, "Lamp | 1,50", "Name | Price"),
            id="a line for Excel",
        ),
        pytest.param(
            'Id,Note\n1,"He said \\"hi\\", then left"\n2,plain',
            Block(BlockKind.TABLE, '1 | He said "hi", then left\n2 | plain', "Id | Note"),
            id="quotes behind backslashes",
        ),
        pytest.param(
            'Name,Folder\nLamp,"C:\\lamps\\"\nWick,"D:\\"',
            Block(BlockKind.TABLE, "Lamp | C:\\lamps\\\nWick | D:\\", "Name | Folder"),
            id="backslashes before the ends of cells",
        ),
        pytest.param(
            "12:30;INFO;Started, ok\n12:31;INFO;Started, ok",
            Block(BlockKind.TABLE, "12:30 | INFO | Started, ok\n12:31 | INFO | Started, ok"),
            id="times in the first row",
        ),
        pytest.param(
            "2024-03-01T10:00:00Z,INFO\n2024-03-01T10:00:01Z,WARN",
            Block(BlockKind.TABLE, "2024-03-01T10:00:00Z | INFO\n2024-03-01T10:00:01Z | WARN"),
            id="moments in the first row",
        ),
        pytest.param(
            "ann,ann@hale.example\nbob,bob@hale.example",
            Block(BlockKind.TABLE, "ann | ann@hale.example\nbob | bob@hale.example"),
            id="addresses in the first row",
        ),
        pytest.param(
            'Name,Size\n"Lamp,1\n' + "Wick,2\n" * 600,
            Block(BlockKind.TABLE, '"Lamp | 1\n' + "\n".join(["Wick | 2"] * 600), "Name | Size"),
            id="a quote that never ends",
        ),
        pytest.param(
            "1,5;2,5\n3,5;4,5", Block(BlockKind.TABLE, "1,5 | 2,5\n3,5 | 4,5"), id="decimal commas"
        ),
        pytest.param(
            "1\n2\n3\n4\n5\n6\n7", Block(BlockKind.TABLE, "1\n2\n3\n4\n5\n6\n7"), id="column"
        ),
    ],
)
def test_a_csv_file_is_parted_as_it_was_written(content: str, block: Block, tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text(content)

    (page,) = open_csv(tmp_path / "table.csv").pages

    assert page.blocks == (block,)


def test_titles_and_remarks_do_not_hide_what_parts_a_csv_file(tmp_path: Path) -> None:
    lines = ["Region;2022;2023", "North;1,5;2,5", "South;3,5;4,5", "Footnote"]
    (tmp_path / "table.csv").write_text("\n".join(["Title", "Unit: 1000", "Source", *lines]))

    (page,) = open_csv(tmp_path / "table.csv").pages

    assert page.blocks[3].header == "Region | 2022 | 2023"
    assert page.blocks[3].text == "North | 1,5 | 2,5\nSouth | 3,5 | 4,5\nFootnote"


def test_a_long_csv_file_repeats_its_header(tmp_path: Path) -> None:
    (tmp_path / "long.csv").write_text("Stock of lamps\n\nName,,Price\n" + "Lamp,,61\n" * 50_000)

    blocks = [block for page in open_csv(tmp_path / "long.csv").pages for block in page.blocks]

    assert blocks[0] == Block(BlockKind.TEXT, "Stock of lamps")
    assert {block.header for block in blocks[1:]} == {"Name | Price"}
    assert sum(block.text.count("Lamp | 61") for block in blocks) == 50_000


def test_remarks_above_the_names_name_no_columns(tmp_path: Path) -> None:
    content = "# station: Hale, 29 m\n# by: DWD, Bath\ntime,wind\n10:00,14.2\n11:00,15.0"
    (tmp_path / "table.csv").write_text(content)

    (page,) = open_csv(tmp_path / "table.csv").pages

    assert [block.text for block in page.blocks[:2]] == ["# station: Hale, 29 m", "# by: DWD, Bath"]
    assert page.blocks[2:] == (Block(BlockKind.TABLE, "10:00 | 14.2\n11:00 | 15.0", "time | wind"),)


def test_names_may_be_marked_as_a_remark(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("# by Hale\n# time,wind\n10:00,14.2\n11:00,15.0")

    (page,) = open_csv(tmp_path / "table.csv").pages

    assert page.blocks[1].header == "# time | wind"
