"""Tell the formats of text apart, which carry no signature: by what they say and by their name."""

import re
from pathlib import Path

from indexing.partition.encoding import text_encoding

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
}

BINARY_SUFFIX = re.compile(
    r"\.(pdf|docx|docm|doc|pptx|pptm|ppt|xlsx|xlsm|xls|odt|odp|ods|epub|msg|png|jpg|jpeg|tif|tiff|"
    r"webp|gif|zip|gz|exe)"
)

_HTML_START = re.compile(
    # What one comment has taken is not tried again as two: that would take for ever.
    r"\ufeff?\s*(<\?xml[^>]*\?>\s*)?(?><!--.*?-->\s*)*+<(!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_MAIL_HEADER = re.compile(
    r"^(From|To|Subject|Date|Message-ID|MIME-Version|Received|Return-Path|Delivered-To|Reply-To|"
    r"Content-Type|X-[\w-]+): ?\S",
    re.IGNORECASE | re.MULTILINE,
)
# As many show a mail that has no telling name.
MAIL_HEADERS = 4


def text_format(path: Path, suffix: str) -> str | None:
    """Return the name of the format, None for a file that is not text.

    Of the name only its suffix is asked, and only where the content admits what it says.
    """
    encoding = text_encoding(path)
    if encoding is None:
        return None
    with path.open(encoding=encoding, errors="replace") as file:
        start = file.read(START_CHARACTERS)
    if _HTML_START.match(start):
        return "html"
    named = BY_SUFFIX.get(suffix, "txt")
    if named == "html" and not _TAG.search(start):
        return "txt"
    headers = len(_MAIL_HEADER.findall(start.lstrip().partition("\n\n")[0]))
    if named == "eml":
        return "eml" if headers else "txt"
    return "eml" if suffix not in (".txt", *BY_SUFFIX) and headers >= MAIL_HEADERS else named
