from pathlib import Path

import pytest

from indexing.partition.text_formats import text_format

MAIL = "Received: from a\nFrom: a@example.com\nTo: b\nSubject: c\nDate: d\n\nbody"

ARCHIVE = 'Subject: a\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b'
WORKBOOK = (
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<{}Workbook xmlns{}="{}">'
)
SHEETS = "urn:schemas-microsoft-com:office:spreadsheet"
LETTER = '<?xml version="1.0"?><w:wordDocument xmlns:w="{}">'
FLAT = '<?xml version="1.0"?>\n<{} xmlns:a="urn:a" xmlns:b="{}">'
OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
PACKAGE = "http://schemas.microsoft.com/office/2006/xmlPackage"
WORDS = "http://schemas.microsoft.com/office/word/2003/wordml"


@pytest.mark.parametrize(
    ("content", "suffix", "found"),
    [
        pytest.param("Plain words.", "", "txt", id="no name"),
        pytest.param("Plain words.", ".log", "txt", id="some name"),
        pytest.param("a,b\n1,2", ".csv", "csv", id="csv"),
        pytest.param("a\tb\n1\t2", ".tsv", "csv", id="tabs"),
        pytest.param("\na\tb\n1\t2", ".xls", "csv", id="tabs for Excel"),
        pytest.param("No table.\n\tb", ".xls", "txt", id="text named as a workbook"),
        pytest.param("# Title", ".md", "md", id="markdown"),
        pytest.param("<p>part of a page", ".html", "html", id="part of a page"),
        pytest.param("no tag at all", ".html", "txt", id="html without a tag"),
        pytest.param("\n<!-- x --><!DOCTYPE html><p>", ".txt", "html", id="html by content"),
        pytest.param('<?xml version="1.0"?>\n<html>', "", "html", id="xhtml"),
        pytest.param("From: a\nSubject: b\n\nbody", ".eml", "eml", id="mail"),
        pytest.param("no heads at all", ".eml", "txt", id="eml without heads"),
        pytest.param("From a Mon\nFrom: a\n\nbody", ".mbox", "eml", id="mailbox"),
        pytest.param(MAIL, "", "eml", id="mail by content"),
        pytest.param(MAIL, ".txt", "txt", id="mail that is named text"),
        pytest.param(ARCHIVE, ".mht", "eml", id="web archive"),
        pytest.param(ARCHIVE, ".doc", "eml", id="web archive named doc"),
        pytest.param(ARCHIVE.replace("related", "mixed"), ".mht", "txt", id="another archive"),
        pytest.param("About\n\n" + ARCHIVE, ".txt", "txt", id="text about archives"),
        pytest.param(WORKBOOK.format("", "", SHEETS), ".xls", "xls", id="workbook"),
        pytest.param(WORKBOOK.format("x:", ":x", SHEETS), ".xml", "xls", id="prefixed workbook"),
        pytest.param(WORKBOOK.format("", "", "urn:other"), ".xml", "txt", id="other workbook"),
        pytest.param(LETTER.format(WORDS), ".doc", "doc", id="letter"),
        pytest.param(FLAT.format("office:document", OPEN_DOCUMENT), ".fods", None, id="flat sheet"),
        pytest.param(FLAT.format("pkg:package", PACKAGE), ".xml", None, id="flat Word document"),
        pytest.param(FLAT.format("a:document", "urn:b"), ".xml", "txt", id="other document"),
        pytest.param("\0\1\2 binary", ".txt", None, id="binary"),
    ],
)
def test_the_name_is_asked_where_the_content_admits_it(
    content: str, suffix: str, found: str | None, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text(content)

    assert text_format(tmp_path / "file", suffix) == found


@pytest.mark.parametrize(
    ("content", "suffix", "found"),
    [
        pytest.param("From: a\nSubject: b\n\na \0 b", ".eml", "eml", id="stray byte"),
        pytest.param(f"From a Mon\n{MAIL}\0\1\2\3", "", "eml", id="mail by content"),
        pytest.param(
            MAIL.replace("b\nS", "b,\n c\nS").replace("\n", "\r\n") + "\0",
            ".mail",
            "eml",
            id="folded heads",
        ),
        pytest.param(ARCHIVE + "\0\1\2\3", ".mhtml", "eml", id="web archive"),
        pytest.param(MAIL + "\0", ".txt", None, id="named text"),
        pytest.param("From: a\nSubject: b\n\n\0", ".dat", None, id="too few heads"),
        pytest.param(f"From: a\0\n{MAIL}", ".eml", None, id="binary within the heads"),
        pytest.param(f"SQLite\n{MAIL}\0", ".eml", None, id="no heads alone"),
        pytest.param(MAIL.partition("\n\n")[0] + "\nX: \0", ".eml", None, id="heads without end"),
    ],
)
def test_a_mail_with_binary_parts_is_told_by_its_heads(
    content: str, suffix: str, found: str | None, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text(content, newline="")

    assert text_format(tmp_path / "file", suffix) == found
