from indexing.partition.continuation import with_header_above
from indexing.types import Block, BlockKind, PageBox

PLACE = (0.1, 0.2, 0.8, 0.3)
FOOTER = Block(BlockKind.TEXT, "page 7", line_boxes=((0.4, 0.9, 0.5, 0.95),))


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


def _table(text: str, header: str = "", place: PageBox = PLACE) -> Block:
    places = (place,) * (1 + bool(header))
    return Block(BlockKind.TABLE, text, header, places)
