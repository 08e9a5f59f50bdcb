import pytest

from indexing.partition.office.libreoffice import ConversionFailed
from indexing.partition.unreadable import GAVE_UP, DocumentUnreadable, reason_of


@pytest.mark.parametrize("kind", [DocumentUnreadable, ConversionFailed])
def test_what_we_found_wrong_is_told_as_it_is(kind: type[DocumentUnreadable]) -> None:
    assert reason_of(kind("it has no text")) == "it has no text"


@pytest.mark.parametrize("error", [KeyError("word/document.xml"), RecursionError(), SystemExit(3)])
def test_what_a_library_says_is_not_told(error: BaseException) -> None:
    assert reason_of(error) == GAVE_UP
