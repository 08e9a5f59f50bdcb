import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from indexing.partition.office.wide_parts import open_in_utf8
from indexing.partition.sheets.xlsx import open_xlsx
from tests.conftest import FILES

BOOK = FILES / "price-list.xlsx"


DECLARATION = '<?xml version="1.0" encoding="UTF-16"?>'


def marked(content: bytes, codec: str) -> bytes:
    return f"\ufeff{content.decode()}".encode(codec)


def declared(content: bytes, codec: str) -> bytes:
    return re.sub(r"\A(<\?xml[^>]*>)?", DECLARATION, content.decode()).encode(codec)


def test_a_usual_workbook_is_the_file_as_it_is() -> None:
    with open_in_utf8(BOOK) as file:
        assert file.read() == BOOK.read_bytes()


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("encode", [marked, declared])
@pytest.mark.parametrize("folder", ["xl/sharedStrings.xml", "xl/worksheets/", "xl/", ""])
def test_parts_in_utf_16_are_read_like_others(
    folder: str, encode: Callable[[bytes, str], bytes], codec: str, tmp_path: Path
) -> None:
    with zipfile.ZipFile(BOOK) as book, zipfile.ZipFile(tmp_path / "b.xlsx", "w") as wide:
        for name in book.namelist():
            content = book.read(name)
            wide.writestr(name, encode(content, codec) if name.startswith(folder) else content)

    assert list(open_xlsx(tmp_path / "b.xlsx").pages) == list(open_xlsx(BOOK).pages)


def test_a_damaged_part_that_nobody_needs_harms_nothing(tmp_path: Path) -> None:
    with zipfile.ZipFile(BOOK) as book, zipfile.ZipFile(tmp_path / "b.xlsx", "w") as other:
        for name in book.namelist():
            other.writestr(name, book.read(name))
        other.writestr("extra.xml", "<extra/>")
    content = (tmp_path / "b.xlsx").read_bytes().replace(b"<extra/>", b"\xff\xfe-extra")
    (tmp_path / "b.xlsx").write_bytes(content)

    assert list(open_xlsx(tmp_path / "b.xlsx").pages) == list(open_xlsx(BOOK).pages)
