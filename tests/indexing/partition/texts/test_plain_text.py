import time
from pathlib import Path

from indexing.partition.texts.plain_text import PAGE_CHARACTERS, open_plain_text
from indexing.types import NO_PAGE, Block, BlockKind

FILES = Path(__file__).parents[3] / "files"


def test_blank_lines_part_paragraphs() -> None:
    (page,) = open_plain_text(FILES / "lamp-oil.txt").pages

    assert page.number == NO_PAGE
    assert page.blocks == (
        Block(BlockKind.TEXT, "Lampenöl für Köln"),
        Block(BlockKind.TEXT, "Die Fässer stehen in Halle 2."),
    )


def test_a_new_page_of_a_printed_report_begins_another_table(tmp_path: Path) -> None:
    head = "NORTHLINE            STOCK\n\nITEM  NAME OF IT      PIECES\n"
    first = "LN1   Storm lantern       24\nLN2   Deck lamp           12\n"
    second = "LN3   Signal lamp          3\nLN4   Wick               900\n"
    (tmp_path / "stock.txt").write_text(f"{head}{first}\f{head}{second}")

    (page,) = open_plain_text(tmp_path / "stock.txt").pages

    tables = [block for block in page.blocks if block.kind is BlockKind.TABLE]
    assert [table.header for table in tables] == ["ITEM | NAME OF IT | PIECES"] * 2
    assert [table.text.split("\n")[1] for table in tables] == [
        *("LN2 | Deck lamp | 12", "LN4 | Wick | 900"),
    ]


def test_colours_of_a_terminal_are_no_words(tmp_path: Path) -> None:
    (tmp_path / "app.log").write_text("\x1b[32m10:00 INFO Started in 3.2s\x1b[0m\n10:01 Ended\n")

    (page,) = open_plain_text(tmp_path / "app.log").pages

    assert page.blocks == (Block(BlockKind.TEXT, "10:00 INFO Started in 3.2s\n10:01 Ended"),)


def test_a_long_text_is_handed_on_piece_by_piece(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("The lamp burns.\n\n" * 20_000)

    pages = list(open_plain_text(tmp_path / "long.txt").pages)

    assert sum(len(page.blocks) for page in pages) == 20_000
    assert all(len(page.blocks) * 15 < PAGE_CHARACTERS + 15 for page in pages)


def test_a_text_without_line_ends_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "line.txt").write_text("word " * 100_000)

    pages = list(open_plain_text(tmp_path / "line.txt").pages)

    assert sum(block.text.count("word") for page in pages for block in page.blocks) == 100_000


def test_blank_text_has_no_pages(tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text(" \n\t\n")

    assert list(open_plain_text(tmp_path / "blank.txt").pages) == []


def test_blank_lines_without_end_take_no_time(tmp_path: Path) -> None:
    (tmp_path / "blank.txt").write_text(" \n\t\n" * 500_000)
    began = time.process_time()

    pages = list(open_plain_text(tmp_path / "blank.txt").pages)

    assert pages == []
    assert time.process_time() - began < 3


def test_lines_whose_cells_tabs_part_are_a_table(tmp_path: Path) -> None:
    (tmp_path / "stock.txt").write_text("Stock\n\nLamp\tKg\tPrice\nDeck\t\t 61\nMast\t2\t\n\nEnd\n")

    (page,) = open_plain_text(tmp_path / "stock.txt").pages

    assert page.blocks == (
        Block(BlockKind.TEXT, "Stock"),
        Block(BlockKind.TABLE, "Deck |  | 61\nMast | 2", header="Lamp | Kg | Price"),
        Block(BlockKind.TEXT, "End"),
    )


def test_a_table_too_long_for_one_piece_is_text(tmp_path: Path) -> None:
    (tmp_path / "long.txt").write_text("Lamp\tKg\tPrice\n" + "Deck\t2\t61\n" * 15_000)

    pages = open_plain_text(tmp_path / "long.txt").pages

    assert {block.kind for page in pages for block in page.blocks} == {BlockKind.TEXT}


def test_vietnamese_of_windows_comes_with_whole_letters(tmp_path: Path) -> None:
    marked = "Ba\u0301o ca\u0301o hoa\u0323t đô\u0323ng cu\u0309a hơ\u0323p ta\u0301c xa\u0303"
    path = tmp_path / "report.txt"
    path.write_bytes(marked.encode("cp1258"))

    (page,) = open_plain_text(path).pages

    assert [block.text for block in page.blocks] == ["Báo cáo hoạt động của hợp tác xã"]
