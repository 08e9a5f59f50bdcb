"""Tell the format of a file by its content, and refuse what cannot be read."""

import contextlib
import io
import lzma
import mmap
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path, PurePath

from config.errors import UnreadableFile
from indexing.partition.office import ole2
from indexing.partition.office.libreoffice import HOW_TO_INSTALL, find_soffice
from indexing.partition.office.main_part import (
    MAIN_CONTENT_TYPES,
    PARTS,
    main_part,
    small_member,
    tags,
)
from indexing.partition.office.zip_names import open_zip
from indexing.partition.pdf import check as pdf_check
from indexing.partition.pdf.check import Verdict
from indexing.partition.pictures import check as image_check
from indexing.partition.processes.file_check import TOO_MUCH, ask
from indexing.partition.text_formats import BINARY_SUFFIX, text_format
from indexing.partition.texts.encoding import text_encoding


class DocumentFormat(StrEnum):
    PDF = "pdf"
    DOCX = "docx"
    DOC = "doc"
    PPTX = "pptx"
    PPT = "ppt"
    XLSX = "xlsx"
    XLS = "xls"
    CSV = "csv"
    HTML = "html"
    MD = "md"
    TXT = "txt"
    EML = "eml"
    MSG = "msg"
    EPUB = "epub"
    ODT = "odt"
    ODP = "odp"
    ODS = "ods"
    RTF = "rtf"
    PNG = "png"
    JPG = "jpg"
    TIFF = "tiff"
    WEBP = "webp"


OPEN_FORMATS: dict[str, DocumentFormat] = {
    "application/epub+zip": DocumentFormat.EPUB,
    "application/vnd.oasis.opendocument.text": DocumentFormat.ODT,
    "application/vnd.oasis.opendocument.text-template": DocumentFormat.ODT,
    "application/vnd.oasis.opendocument.text-web": DocumentFormat.ODT,
    "application/vnd.oasis.opendocument.presentation": DocumentFormat.ODP,
    "application/vnd.oasis.opendocument.presentation-template": DocumentFormat.ODP,
    "application/vnd.oasis.opendocument.spreadsheet": DocumentFormat.ODS,
    "application/vnd.oasis.opendocument.spreadsheet-template": DocumentFormat.ODS,
}
"""What the packages of OpenDocument and EPUB call themselves in their first file."""

EXCEL_BEFORE_5 = (b"\x09\0\x04\0", b"\x09\x02\x06\0", b"\x09\x04\x06\0")
"""What workbooks of Excel 2, 3 and 4 begin with, which only LibreOffice reads."""

MAGICS: dict[bytes, DocumentFormat] = {
    b"%PDF-": DocumentFormat.PDF,
    b"{\\rtf": DocumentFormat.RTF,
    b"\x89PNG\r\n\x1a\n": DocumentFormat.PNG,
    b"\xff\xd8\xff": DocumentFormat.JPG,
    b"II*\0": DocumentFormat.TIFF,
    b"MM\0*": DocumentFormat.TIFF,
    b"II+\0": DocumentFormat.TIFF,  # of over 4 GB, though most are not
    b"MM\0+": DocumentFormat.TIFF,
    b"\x9b\xa5\x21\0": DocumentFormat.DOC,  # of Word 1, and the next of Word 2
    b"\xdb\xa5\x2d\0": DocumentFormat.DOC,
    **dict.fromkeys(EXCEL_BEFORE_5, DocumentFormat.XLS),
}
"""What a file of the format begins with."""

DAMAGED = "the file is damaged and cannot be opened; upload an intact copy"
PASSWORD_PROTECTED = "the file is password-protected; remove the password and upload it again"
UNSUPPORTED = f"the format is not supported; upload one of: {', '.join(DocumentFormat)}"
TOO_MANY_MEMBERS = "the package holds too many files; upload a smaller document"
TOO_LARGE_INSIDE = "the file inflates to far more than its size; upload a smaller document"
TOO_MUCH_TO_OPEN = (
    "opening the file takes too much time or memory; upload a smaller one, or an intact copy"
)

COPY_PROTECTED = "the book is protected against copying; upload a copy that is not"
TOO_MANY_PIXELS = (
    f"the picture has more than {image_check.MAX_PIXELS // 10**6} million pixels; "
    "save it at a lower resolution"
)

MAX_UNPACKED_BYTES = 1024**3
# Office XML packs 5 to 50 times, a sheet of equal cells some 200 times; a bomb 1000 times.
MAX_RATIO = 400
RATIO_MATTERS_ABOVE_BYTES = 16 * 1024**2
# Of the list of a package's members, some ten thousand, and of the lists among them.
MAX_LIST_BYTES = 2 * 1024**2

_PDF_LINE = re.compile(rb"\s*%PDF-[\d.]*\s*[\r\n]")

OPENED_BY_OFFICE = {".doc": ("html", "eml", "doc"), ".xls": ("html", "eml", "xls", "csv")}
"""Formats of text that programs save under the names of Word and Excel, which open them."""

TEXT_SUFFIXES = (".txt", ".csv", ".md", ".html", ".eml")

ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")

