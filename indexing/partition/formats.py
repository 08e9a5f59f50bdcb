"""Tell the format of a file by its content, and refuse what cannot be read."""

import mmap
import re
import subprocess
import sys
import zipfile
import zlib
from enum import StrEnum
from pathlib import Path

from config.errors import UnreadableFile
from indexing.partition import pdf_check
from indexing.partition.pdf_check import Verdict


class DocumentFormat(StrEnum):
    PDF = "pdf"
    DOCX = "docx"
    PPTX = "pptx"
    XLSX = "xlsx"


MAIN_CONTENT_TYPES: dict[str, DocumentFormat] = {
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml": (
        DocumentFormat.DOCX
    ),
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml": (
        DocumentFormat.DOCX
    ),
    "application/vnd.ms-word.document.macroEnabled.main+xml": DocumentFormat.DOCX,
    "application/vnd.ms-word.template.macroEnabledTemplate.main+xml": DocumentFormat.DOCX,
    "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml": (
        DocumentFormat.PPTX
    ),
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml": (
        DocumentFormat.PPTX
    ),
    "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml": (
        DocumentFormat.PPTX
    ),
    "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml": DocumentFormat.PPTX,
    "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml": DocumentFormat.PPTX,
    "application/vnd.ms-powerpoint.template.macroEnabled.main+xml": DocumentFormat.PPTX,
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml": (
        DocumentFormat.XLSX
    ),
    "application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml": (
        DocumentFormat.XLSX
    ),
    "application/vnd.ms-excel.sheet.macroEnabled.main+xml": DocumentFormat.XLSX,
    "application/vnd.ms-excel.template.macroEnabled.main+xml": DocumentFormat.XLSX,
}
"""What the main part of an Office package calls itself; macros are never run, only text is read."""

DAMAGED = "the file is damaged and cannot be opened; upload an intact copy"
PASSWORD_PROTECTED = "the file is password-protected; remove the password and upload it again"
UNSUPPORTED = f"the format is not supported; upload one of: {', '.join(DocumentFormat)}"
TOO_LARGE_INSIDE = "the file inflates to far more than its size; upload a smaller document"

MAX_UNPACKED_BYTES = 1024**3
# Office XML packs 5 to 50 times, a sheet of equal cells some 200 times; a bomb 1000 times.
MAX_RATIO = 400
RATIO_MATTERS_ABOVE_BYTES = 16 * 1024**2
MAX_CONTENT_TYPES_BYTES = 4 * 1024**2

OLE2_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")

CHECK_SECONDS = 30

REFUSALS: dict[str, str] = {
    Verdict.OPENS: "",
    Verdict.LOCKED: PASSWORD_PROTECTED,
    Verdict.DAMAGED: DAMAGED,
    Verdict.EMPTY: "the PDF has no pages",
}


def check_readable(path: Path) -> DocumentFormat:
    """Return the format of a file that opens; whatever else there is to find is left to reading."""
    file_format = detect_format(path)
    if file_format is DocumentFormat.PDF:
        _check_pdf(path)
    else:
        _check_package(path)
    return file_format


def detect_format(path: Path) -> DocumentFormat:
    """Decide by content, never by name: names lie, and stored files have none."""
    with path.open("rb") as file:
        start = file.read(1024)
    if not start:
        raise UnreadableFile("the file is empty")
    if b"%PDF-" in start:
        return DocumentFormat.PDF
    if start.startswith(OLE2_MAGIC):
        raise UnreadableFile(PASSWORD_PROTECTED if _is_encrypted_package(path) else UNSUPPORTED)
    if start.startswith(ZIP_MAGICS):
        return _detect_package(path)
    raise UnreadableFile(UNSUPPORTED)


def main_part(package: zipfile.ZipFile) -> tuple[str, str] | None:
    """Return name and content type of the part that makes the package a document."""
    try:
        if package.getinfo("[Content_Types].xml").file_size > MAX_CONTENT_TYPES_BYTES:
            return None
        types = package.read("[Content_Types].xml").decode("utf-8-sig", "replace")
    except KeyError:
        return None
    for override in re.findall(r"<(?:\w+:)?Override\b[^>]*>", types):
        attributes = dict(re.findall(r"(\w+)\s*=\s*[\"']([^\"']*)[\"']", override))
        if attributes.get("ContentType") in MAIN_CONTENT_TYPES:
            return attributes.get("PartName", "").lstrip("/"), attributes["ContentType"]
    return None


def _is_encrypted_package(path: Path) -> bool:
    # Office wraps an encrypted docx, pptx or xlsx in an OLE2 container with a stream of this name.
    with (
        path.open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content,
    ):
        return content.find("EncryptedPackage".encode("utf-16-le")) >= 0


def _detect_package(path: Path) -> DocumentFormat:
    try:
        with zipfile.ZipFile(path) as package:
            main = main_part(package)
    except (zipfile.BadZipFile, zlib.error, OSError, RuntimeError, NotImplementedError) as error:
        raise UnreadableFile(DAMAGED) from error
    if main is None:
        raise UnreadableFile(UNSUPPORTED)
    return MAIN_CONTENT_TYPES[main[1]]


def _check_package(path: Path) -> None:
    with zipfile.ZipFile(path) as package:
        members = package.infolist()
        main = main_part(package)
        if main is None or main[0] not in package.namelist():
            raise UnreadableFile(DAMAGED)
    unpacked = sum(member.file_size for member in members)
    packed = max(1, path.stat().st_size)
    is_bomb = unpacked > RATIO_MATTERS_ABOVE_BYTES and unpacked > MAX_RATIO * packed
    if unpacked > MAX_UNPACKED_BYTES or is_bomb:
        raise UnreadableFile(TOO_LARGE_INSIDE)
    if any(member.flag_bits & 1 for member in members):
        raise UnreadableFile(PASSWORD_PROTECTED)


def _check_pdf(path: Path) -> None:
    # -P: a folder of the same name where the service was started must not be taken for ours.
    command = [sys.executable, "-P", "-m", pdf_check.__name__, str(path)]
    try:
        checked = subprocess.run(command, capture_output=True, timeout=CHECK_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise UnreadableFile(DAMAGED) from error
    # A program that died said nothing, and the file that killed it is damaged at best.
    if message := REFUSALS.get(checked.stdout.decode(), DAMAGED):
        raise UnreadableFile(message)
