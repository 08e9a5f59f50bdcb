import re
import zipfile
from pathlib import Path

import pytest

from indexing.partition.formats import DocumentFormat, check_readable
from indexing.partition.office.strict_names import with_usual_names
from indexing.partition.reader import open_document
from tests.conftest import FILES

USUAL = re.compile(
    rb"http://schemas.openxmlformats.org/"
    rb"(wordprocessingml|spreadsheetml|presentationml|drawingml|officeDocument)/2006/"
)


@pytest.mark.parametrize(
    "name", ["supplier-handbook.docx", "quarterly-review.pptx", "price-list.xlsx"]
)
def test_strict_file_is_read_as_its_usual_like(tmp_path: Path, name: str) -> None:
    strict = made_strict(FILES / name, tmp_path / name)

    file_format = check_readable(strict, name)

    assert file_format == Path(name).suffix[1:]
    assert read(strict, file_format) == read(FILES / name, file_format)


def test_all_kinds_of_names_are_given() -> None:
    strict = b"""<w:p xmlns:w='http://purl.oclc.org/ooxml/wordprocessingml/main'
        Type="http://purl.oclc.org/ooxml/officeDocument/relationships/image"/>"""

    assert with_usual_names(strict) == (
        b"""<w:p xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'
        Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"/>"""
    )


def test_address_within_a_text_is_left_alone() -> None:
    part = b"<t>See http://purl.oclc.org/ooxml/wordprocessingml/main for the names.</t>"

    assert with_usual_names(part) == part


def made_strict(file: Path, target: Path) -> Path:
    """Write the file with strict names, but for those that packages of all kinds have."""
    with zipfile.ZipFile(file) as usual, zipfile.ZipFile(target, "w") as strict:
        for name in usual.namelist():
            content = usual.read(name)
            if name != "[Content_Types].xml":
                content = USUAL.sub(rb"http://purl.oclc.org/ooxml/\1/", content)
            strict.writestr(name, content)
    return target


def read(path: Path, file_format: DocumentFormat) -> list[object]:
    document = open_document(path, file_format)
    return [document.title, document.page_count, *document.pages]
