"""Tell the formats of text apart, which carry no signature: by what they say and by their name."""

import io
import re
from pathlib import Path

from indexing.partition.texts.encoding import encoding_of, text_encoding

START_CHARACTERS = 1 << 14

BY_SUFFIX: dict[str, str] = {
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".md": "md",
    ".markdown": "md",
    ".csv": "csv",
    ".tsv": "csv",
    ".eml": "eml",
    ".emlx": "eml",
    ".mbox": "eml",
}

BINARY_SUFFIX = re.compile(
    r"\.(pdf|docx|docm|doc|pptx|pptm|ppt|xlsx|xlsm|xlsb|xls|odt|odp|ods|epub|msg|png|jpg|jpeg|tif|tiff|"
    r"webp|gif|zip|gz|exe)"
)

_HTML_START = re.compile(
    # What one comment has taken is not tried again as two: that would take for ever.
    r"\ufeff?\s*(<\?xml[^>]*\?>\s*)?(?>(?><!--.*?-->\s*)*)<(!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_OFFICE_START = re.compile(
    r"\ufeff?\s*<\?xml[^>]*\?>\s*(?:<\?mso-application[^>]*\?>\s*)?"
    r"<(?:\w{1,20}:)?(Workbook|wordDocument)\b([^>]*)"
)
_OFFICE_XML = {
    "Workbook": ("xls", "urn:schemas-microsoft-com:office:spreadsheet"),
    "wordDocument": ("doc", "http://schemas.microsoft.com/office/word/2003/wordml"),
}
"""What Excel and Word 2003 write as XML, by its first element: what it is read as, and its name."""

# A whole package of OpenDocument or Word in one text, which would be read as its tags.
_FLAT_PACKAGE = re.compile(
    r"\ufeff?\s*<\?xml[^>]*\?>\s*(?:<\?mso-application[^>]*\?>\s*)?<\w{1,20}:(?:document|package)\b[^>]*"
    r"(?:urn:oasis:names:tc:opendocument:xmlns:office|schemas\.microsoft\.com/office/2006/xmlPackage)"
)

_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_MAIL_HEADER = re.compile(
    r"^(From|To|Subject|Date|Message-ID|MIME-Version|Received|Return-Path|Delivered-To|Reply-To|"
    r"Content-Type|X-[\w-]+): ?\S",
    re.IGNORECASE | re.MULTILINE,
)
# As many show a mail that has no telling name.
MAIL_HEADERS = 4

# So long are those of a mail at most that is told though parts of it are binary.
HEAD_BYTES = 1 << 16
_HEADS_ALONE = re.compile(r"(?:From .*\n)?(?>(?:[!-9;-~]+:.*(?>(?:\n[ \t].*)*)(?:\n|\Z))+)")

# A page that was saved with its pictures, by a browser or, for Word, by a wiki.
_WEB_ARCHIVE = re.compile(r"^Content-Type:\s*multipart/related\b", re.IGNORECASE | re.MULTILINE)


def text_format(path: Path, suffix: str) -> str | None:
    """Return the name of the format, None for a file that is not text or not to be read as such.

    Of the name only its suffix is asked, and only where the content admits what it says.
    """
    encoding = text_encoding(path)
    if encoding is None:
        return "eml" if _is_mail_with_binary_parts(path, suffix) else None
    with path.open(encoding=encoding, errors="replace") as file:
        return format_of_text(file.read(START_CHARACTERS), suffix)


def format_of_text(start: str, suffix: str) -> str | None:
    """Return the same of a text that begins so."""
    if _FLAT_PACKAGE.match(start):
        return None
    if found := _by_content(start):
        return found
    if suffix == ".xls" and "\t" in start.strip().partition("\n")[0]:
        return "csv"  # As programs hand tables to Excel.
    named = BY_SUFFIX.get(suffix, "txt")
    if named == "html" and not _TAG.search(start):
        return "txt"
    if _is_mail(_head(start), suffix):
        return "eml"
    return "txt" if named == "eml" else named


def _is_mail_with_binary_parts(path: Path, suffix: str) -> bool:
    """Tell whether the file begins with the heads of a mail, all of it text, whatever follows."""
    with path.open("rb") as file:
        start = file.read(HEAD_BYTES).lstrip()
    heads, _, rest = start.replace(b"\r\n", b"\n").partition(b"\n\n")
    if not rest or encoding_of(io.BytesIO(heads)) is None:
        return False
    head = heads.decode("latin-1")
    return _HEADS_ALONE.fullmatch(head) is not None and (
        _is_mail(head, suffix) or _is_web_archive(head)
    )


def _is_mail(head: str, suffix: str) -> bool:
    headers = len(_MAIL_HEADER.findall(head))
    if BY_SUFFIX.get(suffix) == "eml":
        return headers > 0
    return suffix not in (".txt", *BY_SUFFIX) and headers >= MAIL_HEADERS


def _is_web_archive(head: str) -> bool:
    return bool(_MAIL_HEADER.match(head) and _WEB_ARCHIVE.search(head))


def _by_content(start: str) -> str | None:
    """Return the format of what tells it by itself, whatever its name says."""
    if _HTML_START.match(start):
        return "html"
    if (office := _OFFICE_START.match(start)) and _OFFICE_XML[office[1]][1] in office[2]:
        return _OFFICE_XML[office[1]][0]
    return "eml" if _is_web_archive(_head(start)) else None


def _head(start: str) -> str:
    return start.lstrip().partition("\n\n")[0]
