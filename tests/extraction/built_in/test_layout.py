from extraction.built_in.layout import cells, read_passages
from extraction.types import SourcePages
from indexing.types import Block, BlockKind, Page, PageBox
from tests.extraction.built_in.pages import passages


def test_wrapped_prose_is_one_passage() -> None:
    prose = "This agreement is made between the parties on the 24th of March\n2007 in Ohio."

    (passage,) = passages(prose)

    assert passage.text == prose.replace("\n", " ")
    assert passage.page.text[passage.start :] == prose


def test_short_lines_are_passages_of_their_own() -> None:
    assert [one.text for one in passages("Total 12.00\nCash 20.00")] == [
        "Total 12.00",
        "Cash 20.00",
    ]


def test_a_row_knows_the_heads_of_its_columns() -> None:
    row = passages("Item | Amount\nPaper | 18.00")[1]

    assert row.columns == ("Item", "Amount")


def test_cells_are_found_where_they_stand() -> None:
    assert cells(" | Total: |  | 8.96") == [(3, "Total:"), (15, "8.96")]


def test_an_abbreviation_does_not_end_a_sentence() -> None:
    (passage,) = passages("Acme Inc. and Bolt Ltd. agree. They sign.")

    assert [passage.text[start:end] for start, end in passage.sentences] == [
        "Acme Inc. and Bolt Ltd. agree. ",
        "They sign.",
    ]


def test_the_label_left_of_a_value_is_found_by_its_place() -> None:
    value = _placed({"Invoice date": (0.1, 0.1, 0.2, 0.12), "7 May": (0.3, 0.1, 0.4, 0.12)})[1]

    assert value.left == "Invoice date"
    assert value.above == ""


def test_the_label_above_a_value_is_found_by_its_place() -> None:
    value = _placed({"Date": (0.1, 0.1, 0.2, 0.12), "7 May": (0.1, 0.13, 0.2, 0.15)})[1]

    assert value.above == "Date"
    assert value.left == ""


def test_without_places_the_line_before_stands_above() -> None:
    assert passages("Date\n7 May")[1].above == "Date"


def test_nothing_stands_above_the_first_line() -> None:
    assert passages("Date")[0].above == ""


def test_empty_pages_have_no_passages() -> None:
    assert read_passages([SourcePages("ds_1", "a.pdf", [Page(1, ())])]) == []


def _placed(lines: dict[str, PageBox]) -> list:
    text = Block(BlockKind.TEXT, "\n".join(lines), line_boxes=tuple(lines.values()))
    return read_passages([SourcePages("ds_1", "a.pdf", [Page(1, (text,))])])
