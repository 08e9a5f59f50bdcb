import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from indexing.partition.formats import check_readable
from indexing.partition.office.main_part import MAX_SMALL_BYTES, PARTS, main_part, tags
from indexing.partition.reader import open_document
from indexing.types import Page
from tests.conftest import FILES

DOCUMENTS = ("supplier-handbook.docx", "quarterly-review.pptx", "price-list.xlsx")

Parts = dict[str, bytes]


def pages_of(path: Path) -> list[Page]:
    return list(open_document(path, check_readable(path, path.name)).pages)


def in_windows_folders(parts: Parts) -> Parts:
    return {name.replace("/", "\\"): part for name, part in parts.items()}


def without_list(parts: Parts) -> Parts:
    return {name: part for name, part in parts.items() if name != PARTS}


def with_cut_list(parts: Parts) -> Parts:
    return parts | {PARTS: b"<Types"}


def in_utf_16(parts: Parts) -> Parts:
    def wide(part: bytes) -> bytes:
        return part.decode().replace("UTF-8", "UTF-16").encode("utf-16")

    return {
        name: wide(part) if name.endswith((".xml", ".rels")) else part
        for name, part in parts.items()
    }


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("changed", [in_windows_folders, without_list, with_cut_list, in_utf_16])
def test_an_odd_package_is_read_like_the_usual_one(
    changed: Callable[[Parts], Parts], name: str, tmp_path: Path
) -> None:
    with zipfile.ZipFile(FILES / name) as usual:
        parts = changed({member: usual.read(member) for member in usual.namelist()})
    with zipfile.ZipFile(tmp_path / name, "w") as odd:
        for member, part in parts.items():
            described = zipfile.ZipInfo("new")
            described.filename = member
            odd.writestr(described, part)

    found = [page.blocks for page in pages_of(tmp_path / name)]

    assert found == [page.blocks for page in pages_of(FILES / name)]


def test_a_package_of_something_else_has_no_main_part(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "upload", "w") as package:
        package.writestr("main.xml", "<sheet/>")
        package.writestr("_rels/.rels", '<Relationship Type="/officeDocument" Target="main.xml"/>')

    with zipfile.ZipFile(tmp_path / "upload") as package:
        assert main_part(package) is None


def test_letters_of_a_tag_are_looked_at_once() -> None:
    # Looked at anew from each word on, a list that is as long as may be would take hours.
    odd = "a-" * (MAX_SMALL_BYTES // 2)

    assert list(tags(f"<Override {odd} PartName='/a.xml'>", "Override")) == [{"PartName": "/a.xml"}]
