"""Make the files of text, mail and books, and those that LibreOffice makes of other files."""

import struct
import zipfile
from collections.abc import Iterable
from pathlib import Path

from indexing.partition.office.libreoffice import converted
from tests.files.ole2_writer import ole2_file

NOTICE_HTML = """<!DOCTYPE html>
<html><head><title>Notice to Customers</title><style>p { color: navy }</style></head>
<body><h1>Opening hours</h1>
<p>The shop at Dock Road is open from <b>nine to six</b>; on Sundays it is closed.</p>
<script>document.write("never read")</script>
<h2>Repairs</h2>
<table><tr><th>Lamp</th><th>Days</th></tr><tr><td>Storm lantern</td><td>3</td></tr>
<tr><td>Signal lamp</td><td>10</td></tr></table>
</body></html>
"""

NOTES_MARKDOWN = """# Inventory Notes

The count of *spare wicks* is off by twelve.

## Shelves

- shelf A holds glass
- shelf B holds brass

| Shelf | Boxes |
| ----- | ----- |
| A     | 14    |
| B     | 9     |
"""

MAIL = """From: =?utf-8?Q?J=C3=BCrgen_Falk?= <falk@northline.example>
To: orders@harbour-light.example
Subject: =?utf-8?Q?Delivery_on_Thursday_=E2=80=93_gate_3?=
Date: Tue, 5 Mar 2024 09:12:00 +0100
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer"

--outer
Content-Type: multipart/alternative; boundary="inner"

--inner
Content-Type: text/plain; charset="iso-8859-1"
Content-Transfer-Encoding: quoted-printable

The forty lanterns arrive on Thursday, f=FCnf Kisten in all.

--inner
Content-Type: text/html; charset="utf-8"

<p>The forty lanterns arrive on Thursday.</p>

--inner--
--outer
Content-Type: text/plain; name="packing-list.txt"
Content-Disposition: attachment; filename="packing-list.txt"

Box 1 holds eight storm lanterns.

--outer
Content-Type: application/pdf; name="../../waybill.pdf"
Content-Disposition: attachment; filename="../../waybill.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK

--outer--
"""

LETTER_RTF = r"""{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Arial;}}
{\info{\title Letter to the Landlord}}\f0
The roof above bay 4 leaks, as we wrote in M\'e4rz.\par
\trowd\cellx3000\cellx6000\intbl Bay\cell Buckets\cell\row
\trowd\cellx3000\cellx6000\intbl 4\cell 11\cell\row
\pard Please send a roofer.\par}
"""

CHAPTERS = [
    ("Of Lanterns", "The storm lantern burns for thirty hours on one filling of oil."),
    ("Of Lighthouses", "The light at Portishead Point was lit in 1930 and is lit still."),
]


def make_further_formats(folder: Path, prices: Iterable[tuple[object, ...]]) -> None:
    """Write the files of text, mail, books, and those that LibreOffice makes of the others."""
    (folder / "opening-hours.html").write_text(NOTICE_HTML)
    (folder / "inventory-notes.md").write_text(NOTES_MARKDOWN)
    (folder / "delivery.eml").write_text(MAIL)
    (folder / "letter.rtf").write_text(LETTER_RTF)
    (folder / "lamp-oil.txt").write_bytes(
        "Lampenöl für Köln\n\nDie Fässer stehen in Halle 2.\n".encode("cp1252")
    )
    lines = ["Article;Name;Price"] + [f"{code};{name};{price}" for code, name, price, *_ in prices]
    (folder / "price-list.csv").write_text("\n".join(lines) + "\n")
    make_book(folder / "lamp-lore.epub")
    make_outlook_mail(folder / "delivery.msg")
    for source, target in [
        ("supplier-handbook.docx", "doc"),
        ("supplier-handbook.docx", "odt"),
        ("quarterly-review.pptx", "odp"),
        ("price-list.xlsx", "xls"),
        ("price-list.xlsx", "ods"),
    ]:
        convert(folder / source, target)


def make_book(path: Path) -> None:
    """Write a book of two chapters and a list of contents."""
    files = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": (
            '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
            '<rootfile full-path="text/book.opf"/></rootfiles></container>'
        ),
        "text/book.opf": (
            '<package xmlns="http://www.idpf.org/2007/opf" '
            'xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Lamp Lore</dc:title>'
            '</metadata><manifest><item id="nav" href="nav.xhtml" properties="nav"/>'
            '<item id="c1" href="chapter%201.xhtml"/><item id="c2" href="chapter%202.xhtml"/>'
            '</manifest><spine><itemref idref="nav"/><itemref idref="c1"/><itemref idref="c2"/>'
            "</spine></package>"
        ),
        "text/nav.xhtml": "<html><body><p>Contents</p></body></html>",
    }
    for number, (heading, text) in enumerate(CHAPTERS, start=1):
        files[f"text/chapter {number}.xhtml"] = (
            '<?xml version="1.0" encoding="utf-8"?><html xmlns="http://www.w3.org/1999/xhtml">'
            f"<head><title/></head><body><h1>{heading}</h1><p>{text}</p></body></html>"
        )
    with zipfile.ZipFile(path, "w") as book:
        for name, content in files.items():
            book.writestr(zipfile.ZipInfo(name, (2024, 4, 2, 9, 0, 0)), content)


def make_outlook_mail(path: Path) -> None:
    """Write a mail as Outlook keeps it, with an attachment."""
    mail = {
        0x0037: "Delivery on Thursday",
        0x0C1A: "Jürgen Falk",
        0x0C1F: "falk@northline.example",
        0x1000: "The forty lanterns arrive on Thursday, fünf Kisten in all.\r\n",
    }
    recipient = {0x3001: "Orders", 0x3003: "orders@harbour-light.example"}
    attachment = {0x3707: "../../waybill.pdf", 0x370E: "application/pdf"}
    streams = {
        **outlook_properties(mail, header=b"\0" * 16 + struct.pack("<II", 1, 1) + b"\0" * 8),
        **outlook_properties(recipient, "__recip_version1.0_#00000000/", header=b"\0" * 8),
        **outlook_properties(attachment, "__attach_version1.0_#00000000/", header=b"\0" * 8),
    }
    path.write_bytes(ole2_file(streams))


def outlook_properties(
    texts: dict[int, str], folder: str = "", *, header: bytes
) -> dict[str, bytes]:
    """Return the streams of some properties that are text."""
    streams = {
        f"{folder}__substg1.0_{key:04X}001F": value.encode("utf-16-le")
        for key, value in texts.items()
    }
    entries = [
        struct.pack("<HHIII", 0x001F, key, 6, 2 * len(value) + 2, 0) for key, value in texts.items()
    ]
    return {f"{folder}__properties_version1.0": header + b"".join(entries), **streams}


def convert(source: Path, target: str) -> None:
    """Let LibreOffice save a file in another format, beside it."""
    with converted(source, source.suffix[1:], [target]) as (result,):
        source.with_suffix(f".{target}").write_bytes(result.read_bytes())
