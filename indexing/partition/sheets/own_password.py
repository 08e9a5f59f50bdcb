"""Open workbooks that Excel has locked with a password of its own.

Excel encrypts a workbook whose structure is protected with a password that all its versions try
before they ask for one, so that nobody knows of it ([MS-XLS] 2.2.10, [MS-OFFCRYPTO] 2.3).
"""

import io
import os
import struct
import zipfile
from pathlib import Path
from xml.parsers.expat import ExpatError

from msoffcrypto.exceptions import DecryptionError, FileFormatError, ParseError
from msoffcrypto.format.ooxml import OOXMLFile
from msoffcrypto.format.xls97 import Xls97File
from msoffcrypto.method.rc4 import DocumentRC4
from msoffcrypto.method.rc4_cryptoapi import DocumentRC4CryptoAPI

from indexing.partition.office.main_part import MAIN_CONTENT_TYPES, main_part
from indexing.partition.office.zip_names import open_zip
from indexing.partition.sheets.xls_records import (
    BEGINNING,
    FILE_PASS,
    RECORD,
    SHEET_NAME,
    records_of,
    workbook_stream,
)

PASSWORD = "VelvetSweatshop"

# What the library lets out when a file is not as it expects, or asks for another password.
_NOT_OPENED = (
    *(DecryptionError, FileFormatError, ParseError, ExpatError, zipfile.BadZipFile),
    *(OSError, struct.error, RecursionError, AssertionError, AttributeError),
    *(LookupError, TypeError, ValueError, ArithmeticError),
)
_BLOCK = 1024  # bytes of an xls that are encrypted with one key
_PLACE_BYTES = 4  # of a sheet, which is not encrypted with its name
_NO_RECORD = 0
# What says of which version a part is, who uses the file, and what was changed.
_IN_PLAIN = frozenset((BEGINNING, 0x194, 0x195, 0xE1, 0x196, 0x138))


def format_within(path: Path) -> str:
    """Return the format of the workbook that is locked so; "" for any other file that is locked."""
    try:
        if workbook_stream(path):
            return "xls" if unlocked_records(path) else ""
        if not hasattr(os, "memfd_create"):  # A system other than Linux has no place for its copy.
            return ""
        with open_zip(io.BytesIO(unlocked_package(path))) as package:
            main = main_part(package)
    except _NOT_OPENED:
        return ""
    return "xlsx" if main and MAIN_CONTENT_TYPES[main[1]] == "xlsx" else ""


def unlocked_package(path: Path) -> bytes:
    """Return the xlsx that is encrypted in the file.

    Raises:
        DecryptionError: it asks for a password that is somebody's.
    """
    content = io.BytesIO()
    with path.open("rb") as file:
        package = OOXMLFile(file)
        package.load_key(password=PASSWORD, verify_password=True)
        package.decrypt(content)
    return content.getvalue()


def unlocked_copy(path: Path) -> Path:
    """Return where an xlsx is, in memory, that is encrypted in the file.

    It stays there until the process ends, which reads one document.
    """
    descriptor = os.memfd_create("workbook")
    with open(descriptor, "wb", closefd=False) as copy:
        copy.write(unlocked_package(path))
    return Path(f"/proc/{os.getpid()}/fd/{descriptor}")


def unlocked_records(path: Path) -> bytes:
    """Return the records of an xls that are encrypted in the file.

    Raises:
        DecryptionError: it asks for a password that is somebody's, or is encrypted in another way.
    """
    stream = workbook_stream(path)
    records, hidden = bytearray(stream), bytearray(len(stream))
    ranges = []
    for at, kind, content in records_of(stream):
        begin, end = at + RECORD.size, at + RECORD.size + len(content)
        if kind == FILE_PASS:
            RECORD.pack_into(records, at, _NO_RECORD, len(content))
        elif kind not in _IN_PLAIN:
            begin += _PLACE_BYTES if kind == SHEET_NAME else 0
            hidden[begin:end] = stream[begin:end]
            ranges.append((begin, end))
    shown = _decrypted(bytes(hidden), path)
    for begin, end in ranges:
        records[begin:end] = shown[begin:end]
    return bytes(records)


def _decrypted(stream: bytes, path: Path) -> bytes:
    with path.open("rb") as file:
        workbook = Xls97File(file)
        workbook.load_key(PASSWORD)
    key, salt, source = workbook.key, workbook.salt, io.BytesIO(stream)
    match workbook.type:
        case "rc4":
            shown = DocumentRC4.decrypt(key, salt, source, _BLOCK)
        case "rc4_cryptoapi":
            shown = DocumentRC4CryptoAPI.decrypt(key, salt, workbook.keySize, source, _BLOCK)
        case other:
            raise DecryptionError(f"encrypted as {other}")
    return bytes(shown.read())
