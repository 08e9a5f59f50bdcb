import hashlib
import io
import struct
from pathlib import Path

import pytest
from cryptography.hazmat.decrepit.ciphers.algorithms import ARC4
from cryptography.hazmat.primitives.ciphers import Cipher
from msoffcrypto.format.ooxml import OOXMLFile

from config.errors import UnreadableFile
from indexing.partition.formats import PASSWORD_PROTECTED, DocumentFormat, check_readable
from indexing.partition.processes.isolation import ReadLimits, read_isolated
from indexing.partition.sheets.own_password import PASSWORD, format_within
from indexing.partition.sheets.xls_records import (
    BEGINNING,
    FILE_PASS,
    RECORD,
    SHEET_NAME,
    records_of,
    workbook_stream,
)
from indexing.types import Page
from tests.files.ole2_writer import ole2_file

FILES = Path(__file__).parents[3] / "files"
SALT = bytes(range(16))
LIMITS = ReadLimits(wall_seconds=60, cpu_seconds=60, memory_bytes=2**30, owner="tests")


def write_package(path: Path, original: str, password: str = PASSWORD) -> Path:
    locked = io.BytesIO()
    with (FILES / original).open("rb") as file:
        OOXMLFile(file).encrypt(password, locked)
    path.write_bytes(locked.getvalue())
    return path


def key_of(password: str, block: int) -> bytes:
    """Return the key of a block ([MS-OFFCRYPTO] 2.3.6.2)."""
    first = hashlib.md5(password.encode("utf-16-le")).digest()[:5]
    second = hashlib.md5((first + SALT) * 16).digest()[:5]
    return hashlib.md5(second + struct.pack("<I", block)).digest()


def encrypted(stream: bytes, password: str) -> bytes:
    blocks = range(0, len(stream), 1024)
    return b"".join(
        Cipher(ARC4(key_of(password, at // 1024)), None).encryptor().update(stream[at : at + 1024])
        for at in blocks
    )


def write_workbook(path: Path, password: str = PASSWORD) -> Path:
    """Write an xls whose records are encrypted ([MS-XLS] 2.2.10)."""
    verifier = bytes(16)
    hidden = encrypted(verifier + hashlib.md5(verifier).digest(), password)
    passing = struct.pack("<HHH", 1, 1, 1) + SALT + hidden
    records = list(records_of(workbook_stream(FILES / "price-list.xls")))
    inserted = RECORD.pack(FILE_PASS, len(passing)) + passing
    plain, shown = b"", []
    for _, kind, content in records:
        begin = len(plain) + RECORD.size
        if kind == SHEET_NAME:
            (place,) = struct.unpack_from("<I", content)
            content = struct.pack("<I", place + len(inserted)) + content[4:]
        plain += RECORD.pack(kind, len(content)) + content
        kept = len(content) if kind == BEGINNING else 4 if kind == SHEET_NAME else 0
        shown += range(begin - RECORD.size, begin + kept)
        if len(plain) == RECORD.size + len(content):
            shown += range(len(plain), len(plain) + len(inserted))
            plain += inserted
    stream = bytearray(encrypted(plain, password))
    for at in shown:
        stream[at] = plain[at]
    path.write_bytes(ole2_file({"Workbook": bytes(stream)}))
    return path


async def texts(path: Path, file_format: DocumentFormat) -> list[str]:
    items = [item async for item in read_isolated(path, file_format, LIMITS)]
    return [one.text for page in items if isinstance(page, Page) for one in page.blocks]


@pytest.mark.parametrize("suffix", ["xlsx", "xls"])
async def test_what_excel_has_locked_by_itself_is_read(suffix: str, tmp_path: Path) -> None:
    write = {"xlsx": lambda path: write_package(path, "price-list.xlsx"), "xls": write_workbook}
    locked = write[suffix](tmp_path / "locked")

    file_format = check_readable(locked)

    assert file_format == suffix
    assert await texts(locked, file_format) == await texts(
        FILES / f"price-list.{suffix}", file_format
    )


@pytest.mark.parametrize("suffix", ["xlsx", "xls"])
def test_what_somebody_has_locked_is_refused(suffix: str, tmp_path: Path) -> None:
    if suffix == "xlsx":
        write_package(tmp_path / "locked", "price-list.xlsx", "Lamp4711")
    else:
        write_workbook(tmp_path / "locked", "Lamp4711")

    with pytest.raises(UnreadableFile, match=PASSWORD_PROTECTED):
        check_readable(tmp_path / "locked")


def test_no_other_document_is_locked_so(tmp_path: Path) -> None:
    write_package(tmp_path / "locked", "supplier-handbook.docx")

    assert format_within(tmp_path / "locked") == ""


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"PK\x03\x04", id="nothing of the kind"),
        pytest.param(ole2_file({"EncryptedPackage": b"x"}), id="no key"),
        pytest.param(
            ole2_file({"EncryptedPackage": b"x", "EncryptionInfo": b"\x04\0\x04\0@\0\0\0<a"}),
            id="damaged key",
        ),
        pytest.param(ole2_file({"Workbook": RECORD.pack(FILE_PASS, 2)}), id="cut off"),
    ],
)
def test_what_is_damaged_is_not_opened(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "locked").write_bytes(content)

    assert format_within(tmp_path / "locked") == ""