# What the libraries let out when a file is not as they expect.
ZIP_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error),
    *(OSError, EOFError, RuntimeError, NotImplementedError, ValueError),
)

# Books hide their fonts in these ways, and their text in none of them.
FONT_METHODS = {"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"}

REFUSALS: dict[str, str] = {
    Verdict.OPENS: "",
    Verdict.LOCKED: PASSWORD_PROTECTED,
    Verdict.PROTECTED: (
        "the PDF is protected by a certificate or by rights management; upload a copy that is not"
    ),
    Verdict.DAMAGED: DAMAGED,
    Verdict.EMPTY: "the PDF has no pages",
    Verdict.DYNAMIC_FORM: (
        "the PDF is a form that only Adobe's programs can show (dynamic XFA); print it to a PDF "
        "there and upload that"
    ),
    image_check.Verdict.TOO_LARGE: TOO_MANY_PIXELS,
}


def check_readable(path: Path, file_name: str = "") -> DocumentFormat:
    """Return the format of a file that opens; whatever else there is to find is left to reading."""
    file_format = detect_format(path, file_name)
    if check := CHECKS.get(file_format):
        check(path)
    return file_format


def detect_format(path: Path, file_name: str = "") -> DocumentFormat:
    """Decide by content; the name, which may lie, is asked where formats of text look alike."""
    with path.open("rb") as file:
        start = file.read(1024)
    if not start:
        raise UnreadableFile("the file is empty")
    suffix = PurePath(file_name).suffix.lower()
    for magic, file_format in MAGICS.items():
        if start.lstrip().startswith(magic) or start.startswith(magic):
            may_be_text = file_format is DocumentFormat.PDF and suffix != ".pdf"
            is_text = may_be_text and _is_about_pdfs(path, start)
            return _detect_text(path, suffix) if is_text else file_format
    if start.startswith(b"RIFF") and start[8:12] == b"WEBP":
        return DocumentFormat.WEBP
    if start.startswith(ole2.MAGIC):
        return _detect_ole2(path, suffix)
    if start.startswith(ZIP_MAGICS):
        return _detect_package(path, suffix)
    if b"%PDF-" in start and not _is_about_pdfs(path, start):
        return DocumentFormat.PDF
    return _detect_text(path, suffix)


def _is_about_pdfs(path: Path, start: bytes) -> bool:
    """Tell a text about such files from one that is text alone, by how that begins and ends."""
    return (
        not _PDF_LINE.match(start)
        and b" obj" not in start
        and b"startxref" not in _end(path)
        and text_encoding(path) is not None
    )


def _end(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 2048))
        return file.read()


def needs_libreoffice(file_format: DocumentFormat) -> str:
    """Return what to do about a document that cannot be read without LibreOffice."""
    return (
        f"reading {file_format} needs LibreOffice on the server ({HOW_TO_INSTALL}); "
        f"or save the document as {file_format}x and upload that"
    )


def _is_named(suffix: str) -> bool:
    """Tell whether the name is that of a document."""
    return suffix.removeprefix(".") in list(DocumentFormat)


def _unsupported(suffix: str) -> str:
    """Say that the content is of no format; for who has named it so, a list would be no help."""
    if suffix in TEXT_SUFFIXES:
        return f"the file is named {suffix} but holds binary data; save it anew as plain text"
    if _is_named(suffix):
        return f"the file is named {suffix} but holds nothing of the kind; upload an intact copy"
    return UNSUPPORTED


def _detect_ole2(path: Path, suffix: str) -> DocumentFormat:
    found = _answer(ole2.__name__, path)
    if found == ole2.LOCKED:
        raise UnreadableFile(PASSWORD_PROTECTED)
    if found == ole2.OTHER:
        # One that is named like a document has lost it.
        raise UnreadableFile(DAMAGED if _is_named(suffix) else UNSUPPORTED)
    if found not in list(DocumentFormat):
        raise UnreadableFile(DAMAGED)
    return DocumentFormat(found)


def _detect_package(path: Path, suffix: str) -> DocumentFormat:
    with _opened_package(path) as package:
        _check_members(package, path.stat().st_size)
        main = main_part(package)
        if main:
            return DocumentFormat(MAIN_CONTENT_TYPES[main[1]])
        return _detect_open_format(package, suffix)


@contextlib.contextmanager
def _opened_package(path: Path) -> Iterator[zipfile.ZipFile]:
    try:
        with _ShortReads(path) as file, open_zip(file) as package:
            yield package
    except ZIP_ERRORS as error:
        raise UnreadableFile(DAMAGED) from error


class _ShortReads(io.FileIO):
    """A package of which only so much is read at a time: its list of members may be endless."""

    def read(self, size: int | None = -1) -> bytes:
        if size is not None and size > MAX_LIST_BYTES:
            raise UnreadableFile(TOO_MANY_MEMBERS)
        return super().read(size) or b""


