"""Which pages are read for which fields."""

from collections.abc import Sequence

import pytest

from extraction.types import SourcePages
from extraction.windows import (
    ANSWER_TOKENS,
    CHUNKS_PER_FIELD,
    FIELDS_PER_CALL,
    PAGES_PER_FIELD,
    PIECE_TOKENS,
    WINDOW_TOKENS,
    Limits,
    PiecesByPage,
    choose_pieces,
    groups_of,
    pieces_of,
    tokens_of,
    windows_by_choice,
    windows_over,
)
from indexing.types import NO_PAGE, Block, BlockKind, Chunk, Page
from tests.extraction.documents import source, wanted

SMALL = Limits(document=40, fields=4_000, answer=4_000)
"""Takes four pages of ten tokens."""

TEN_TOKENS = "x" * 27
FIELDS = [wanted(f"field {number}") for number in range(60)]


def test_large_model_reads_so_much_and_no_more() -> None:
    assert Limits.of(1_000_000) == Limits(WINDOW_TOKENS, ANSWER_TOKENS, ANSWER_TOKENS)


@pytest.mark.parametrize("context_window", [8_192, 32_768, 128_000])
def test_call_never_holds_more_than_the_window_of_its_model(context_window: int) -> None:
    limits = Limits.of(context_window)

    assert limits.document + limits.fields + limits.answer < context_window


def test_page_is_a_piece_and_an_empty_one_is_none() -> None:
    pieces = pieces_of([source("one", "", "three"), source("four", data_source_id="ds_2")])

    assert [(one.source, one.page_number, one.text) for one in pieces] == [
        (0, 1, "one"),
        (0, 3, "three"),
        (1, 1, "four"),
    ]
    assert [one.position for one in pieces] == [0, 1, 2]


def test_long_page_is_cut_at_its_lines_and_nothing_is_lost() -> None:
    lines = [f"row {number} of a long table" for number in range(2_000)]

    pieces = pieces_of([source("\n".join(lines))])

    assert len(pieces) > 5
    assert all(one.tokens <= PIECE_TOKENS for one in pieces)
    assert "\n".join(one.text for one in pieces).split("\n") == lines


def test_line_without_end_is_cut() -> None:
    pieces = pieces_of([source("ж" * 20_000)])

    assert "".join(one.text for one in pieces) == "ж" * 20_000
    assert all(one.tokens <= 2 * PIECE_TOKENS + 1 for one in pieces)


def test_tokens_of_any_script_are_rather_too_many() -> None:
    assert tokens_of("four words of English") >= 5
    assert tokens_of("東京都千代田区") >= 7


def test_fields_go_in_groups_that_one_call_takes() -> None:
    groups = list(groups_of(FIELDS, Limits.of(1_000_000)))

    assert [len(group) for group in groups] == [FIELDS_PER_CALL, FIELDS_PER_CALL, 10]
    assert [field for group in groups for field in group] == FIELDS


def test_small_model_is_asked_for_fewer_fields_at_once() -> None:
    assert max(len(group) for group in groups_of(FIELDS, Limits.of(8_192))) <= 13


def test_field_with_a_long_description_goes_alone() -> None:
    long = [wanted(f"f{number}", about="word " * 5_000) for number in range(2)]

    assert [len(group) for group in groups_of(long, Limits.of(8_192))] == [1, 1]


def test_document_that_fits_is_read_whole_in_one_call_a_group() -> None:
    pieces = pieces_of([source(*[TEN_TOKENS] * 20)])

    windows = list(windows_over(FIELDS[:20], pieces, Limits.of(100_000)))

    assert [(len(one.fields), len(one.pieces)) for one in windows] == [(20, 20)]


def test_longer_document_is_read_in_windows() -> None:
    pieces = pieces_of([source(*[TEN_TOKENS] * 10)])

    windows = list(windows_over(FIELDS[:2], pieces, SMALL))

    assert [[one.page_number for one in window.pieces] for window in windows] == [
        [1, 2, 3, 4],
        [5, 6, 7, 8],
        [9, 10],
    ]


def test_fields_share_a_call_while_their_pages_fit() -> None:
    pieces = pieces_of([source(*[TEN_TOKENS] * 10)])
    one, two, three, four = FIELDS[:4]
    chosen = {
        one: [pieces[5], pieces[1]],
        two: [pieces[1], pieces[3]],
        three: [pieces[7], pieces[8]],
        four: [pieces[3]],
    }

    windows = windows_by_choice(chosen, SMALL)

    assert [window.fields for window in windows] == [(one, two, four), (three,)]
    assert [[one.page_number for one in window.pieces] for window in windows] == [[2, 4, 6], [8, 9]]


async def test_field_gets_the_pages_of_the_chunks_that_are_retrieved() -> None:
    pieces = pieces_of([source(*[TEN_TOKENS] * 10)])
    asked: list[tuple[str, int, Sequence[str]]] = []

    async def retrieve(query: str, top_k: int, sources: Sequence[str]) -> list[Chunk]:
        asked.append((query, top_k, sources))
        return [chunk(page) for page in (3, 7, 3, 99, 2, 4, 5)]

    field = wanted("total", about="what is due")
    chosen = await choose_pieces(field, PiecesByPage(pieces), retrieve, Limits.of(8_192))

    assert asked == [("total what is due", CHUNKS_PER_FIELD, ("ds_1",))]
    assert [one.page_number for one in chosen] == [3, 7, 2, 4]
    assert len(chosen) == PAGES_PER_FIELD


async def test_pages_that_do_not_fit_are_not_chosen() -> None:
    pieces = pieces_of([source(*["x" * 90] * 3)])

    async def retrieve(query: str, top_k: int, sources: Sequence[str]) -> list[Chunk]:
        return [chunk(page) for page in (2, 1, 3)]

    chosen = await choose_pieces(wanted(), PiecesByPage(pieces), retrieve, SMALL)

    assert [one.page_number for one in chosen] == [2]


def test_chunk_of_a_long_sheet_is_in_the_piece_that_has_it() -> None:
    rows = "\n".join(f"row {number} | {number * 3}" for number in range(3_000))
    sheet = Page(NO_PAGE, (Block(BlockKind.TABLE, rows, header="name | value"),))
    pieces = pieces_of([source_of(sheet)])
    found = chunk(NO_PAGE, "name | value\nrow 2900 | 8700\nrow 2901 | 8703\n")

    piece = PiecesByPage(pieces).of(found)

    assert piece is not None
    assert "row 2901 | 8703" in piece.text


def test_chunk_of_another_data_source_is_in_no_piece() -> None:
    pieces = PiecesByPage(pieces_of([source("text")]))

    assert pieces.of(chunk(1, data_source_id="ds_2")) is None


def source_of(page: Page) -> SourcePages:
    return SourcePages("ds_1", "ds_1.xlsx", [page])


def chunk(page: int, content: str = "text", *, data_source_id: str = "ds_1") -> Chunk:
    return Chunk("c", data_source_id, "f.pdf", page, content)
