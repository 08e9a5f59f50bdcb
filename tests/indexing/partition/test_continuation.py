import pytest

from indexing.partition.continuation import with_header_above
from indexing.types import Block, BlockKind, PageBox

PLACE = (0.1, 0.2, 0.8, 0.3)
AT_THE_TOP = (0.1, 0.1, 0.8, 0.2)
AT_THE_END = (0.1, 0.4, 0.8, 0.85)
RUNNING_HEAD = Block(BlockKind.HEADING, "Staff of the year")
FOOTER = Block(BlockKind.TEXT, "page 7", line_boxes=((0.4, 0.9, 0.5, 0.95),))
FOOTER_BELOW = Block(BlockKind.TEXT, "page 8", line_boxes=FOOTER.line_boxes)


def _table(text: str, header: str = "", place: PageBox = PLACE) -> Block:
    places = (place,) * (1 + bool(header))
    return Block(BlockKind.TABLE, text, header, places)


def test_a_table_that_goes_on_has_the_header_of_the_page_before() -> None:
    before = [_table("LN-100 | 24", "Article | Pieces"), FOOTER]

    table, end = with_header_above([_table("LN-200 | 12"), FOOTER], before)

    assert table == _table("LN-200 | 12", "Article | Pieces")
    assert table.line_boxes == (None, PLACE)
    assert end == FOOTER


def test_a_header_of_its_own_stays() -> None:
    before = [_table("LN-100 | 24", "Article | Pieces")]

    assert with_header_above([_table("Ana | 12", "Name | Hours")], before) == (
        _table("Ana | 12", "Name | Hours"),
    )


@pytest.mark.parametrize(
    ("header", "place", "expected"),
    [
        pytest.param(
            "No. | Use on the quay | Price",
            AT_THE_TOP,
            _table(" | on the quay\n2 | Bell | 3.50", "No. | Use | Price", AT_THE_TOP),
            id="the rest of a row",
        ),
        pytest.param("No. | Use on the quay | Price", AT_THE_END, None, id="further down"),
        pytest.param("No. | User | Price", AT_THE_TOP, None, id="another name"),
        pytest.param("No. b | Use b | Price b", AT_THE_TOP, None, id="all names"),
    ],
)
def test_what_names_have_more_than_on_the_page_before_is_the_rest_of_a_row(
    header: str, place: PageBox, expected: Block | None
) -> None:
    before = [_table("1 | Lamp | 2.50", "No. | Use | Price", AT_THE_END)]
    table = _table("2 | Bell | 3.50", header, place)

    assert with_header_above([table], before) == (expected or table,)


def test_a_table_of_another_shape_is_another_table() -> None:
    before = [_table("LN-100 | 24", "Article | Pieces")]
    more_columns = [_table("a | b | c")]
    narrower = [_table("a | b", place=(0.1, 0.2, 0.5, 0.3))]

    assert with_header_above(more_columns, before) == tuple(more_columns)
    assert with_header_above(narrower, before) == tuple(narrower)


def test_a_text_between_ends_the_table() -> None:
    before = [_table("LN-100 | 24", "Article | Pieces")]
    text = Block(BlockKind.TEXT, "The goods were counted by two persons. " * 5)

    assert with_header_above([text, _table("a | b")], before) == (text, _table("a | b"))
    assert with_header_above([_table("a | b")], [*before, text]) == (_table("a | b"),)


def test_the_first_row_of_a_table_of_words_is_no_header_behind_the_end_of_a_page() -> None:
    before = [RUNNING_HEAD, _table("Ana | Sales", "Name | Office", AT_THE_END), FOOTER]
    rest = _table("Igor | Stock", "Elif | Sales", AT_THE_TOP)

    _, table, _ = with_header_above([RUNNING_HEAD, rest, FOOTER_BELOW], before)

    assert table == _table("Elif | Sales\nIgor | Stock", "Name | Office")
    assert table.line_boxes == (None, AT_THE_TOP, AT_THE_TOP)


@pytest.mark.parametrize(
    ("start", "between", "end"),
    [
        pytest.param("Ana | 12", (), "Igor | 9", id="its rows have figures, its header has none"),
        pytest.param("Ana | Sales", (), "Igor | 9", id="one of both has figures"),
        pytest.param("Ana | Sales", ("Rooms",), "Igor | Stock", id="a caption is between"),
    ],
)
def test_what_may_be_a_header_of_its_own_stays(
    start: str, between: tuple[str, ...], end: str
) -> None:
    before = [_table(start, "Name | Office", AT_THE_END)]
    captions = tuple(Block(BlockKind.HEADING, text) for text in between)
    blocks = (*captions, _table(end, "Guest | Room", AT_THE_TOP))

    assert with_header_above(blocks, before) == blocks


def test_a_table_that_ends_or_begins_within_a_page_was_not_cut() -> None:
    rest = _table("Igor | Stock", "Elif | Sales", AT_THE_TOP)

    assert with_header_above([rest], [_table("Ana | Sales", "Name | Office")]) == (rest,)
    lower = _table("Igor | Stock", "Elif | Sales", AT_THE_END)
    assert with_header_above([lower], [_table("a | b", "Name | Office", AT_THE_END)]) == (lower,)