def _check_members(package: zipfile.ZipFile, packed: int) -> None:
    members = package.infolist()
    unpacked = sum(member.file_size for member in members)
    is_bomb = unpacked > RATIO_MATTERS_ABOVE_BYTES and unpacked > MAX_RATIO * max(1, packed)
    if unpacked > MAX_UNPACKED_BYTES or is_bomb:
        raise UnreadableFile(TOO_LARGE_INSIDE)
    if any(member.flag_bits & 1 for member in members):
        raise UnreadableFile(PASSWORD_PROTECTED)


def _detect_open_format(package: zipfile.ZipFile, suffix: str) -> DocumentFormat:
    stated = small_member(package, "mimetype").strip() or _listed_type(package)
    if not stated and "META-INF/container.xml" in package.NameToInfo:
        stated = "application/epub+zip"
    if stated not in OPEN_FORMATS:
        # What lists its parts as Office does has lost the main one.
        raise UnreadableFile(DAMAGED if PARTS in package.NameToInfo else _unsupported(suffix))
    return OPEN_FORMATS[stated]


def _listed_type(package: zipfile.ZipFile) -> str:
    """Return what the list of the parts of an OpenDocument package says that all of them are."""
    parts = tags(small_member(package, "META-INF/manifest.xml"), "file-entry")
    return next((one.get("media-type", "") for one in parts if one.get("full-path") == "/"), "")


def _detect_text(path: Path, suffix: str) -> DocumentFormat:
    found = text_format(path, suffix)
    if found is None:
        raise UnreadableFile(_unsupported(suffix))
    if BINARY_SUFFIX.fullmatch(suffix) and found not in OPENED_BY_OFFICE.get(suffix, ()):
        kind = "HTML" if found == "html" else "plain text"
        raise UnreadableFile(
            f"the file is named {suffix} but holds {kind}; upload the document itself, "
            f"or name it .{found}"
        )
    return DocumentFormat(found)


def _check_office_package(path: Path) -> None:
    if ole2.is_ole2(path):
        return  # It is encrypted, and was opened to tell its format.
    with _opened_package(path) as package:
        main = main_part(package)
        if main is None or main[0] not in package.NameToInfo:
            raise UnreadableFile(DAMAGED)


def _check_open_document(path: Path) -> None:
    with _opened_package(path) as package:
        # First, because newer programs encrypt the content within a package of its own.
        if "encryption-data" in small_member(package, "META-INF/manifest.xml"):
            raise UnreadableFile(PASSWORD_PROTECTED)
        if "content.xml" not in package.NameToInfo:
            raise UnreadableFile(DAMAGED)


def _check_epub(path: Path) -> None:
    with _opened_package(path) as package:
        if "META-INF/container.xml" not in package.NameToInfo:
            raise UnreadableFile(DAMAGED)
        encryption = small_member(package, "META-INF/encryption.xml")
    methods = (one.get("Algorithm", "") for one in tags(encryption, "EncryptionMethod"))
    if not FONT_METHODS.issuperset(methods):
        raise UnreadableFile(COPY_PROTECTED)


def _check_rtf(path: Path) -> None:
    """Refuse what only begins as RTF, which is letters but for pictures that say so."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as rtf:
        zero, last_brace = rtf.find(b"\0"), rtf.rfind(b"}")
        # Some programs write zeros behind the last brace.
        is_binary = zero > -1 and not -1 < last_brace < zero
        if is_binary and rtf.find(b"\\bin") < 0:
            raise UnreadableFile(DAMAGED)


def _check_legacy(path: Path) -> None:
    if find_soffice() is None:
        raise UnreadableFile(needs_libreoffice(detect_format(path)))


def _check_xls(path: Path) -> None:
    with path.open("rb") as file:
        is_old = file.read(8).startswith(EXCEL_BEFORE_5)
    if is_old:
        _check_legacy(path)


def _check_pdf(path: Path) -> None:
    _ask(pdf_check.__name__, path)


def _check_image(path: Path) -> None:
    _ask(image_check.__name__, path)


def _ask(program: str, path: Path) -> None:
    if message := REFUSALS.get(_answer(program, path), DAMAGED):
        raise UnreadableFile(message)


def _answer(program: str, path: Path) -> str:
    said = ask(program, path)
    if said == TOO_MUCH:
        raise UnreadableFile(TOO_MUCH_TO_OPEN)
    return said


CHECKS: dict[DocumentFormat, Callable[[Path], None]] = {
    DocumentFormat.PDF: _check_pdf,
    DocumentFormat.DOCX: _check_office_package,
    DocumentFormat.PPTX: _check_office_package,
    DocumentFormat.XLSX: _check_office_package,
    DocumentFormat.DOC: _check_legacy,
    DocumentFormat.PPT: _check_legacy,
    DocumentFormat.XLS: _check_xls,
    DocumentFormat.RTF: _check_rtf,
    DocumentFormat.EPUB: _check_epub,
    DocumentFormat.ODT: _check_open_document,
    DocumentFormat.ODP: _check_open_document,
    DocumentFormat.ODS: _check_open_document,
    DocumentFormat.PNG: _check_image,
    DocumentFormat.JPG: _check_image,
    DocumentFormat.TIFF: _check_image,
    DocumentFormat.WEBP: _check_image,
}
"""What is looked at before a file is accepted; mails and text are what they seem."""
