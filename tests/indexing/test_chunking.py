from collections.abc import Iterable

import pytest

from indexing.chunking import (
    CAPTION_CHARACTERS,
    MAX_CHARACTERS,
    MIN_CHARACTERS,
    OVERLAP_CHARACTERS,
    Piece,
    chunk,
    split,
    split_table,
)
from indexing.types import NO_PAGE, Block, BlockKind, Page, PageBox

SENTENCES = " ".join(f"Clause {number} says that the tenant pays." for number in range(100))


def heading(text: str) -> Block:
    return Block(BlockKind.HEADING, text)


def prose(text: str) -> Block:
    return Block(BlockKind.TEXT, text)


def table(text: str, header: str = "") -> Block:
    return Block(BlockKind.TABLE, text, header)


def test_passage_never_spans_two_pages() -> None:
    pages = [Page(1, (prose("One."),)), Page(2, (prose("Two."),)), Page(3, ())]

    assert [(one.position, one.page_number, one.content) for one in chunk(pages)] == [
        (0, 1, "One."),
        (1, 2, "Two."),
    ]


def test_heading_reaches_on_to_the_pages_that_follow() -> None:
    pages = [Page(1, (heading("Rent"), prose("One."))), Page(2, (prose("Two."),))]

    assert [one.section for one in chunk(pages)] == ["Rent", "Rent"]


def test_small_sections_share_a_passage() -> None:
    page = Page(1, (heading("Rent"), prose("One."), heading("Term"), prose("Two.")))

    (passage,) = chunk([page])

    assert (passage.section, passage.content) == ("Rent", "Rent\nOne.\nTerm\nTwo.")


def test_heading_begins_a_passage_where_the_one_before_has_enough() -> None:
    enough = "x" * MIN_CHARACTERS
    page = Page(1, (heading("Rent"), prose(enough), heading("Term"), prose("Two.")))

    assert [(one.section, one.content) for one in chunk([page])] == [
        ("Rent", f"Rent\n{enough}"),
        ("Term", "Term\nTwo."),
    ]


def test_sheet_names_its_passages() -> None:
    page = Page(NO_PAGE, (table("a | 1\nb | 2", "Name | Price"),), label="Prices")

    (passage,) = chunk([page])

    assert (passage.section, passage.page_number) == ("Prices", NO_PAGE)
    assert passage.content == "Prices\nName | Price\na | 1\nb | 2"


def test_heading_or_sheet_name_of_any_length_does_not_grow_with_the_pieces_below_it() -> None:
    lines = "\n".join(["some words of a text"] * 2000)
    heading = Block(BlockKind.HEADING, "heading " * 10_000)
    page = Page(1, (heading, Block(BlockKind.TEXT, lines)), label="name " * 10_000)

    passages = list(chunk([page]))

    assert len(passages) > 50
    assert max(len(one.section) for one in passages) == 500
    assert max(len(one.content) for one in passages) < 2000
    assert max(len(one.place) for one in passages) < 2000


def test_small_table_stands_with_the_text_around_it() -> None:
    page = Page(1, (prose("Prices of 2024"), table("a | 1", "Name | Price"), prose("After.")))

    assert [one.content for one in chunk([page])] == ["Prices of 2024\nName | Price\na | 1\nAfter."]


def test_text_that_has_no_room_beside_a_table_leaves_it_whole() -> None:
    long = "y" * (MAX_CHARACTERS - 10)
    page = Page(1, (table("a | 1", "Name | Price"), prose(long)))

    assert [one.content for one in chunk([page])] == ["Name | Price\na | 1", long]


def test_caption_stands_with_each_piece_of_a_large_table() -> None:
    rows = "\n".join([f"{number} | {'z' * 90}" for number in range(15)])
    page = Page(1, (prose("Prices of 2024"), table(rows, "Name | Price"), prose("After.")))

    *pieces, after = [one.content for one in chunk([page])]

    assert len(pieces) == 2
    assert all(piece.startswith("Prices of 2024\nName | Price\n") for piece in pieces)
    assert after == "After."


def test_long_text_above_a_large_table_is_a_passage_of_its_own() -> None:
    long = "x" * (CAPTION_CHARACTERS + 1)
    rows = "\n".join(["a | 1"] * 130)
    page = Page(1, (prose(long), table(rows, "Name | Price")))

    first, second = [one.content for one in chunk([page])]

    assert (first, second) == (long, f"Name | Price\n{rows}")


def test_pieces_are_cut_behind_sentences() -> None:
    pieces = _contents(split(SENTENCES))

    assert len(pieces) > 3
    assert all(len(piece) <= MAX_CHARACTERS for piece in pieces)
    assert all(piece.endswith("pays.") for piece in pieces)


def test_every_short_text_stands_unbroken_in_a_piece() -> None:
    pieces = _contents(split(SENTENCES))

    length = OVERLAP_CHARACTERS // 2
    for start in range(0, len(SENTENCES) - length, 7):
        assert any(SENTENCES[start : start + length] in piece for piece in pieces), start


