import pytest

from indexing.partition.web.markup import html_blocks
from indexing.partition.web.reversed_lists import with_starts


@pytest.mark.parametrize(
    ("page", "texts"),
    [
        ("<ol reversed><li>c<li>b<ul><li>x</ul><li>a</ol>", ["3. c", "2. b", "x", "1. a"]),
        ("<ol reversed start=10><li>ten<li>nine</ol>", ["10. ten", "9. nine"]),
        ("<ol reversed type=a><li>b<li value=7>g<li>f</ol>", ["c. b", "g. g", "f. f"]),
        ("<ol><li>a<li>b</ol>", ["1. a", "2. b"]),
        # Nobody knows how many are to come.
        ("<ol reversed><li>c<li>b", ["c", "b"]),
    ],
)
def test_a_list_that_counts_down_has_its_numbers(page: str, texts: list[str]) -> None:
    assert [block.text for block in html_blocks(page)] == texts


def test_many_lists_without_an_end_are_soon_looked_at() -> None:
    page = "<ol reversed>" * 20_000

    assert with_starts(page) == page


def test_other_attributes_with_that_word_say_nothing() -> None:
    page = '<ol data-reversed="1" type="1"><li>a</li><li>b</li></ol>'

    assert with_starts(page) == page
