import pytest

from indexing.headers import PageHeads, document_name, joined
from indexing.types import NO_PAGE, Block, BlockKind, Page


def page(number: int, *lines: str) -> Page:
    return Page(number, (Block(BlockKind.TEXT, "\n".join(lines)),))


def test_head_is_the_first_lines_of_a_page() -> None:
    head = PageHeads().head_of(page(1, "Balance Sheet", "in thousands", "31 December", "Cash 1"))

    assert head == "Balance Sheet in thousands 31 December"


def test_running_head_of_the_page_before_is_left_out() -> None:
    heads = PageHeads()
    heads.head_of(page(1, "Annual Report, page 1", "Preface", "We had a good year.", "ACME Ltd"))

    head = heads.head_of(page(2, "ACME Ltd", "Annual Report, page 2", "Outlook"))

    assert head == "Outlook"


def test_lines_without_words_are_no_head() -> None:
    assert PageHeads().head_of(page(1, "17", "* * *", "Outlook")) == "Outlook"


def test_long_head_is_cut_at_a_line() -> None:
    assert (
        PageHeads().head_of(page(1, "Outlook " * 15, "word " * 20, "end"))
        == ("Outlook " * 15).strip()
    )


def test_text_on_no_page_has_no_head() -> None:
    assert PageHeads().head_of(page(NO_PAGE, "Outlook")) == ""


@pytest.mark.parametrize(
    ("title", "file_name", "name"),
    [
        pytest.param("", "ACME_2022Q3AnnualReport.pdf", "ACME 2022 Q3Annual Report", id="joints"),
        pytest.param("Lease", "dock-road.pdf", "Lease - dock road", id="both"),
        pytest.param("Dock Road Lease", "dock_road.pdf", "Dock Road Lease", id="said already"),
        pytest.param("Lease", f"{'0123456789abcdef' * 2}.pdf", "Lease", id="a digest"),
        pytest.param("", "6ba7b810-9dad-11d1-80b4-00c04fd430c8.pdf", "", id="a uuid"),
    ],
)
def test_name_of_a_document_is_its_title_and_its_file(
    title: str, file_name: str, name: str
) -> None:
    assert document_name(title, file_name) == name


def test_header_says_where_a_text_stands() -> None:
    assert joined(("Lease", "Rent", "Clause 4"), "It is 900.") == "Lease > Rent > Clause 4"


def test_header_leaves_out_what_the_text_begins_with() -> None:
    assert joined(("Lease", "Rent", "Rent It is 900."), "Rent\nIt is 900.") == (
        "Lease > Rent It is 900."
    )


def test_header_says_nothing_twice() -> None:
    assert joined(("Rent", "Rent", ""), "It is 900.") == "Rent"