@pytest.mark.parametrize(
    ("text", "first"),
    [
        pytest.param("aaaa. bbbb\n\ncccc. dddd. eeee", "aaaa. bbbb", id="blank line"),
        pytest.param("aaaa, bbbb. cccc, dddd eeee", "aaaa, bbbb.", id="sentence"),
        pytest.param("aaaa bbbbbb\ncccc dddd eeee", "aaaa bbbbbb", id="line"),
        pytest.param("aaaaa bbbb, cccc dddd eeee", "aaaaa bbbb,", id="part of a sentence"),
        pytest.param("aaaaa bbbbb ccccc ddddd eeeee", "aaaaa bbbbb ccccc", id="word"),
        pytest.param("a" * 40, "a" * 20, id="no place at all"),
        pytest.param(
            "家賃は月額です。敷金は二か月分です。契約は三月に終わります。",
            "家賃は月額です。敷金は二か月分です。",
            id="unspaced",
        ),
    ],
)
def test_best_place_to_cut_is_taken(text: str, first: str) -> None:
    assert next(split(text, 20, 0)).content == first


@pytest.mark.parametrize("text", ["", " \n ", "\n"])
def test_nothing_makes_no_piece(text: str) -> None:
    assert list(split(text)) == []


def test_text_is_cut_to_its_end_whatever_it_is() -> None:
    for length in range(1, 70):
        pieces = _contents(split("x" * length, 20, 10))

        assert len(pieces[-1]) <= 20
        assert sum(map(len, pieces)) >= length


def test_table_is_cut_between_rows_and_repeats_its_header() -> None:
    rows = "\n".join(f"LN-{number} | {number}" for number in range(50))

    pieces = _contents(split_table("Article | Price", rows, 100))

    assert all(len(piece) <= 100 for piece in pieces)
    assert {piece.splitlines()[0] for piece in pieces} == {"Article | Price"}
    assert "\n".join("\n".join(piece.splitlines()[1:]) for piece in pieces) == rows


def test_each_piece_of_a_long_row_begins_with_its_first_cell() -> None:
    measures = ". ".join(f"Check {number}" for number in range(30))

    pieces = _contents(split_table("ID | Measures", f"RK-1 | {measures}\nRK-2 | none", 100))

    assert all(len(piece) <= 100 for piece in pieces)
    assert all(piece.startswith("ID | Measures\nRK-1 | Check") for piece in pieces[:-1])
    assert pieces[-1] == "ID | Measures\nRK-2 | none"
    assert " ".join(piece.partition("RK-1 | ")[2] for piece in pieces).strip() == measures


@pytest.mark.parametrize(
    ("header", "rows", "pieces"),
    [
        pytest.param("", "a | 1", ["a | 1"], id="no header"),
        pytest.param("h" * 60, "a | 1", ["h" * 60 + "\na | 1"], id="wide header is a row"),
        pytest.param("h", "a" * 150, ["h\n" + "a" * 98, "h\n" + "a" * 52], id="long row is cut"),
        pytest.param(
            "",
            "a" * 51 + " | " + "b" * 100,
            ["a" * 51 + " |", "b" * 100],
            id="first cell is too long to repeat",
        ),
        pytest.param("h", "", ["h"], id="header alone"),
        pytest.param("", "", [], id="nothing"),
        pytest.param("h", "a\n\nb", ["h\na\nb"], id="empty row"),
    ],
)
def test_table_of_any_shape_is_cut(header: str, rows: str, pieces: list[str]) -> None:
    assert _contents(split_table(header, rows, 100)) == pieces


def test_passage_has_the_box_of_its_own_lines() -> None:
    lines = [f"Clause {number} says that the tenant pays." for number in range(60)]
    blocks = [
        Block(BlockKind.TEXT, "\n".join(lines[start : start + 20]), line_boxes=_rows(start, 20))
        for start in (0, 20, 40)
    ]

    passages = list(chunk([Page(1, tuple(blocks))]))

    assert len(passages) > 2
    for passage in passages:
        numbers = [n for n, line in enumerate(lines) if line in passage.content]
        assert passage.box is not None
        _, top, _, bottom = passage.box
        # The first line of an overlap may have been cut within.
        assert top in (numbers[0] / 100, (numbers[0] - 1) / 100)
        assert bottom == (numbers[-1] + 1) / 100


def test_each_piece_of_a_table_has_the_box_of_its_rows() -> None:
    rows = [f"LN-{number} | {'x' * 60}" for number in range(30)]
    caption = Block(BlockKind.TEXT, "Prices of 2024", line_boxes=_rows(0, 1))
    table = Block(BlockKind.TABLE, "\n".join(rows), "Article | Name", _rows(1, 31))

    passages = list(chunk([Page(1, (caption, table))]))

    assert len(passages) > 1
    for passage in passages:
        numbers = [n for n, row in enumerate(rows) if row in passage.content]
        first = 0 if passage.position == 0 else numbers[0] + 2  # below caption and header
        assert passage.box == (0.1, first / 100, 0.9, (numbers[-1] + 3) / 100)


def test_what_has_no_place_leaves_the_box_to_the_rest() -> None:
    placed = Block(BlockKind.TEXT, "One.\nTwo.", line_boxes=(None, (0.1, 0.2, 0.3, 0.4)))

    (passage,) = chunk([Page(1, (prose("Figure: lamps.\nAnd more."), placed))])
    (without,) = chunk([Page(1, (prose("One."),))])

    assert passage.box == (0.1, 0.2, 0.3, 0.4)
    assert without.box is None


def _rows(first: int, count: int) -> tuple[PageBox, ...]:
    return tuple((0.1, n / 100, 0.9, (n + 1) / 100) for n in range(first, first + count))


def _contents(pieces: Iterable[Piece]) -> list[str]:
    return [piece.content for piece in pieces]
