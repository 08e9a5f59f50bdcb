import pytest

from extraction.page_range import InvalidPageRange, parse_page_range


@pytest.mark.parametrize(
    ("page_range", "pages"),
    [
        pytest.param("3", [3], id="one page"),
        pytest.param("3-5", [3, 4, 5], id="both ends belong to it"),
        pytest.param("4-4", [4], id="range of one page"),
        pytest.param("1-10", list(range(1, 11)), id="whole document"),
    ],
)
def test_range_names_these_pages(page_range: str, pages: list[int]) -> None:
    assert list(parse_page_range(page_range, 10)) == pages


@pytest.mark.parametrize(
    "page_range", ["", "a", "1-", "-3", "1-2-3", "1, 2", "٣", "1.5", " 1", "1\n"]
)
def test_malformed_range_is_refused(page_range: str) -> None:
    with pytest.raises(InvalidPageRange, match="neither a page nor a range of pages"):
        parse_page_range(page_range, 10)


def test_reversed_range_is_refused() -> None:
    with pytest.raises(InvalidPageRange, match="'7-3' ends before it begins"):
        parse_page_range("7-3", 10)


@pytest.mark.parametrize("page_range", ["0", "0-3", "11", "9-11", "999999999"])
def test_range_outside_the_document_is_refused(page_range: str) -> None:
    with pytest.raises(InvalidPageRange, match="outside the document, which has pages 1 to 10"):
        parse_page_range(page_range, 10)


def test_document_without_pages_has_none_to_name() -> None:
    with pytest.raises(InvalidPageRange, match="names pages, and there are none"):
        parse_page_range("1", 0)
