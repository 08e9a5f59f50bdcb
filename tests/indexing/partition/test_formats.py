import zipfile
from pathlib import Path

import pytest

from config.errors import UnreadableFile
from indexing.partition.formats import (
    OLE2_MAGIC,
    PASSWORD_PROTECTED,
    TOO_LARGE_INSIDE,
    DocumentFormat,
    check_readable,
)

FILES = Path(__file__).parents[2] / "files"


@pytest.mark.parametrize(
    ("name", "file_format"),
    [
        ("warehouse-lease.pdf", DocumentFormat.PDF),
        ("supplier-handbook.docx", DocumentFormat.DOCX),
        ("quarterly-review.pptx", DocumentFormat.PPTX),
        ("price-list.xlsx", DocumentFormat.XLSX),
    ],
)
def test_the_content_tells_the_format(
    name: str, file_format: DocumentFormat, tmp_path: Path
) -> None:
    nameless = tmp_path / "upload"
    nameless.write_bytes((FILES / name).read_bytes())

    assert check_readable(nameless) is file_format


def test_plain_text_named_pdf_is_refused() -> None:
    with pytest.raises(UnreadableFile, match="not supported; upload one of: pdf, docx, pptx, xlsx"):
        check_readable(FILES / "plain-text.pdf")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "the file is empty", id="empty"),
        pytest.param(b"%PDF-1.7\nnothing more", "damaged", id="damaged pdf"),
        pytest.param(b"PK\x03\x04 and nothing more", "damaged", id="damaged zip"),
        pytest.param(OLE2_MAGIC + b"\0" * 600, "not supported", id="old Office"),
        pytest.param(
            OLE2_MAGIC + "EncryptedPackage".encode("utf-16-le"), "password", id="encrypted Office"
        ),
    ],
)
def test_what_cannot_be_read_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "upload").write_bytes(content)

    with pytest.raises(UnreadableFile, match=message):
        check_readable(tmp_path / "upload")


def test_a_truncated_document_is_refused(tmp_path: Path) -> None:
    whole = (FILES / "supplier-handbook.docx").read_bytes()
    (tmp_path / "upload").write_bytes(whole[: len(whole) // 2])

    with pytest.raises(UnreadableFile, match="damaged"):
        check_readable(tmp_path / "upload")


def test_a_package_of_something_else_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "upload", "w") as package:
        package.writestr("readme.txt", "no document")

    with pytest.raises(UnreadableFile, match="not supported"):
        check_readable(tmp_path / "upload")


def test_a_package_without_its_main_part_is_refused(tmp_path: Path) -> None:
    _copy_package(FILES / "price-list.xlsx", tmp_path / "upload", leave_out="xl/workbook.xml")

    with pytest.raises(UnreadableFile, match="damaged"):
        check_readable(tmp_path / "upload")


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    _copy_package(FILES / "price-list.xlsx", tmp_path / "upload")
    with zipfile.ZipFile(tmp_path / "upload", "a", zipfile.ZIP_DEFLATED) as package:
        package.writestr("xl/bomb.xml", b"\0" * 32 * 1024**2)

    with pytest.raises(UnreadableFile, match=TOO_LARGE_INSIDE):
        check_readable(tmp_path / "upload")


def test_a_locked_pdf_is_refused(tmp_path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(tmp_path / "upload"), encrypt="secret")
    canvas.drawString(60, 700, "Nobody reads this.")
    canvas.save()

    with pytest.raises(UnreadableFile, match=PASSWORD_PROTECTED):
        check_readable(tmp_path / "upload")


def _copy_package(source: Path, target: Path, leave_out: str = "") -> None:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if name != leave_out:
                new.writestr(name, old.read(name))
