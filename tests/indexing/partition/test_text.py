import pytest

from indexing.partition.text import clean_line, clean_text, document_title


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        pytest.param("one\r\ntwo\rthree", "one\ntwo\nthree", id="line ends"),
        pytest.param("a\x00b\x07c", "abc", id="control characters"),
        pytest.param("a\ud800b\ufffe", "ab", id="lone surrogate and non-character"),
        pytest.param("ware\xadhouse", "warehouse", id="soft hyphen"),
        pytest.param("12\xa0000 \t pounds", "12 000 pounds", id="wide spaces"),
        pytest.param("well-known fact", "well-known fact", id="plain text is kept"),
    ],
)
def test_text_is_cleaned(text: str, cleaned: str) -> None:
    assert clean_text(text) == cleaned


def test_a_line_holds_no_line_ends() -> None:
    assert clean_line(" January–\nJune \n2023 ") == "January– June 2023"


@pytest.mark.parametrize(
    ("value", "title"),
    [
        pytest.param("Warehouse Lease, 14 Dock Road", "Warehouse Lease, 14 Dock Road", id="title"),
        pytest.param("Microsoft Word - lease.doc", "", id="print job"),
        pytest.param("lease_final.docx", "", id="file name"),
        pytest.param("0001018724-18-000005", "", id="serial number"),
        pytest.param("PowerPoint Presentation", "", id="default of the program"),
        pytest.param("", "", id="none"),
    ],
)
def test_a_title_is_one_that_a_person_wrote(value: str, title: str) -> None:
    assert document_title(value) == title
