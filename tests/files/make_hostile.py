"""Make files that want to do harm: each of them has to come to a definite end.

They are made anew whenever they are needed, always alike. What they hold besides is harmless.
"""

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from PIL import Image

from tests.files import hostile_packages as packages
from tests.files import hostile_pdfs as pdfs
from tests.files.hostile_packages import BILLION_LAUGHS, OUTSIDE, with_entity, with_members
from tests.files.ole2_writer import ole2_file

FOLDER = Path(__file__).parent
MEGABYTE = 1 << 20

HANDBOOK = ("supplier-handbook.docx", "word/document.xml")
REVIEW = ("quarterly-review.pptx", "ppt/slides/slide1.xml")
PRICES = ("price-list.xlsx", "xl/worksheets/sheet1.xml")
ODT = ("supplier-handbook.odt", "content.xml")
ODS = ("price-list.ods", "content.xml")
BOOK = ("lamp-lore.epub", "text/chapter 1.xhtml")

TRUNCATED = sorted(
    path.name
    for path in FOLDER.iterdir()
    if path.suffix[1:]
    in ("pdf", "docx", "pptx", "xlsx", "xls", "odt", "odp", "ods", "epub", "msg", "png", "tiff")
)

SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    "<sheetData>{}</sheetData></worksheet>"
)
CELL = (
    '<table:table-cell office:value-type="string" table:number-columns-repeated="{}">'
    "<text:p>lamp</text:p></table:table-cell>"
)

MULTIPART = "Content-Type: multipart/mixed; boundary=b{0}\n\n--b{0}\n"
MAIL = "From: ana@example.com\nSubject: Lamps\n"


@dataclass(frozen=True, slots=True)
class Hostile:
    """A file that wants to do harm, and how it has to end."""

    name: str
    make: Callable[[], bytes]
    ends: Literal["refused", "failed", "partial", "read"]
    says: str = ""  # what the refusal or the reason says, or what the text holds


def hostile_files() -> Iterator[Hostile]:
    """Yield every file."""
    yield from _packages()
    yield from _entities()
    yield from _sheets()
    yield from _pdfs()
    yield from _pictures()
    yield from _mails()
    yield from _texts()
    yield from _disguised()


def _packages() -> Iterator[Hostile]:
    inflating = packages.inflating
    inside = "inflates to far more"
    yield Hostile("bomb.docx", lambda: inflating(*HANDBOOK, gigabytes=4), "refused", inside)
    for name, member, ends, says in [
        (*HANDBOOK, "failed", "is damaged"),
        (*ODT, "failed", "is damaged"),
        (*ODS, "failed", "is damaged"),
        (*PRICES, "partial", "'xl/worksheets/sheet1.xml' among them"),
        ("price-list.xlsx", "xl/sharedStrings.xml", "partial", "'xl/sharedStrings.xml' among them"),
        ("supplier-handbook.docx", "[Content_Types].xml", "refused", "damaged"),
        ("lamp-lore.epub", "mimetype", "refused", "damaged"),
    ]:
        yield Hostile(
            f"lies about {Path(member).name} of {name}",
            lambda name=name, member=member: inflating(name, member, gigabytes=4, stated=1000),
            ends,
            says,
        )
    yield Hostile("overlapping.docx", lambda: packages.overlapping(3000), "refused", inside)
    yield Hostile(
        "members.docx", lambda: packages.with_many_members(100_000), "refused", "too many files"
    )
    yield Hostile("package in package.docx", _package_in_package, "read", "Storm lantern")
    yield Hostile("odd list.docx", _odd_list, "read", "Orders are placed")
    yield Hostile("styles.odt", _styles_on_styles, "read", "Orders are placed")
    yield Hostile("chapters.epub", _repeated_chapters, "read", "storm lantern")
    yield Hostile("escaping.docx", _escaping_members, "read", "Orders are placed")
    yield Hostile("linked.docx", _linked_picture, "read", "Orders are placed")
    yield Hostile("endless.xls", _endless_container, "failed")


def _package_in_package() -> bytes:
    package = packages.with_many_members(1)
    for _ in range(20):
        package = with_members("price-list.xlsx", {"[Content_Types].xml": b"", "in.zip": package})
    return package


def _odd_list() -> bytes:
    """Return a package whose list of parts takes for ever, if it is searched without care."""
    return with_members(
        "supplier-handbook.docx", {"[Content_Types].xml": b"<Override" * 200_000 + b"a" * 100_000}
    )


def _styles_on_styles() -> bytes:
    """Return a text with 20,000 styles, each of which builds upon the next."""
    style = '<style:style style:name="{}" style:family="paragraph" style:parent-style-name="{}"/>'
    styles = "".join(style.format(f"s{n}", f"s{n + 1}") for n in range(20_000))
    start = b"<office:automatic-styles>"
    content = packages.member(*ODT).replace(start, start + styles.encode())
    return with_members(ODT[0], {ODT[1]: content})


def _repeated_chapters() -> bytes:
    """Return a book that has its two chapters in turn, again and again."""
    book = packages.member(BOOK[0], "text/book.opf")
    end = b"</spine>"
    again = b'<itemref idref="c1"/><itemref idref="c2"/>' * 60_000
    return with_members(BOOK[0], {"text/book.opf": book.replace(end, again + end)})


def _escaping_members() -> bytes:
    names = ("../../etc/passwd", "/etc/passwd", "..\\..\\windows\\system.ini", "a" * 60_000)
    return with_members("supplier-handbook.docx", dict.fromkeys(names, b"root::0:0::/:/bin/sh"))


def _linked_picture() -> bytes:
    return linked_docx("http://127.0.0.1:9/lamp.png")


def linked_docx(address: str) -> bytes:
    """Return the handbook with relations to an address on the network."""
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    relations = "".join(
        f'<Relationship Id="x{name}" Type="{kind}/{name}" '
        f'Target="{address}" TargetMode="External"/>'
        for name in ("image", "attachedTemplate", "oleObject", "hyperlink", "frame")
    )
    part = "word/_rels/document.xml.rels"
    old = packages.member("supplier-handbook.docx", part)
    return with_members(
        "supplier-handbook.docx",
        {part: old.replace(b"</Relationships>", relations.encode() + b"</Relationships>")},
    )


def _endless_container() -> bytes:
    """Return a container whose lists of sectors begin again and again."""
    content = bytearray(ole2_file({"Workbook": bytes(20)}))
    struct.pack_into("<I", content, 512 + 4, 1)
    struct.pack_into("<I", content, 512 + 8, 1)
    return bytes(content)


def _entities() -> Iterator[Hostile]:
    laughs = (BILLION_LAUGHS, "&e9;")
    spy = (OUTSIDE, "&spy;")
    order = ("lamp-lore.epub", "text/book.opf")
    for name, member, text, ends, says in [
        (*HANDBOOK, "Orders are", "failed", "entities"),
        (*ODT, "Orders are", "failed", "entities"),
        (*ODS, "Storm", "failed", "entities"),
        (*order, "Lamp", "partial", "'text/book.opf', which tells"),
    ]:
        suffix = Path(name).suffix
        yield Hostile(
            f"laughs{suffix}",
            lambda at=(name, member), text=text: with_entity(*at, *laughs, text),
            ends,
            says,
        )
    yield Hostile(
        "spy.docx", lambda: with_entity(*HANDBOOK, *spy, "Orders are"), "failed", "is damaged"
    )
    # Of a presentation the slide is lost, or the entity alone.
    for kind, entity, ends, says in [
        ("laughs", laughs, "partial", "'ppt/slides/slide1.xml'"),
        ("spy", spy, "read", "Lamps sold"),
    ]:
        yield Hostile(
            f"{kind}.pptx",
            lambda entity=entity: with_entity(*REVIEW, *entity, "Quarterly"),
            ends,
            says,
        )
    for name, member, text in [(*ODT, "Orders are"), (*ODS, "Storm"), (*BOOK, "The storm")]:
        yield Hostile(
            f"spy{Path(name).suffix}",
            lambda at=(name, member), text=text: with_entity(*at, *spy, text),
            "read",
            text,
        )
    picture = '<svg xmlns="http://www.w3.org/2000/svg"><text>&spy;</text></svg>The storm'
    yield Hostile(
        "spy in svg.epub", lambda: with_entity(*BOOK, OUTSIDE, picture, ""), "read", "storm lantern"
    )
    for declared, kind in ((BILLION_LAUGHS + "&e9;", "laughs"), (OUTSIDE + "&spy;", "spy")):
        yield Hostile(
            f"{kind}.html",
            lambda declared=declared: f"<html>{declared}<p>Deck lamps</html>".encode(),
            "read",
            "Deck lamps",
        )
    yield Hostile(
        "deep.docx",
        lambda: packages.nested(*HANDBOOK, "<w:body>", "w:p"),
        "failed",
        "nested too deeply",
    )
    start = '<office:text text:use-soft-page-breaks="true">'
    yield Hostile(
        "deep.odt",
        lambda: packages.nested(*ODT, start, "text:section"),
        "failed",
        "nested too deeply",
    )
    yield Hostile("deep.epub", lambda: packages.nested(*BOOK, "<body>", "div"), "read", "storm")


def _sheets() -> Iterator[Hostile]:
    corners = (
        '<row r{0}"1"><c r{0}"A1"><v>1</v></c></row>'
        '<row r{0}"1048576"><c r{0}"XFD1048576"><v>2</v></c></row>'
    )
    for name, equals in (("corners", "="), ("corners apart", " = ")):
        yield Hostile(
            f"{name}.xlsx",
            lambda equals=equals: _sheet(corners.format(equals)),
            "read",
            "1",
        )
    row = f"<row>{'<c><v>1</v></c>' * 100}</row>"
    yield Hostile("million.xlsx", lambda: _sheet(row * 10_000), "read", "1 | 1")
    yield Hostile(
        "columns.ods", lambda: _rows(f"<table:table-row>{CELL.format(10**9)}"), "read", "lamp"
    )
    rows = '<table:table-row table:number-rows-repeated="{}">'
    yield Hostile("rows.ods", lambda: _rows(rows.format(10**9) + CELL.format(1)), "read", "lamp")
    wide = '<table:table-row><table:table-cell table:number-columns-repeated="16383"/>'
    many = f"{wide}{CELL.format(1)}</table:table-row>{rows.format(100_000)}{CELL.format(1)}"
    yield Hostile("one wide row.ods", lambda: _rows(many), "read", "lamp")
    odd = '<table:table-cell office:value-type="float" office:value="{}"><text:p>lamp</text:p>'
    numbers = "".join(f"{odd.format(number)}</table:table-cell>" for number in ("1.1.1", "1E999"))
    yield Hostile("numbers.ods", lambda: _rows(f"<table:table-row>{numbers}"), "read", "lamp")
    yield Hostile(
        "rows and columns.ods",
        lambda: _rows(rows.format(9_999_999) + CELL.format(9_999_999)),
        "partial",
        "more than 3,000,000 filled cells",
    )
    yield Hostile("long line.csv", lambda: b"lamp," * MEGABYTE, "read", "lamp | lamp")
    wide = b"lamp\n" * 4900 + b"lamp," * 60_000
    yield Hostile("one wide row.csv", lambda: wide, "read", "lamp")
    yield Hostile("quotes.csv", lambda: b"lamp,lamp\n" + b'"' * MEGABYTE, "read", "lamp")
    yield Hostile("zeros.csv", lambda: b"a,b\0\n" * 1000, "refused", "holds binary data")


def _sheet(rows: str) -> bytes:
    return with_members(PRICES[0], {PRICES[1]: SHEET.format(rows).encode()})


def _rows(row: str) -> bytes:
    content = packages.member(*ODS).decode()
    return with_members(
        ODS[0],
        {
            ODS[1]: content.replace(
                "<table:table-row", f"{row}</table:table-row>\n<table:table-row", 1
            ).encode()
        },
    )


def _pdfs() -> Iterator[Hostile]:
    words, memory = "stored in the warehouse", "MB of memory"
    yield Hostile("flate bomb.pdf", lambda: pdfs.flate_bomb(4), "failed", memory)
    yield Hostile("chained filters.pdf", pdfs.chained_filters, "failed", memory)
    yield Hostile("drawing of itself.pdf", pdfs.recursive_form, "failed", memory)
    yield Hostile("doubling.pdf", lambda: pdfs.doubling_forms(40), "failed", memory)
    yield Hostile("page tree.pdf", pdfs.page_tree_cycle, "partial", "cannot be read")
    for name, make in [
        ("page count", pdfs.million_pages),
        ("loop of tables", pdfs.previous_loop),
        ("outline", pdfs.outline_loop),
        ("arrays", pdfs.nested_arrays),
        ("large page", pdfs.huge_page),
        ("script", pdfs.script),
    ]:
        yield Hostile(f"{name}.pdf", make, "read", words)
    yield Hostile("large picture.pdf", pdfs.huge_picture, "failed", "nothing of it was read")


def _pictures() -> Iterator[Hostile]:
    pixels = "more than 200 million pixels"
    yield Hostile("bomb.png", lambda: png(60_000, 60_000, MEGABYTE), "refused", pixels)
    yield Hostile("promise.png", lambda: png(14_000, 14_000, 100), "failed", "cannot be read")
    yield Hostile("bomb.jpg", _large_jpeg, "refused", pixels)
    yield Hostile("bomb.webp", _large_webp, "refused", pixels)
    yield Hostile("bomb.tiff", lambda: tiff(60_000, 60_000), "refused", pixels)
    yield Hostile("promise.tiff", lambda: tiff(14_000, 14_000), "failed", "cannot be read")
    yield Hostile("loop.tiff", _looping_tiff, "failed", "no text")


def png(width: int, height: int, filled: int) -> bytes:
    """Return the beginning of a picture of so many pixels."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    content = [(b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * filled)), (b"IEND", b"")]
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in content
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def tiff(width: int, height: int) -> bytes:
    """Return a picture of so many pixels with one short packed strip."""
    strip = zlib.compress(b"\0" * 1000)
    entries = [
        *((256, 4, width), (257, 4, height), (258, 3, 8), (259, 3, 8), (262, 3, 1)),
        *((273, 4, 8), (277, 3, 1), (278, 4, height), (279, 4, len(strip))),
    ]
    return _tiff(strip, entries, next_directory=0)


def _tiff(strip: bytes, entries: list[tuple[int, int, int]], next_directory: int) -> bytes:
    strip += b"\0" * (len(strip) % 2)
    directory = b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in entries)
    at = 8 + len(strip)
    head = b"II*\0" + struct.pack("<I", at) + strip + struct.pack("<H", len(entries))
    return head + directory + struct.pack("<I", at if next_directory else 0)


def _looping_tiff() -> bytes:
    """Return a picture of one frame that says the next one is itself."""
    entries = [
        *((256, 4, 20), (257, 4, 20), (258, 3, 8), (259, 3, 1), (262, 3, 1)),
        *((273, 4, 8), (277, 3, 1), (278, 4, 20), (279, 4, 400)),
    ]
    return _tiff(b"\xff" * 400, entries, next_directory=1)


def _large_jpeg() -> bytes:
    picture = io.BytesIO()
    Image.new("L", (16, 16)).save(picture, "JPEG")
    content = bytearray(picture.getvalue())
    struct.pack_into(">HH", content, content.index(b"\xff\xc0") + 5, 65_000, 65_000)
    return bytes(content)


def _large_webp() -> bytes:
    body = b"WEBPVP8L" + struct.pack("<I", 6) + b"\x2f" + struct.pack("<I", 16383 | 16383 << 14)
    return b"RIFF" + struct.pack("<I", len(body) + 1) + body + b"\0"


def _mails() -> Iterator[Hostile]:
    body = "\n\nThe deck lamps are on their way."
    words = "deck lamps are on their way"

    def mail(heads: str) -> Callable[[], bytes]:
        return lambda: f"{MAIL}{heads}{body}".encode()

    yield Hostile("heads.eml", mail("X-Head: lamp\n" * 10_000 + "To: bo"), "read", words)
    yield Hostile("long head.eml", mail("To: " + "=?a?q?" * 500_000), "read", words)
    yield Hostile(
        "parameters.eml", mail("Content-Type: text/plain" + "; a" * 500_000), "read", words
    )
    deep = "".join(MULTIPART.format(n) for n in range(10_000))
    yield Hostile("deep parts.eml", mail(deep), "failed", "nested too deeply")
    inside = "Content-Type: message/rfc822\n\n" * 10_000
    yield Hostile("mail in mail.eml", mail(inside), "failed", "nested too deeply")
    names = ("../../etc/passwd", "/etc/passwd", "C:\\\\windows\\\\a.ini", "a" * 50_000)
    parts = "".join(
        f'--b\nContent-Disposition: attachment; filename="{name}"\n\nlamp\n' for name in names
    )
    yield Hostile(
        "escaping.eml",
        mail(f"Content-Type: multipart/mixed; boundary=b\n\n{parts}--b--"),
        "read",
        "Attachments: ../../etc/passwd, /etc/passwd",
    )
    yield Hostile("zero.eml", mail("To: \0"), "refused", "holds binary data")
    yield Hostile("escaping.msg", _escaping_msg, "read", "../../etc/passwd")
    many_lines = "Content-Type: text/plain\n\n" + "a\n" * MEGABYTE
    deep = "".join(MULTIPART.format(n) for n in range(200))
    yield Hostile("deep lines.eml", mail(deep + many_lines), "failed", "nested too deeply")
    long_name = "Content-Type: text/plain; charset=punycode\n\n" + "ab" * MEGABYTE
    yield Hostile("long name.eml", mail(long_name), "read", words)
    for number, charset in enumerate(("=zlib", "=undefined", "=idna", "*=utf-8''%00")):
        heads = f"Content-Type: text/plain; charset{charset}"
        yield Hostile(f"charset {number}.eml", mail(heads), "read", words)


def _escaping_msg() -> bytes:
    name = "../../etc/passwd".encode("utf-16-le")
    properties = bytes(8)
    return ole2_file(
        {
            "__properties_version1.0": bytes(32),
            "__attach_version1.0_#00000000/__properties_version1.0": properties
            + struct.pack("<IIII", 0x3707001F, 6, len(name) + 2, 0),
            "__attach_version1.0_#00000000/__substg1.0_3707001F": name,
        }
    )


def _texts() -> Iterator[Hostile]:
    for name, content in [
        ("quotes.md", b">" * 100_000),
        ("brackets.md", b"[" * 100_000),
        ("pictures.md", b"![](" * 100_000),
        ("references.md", b"[a\n" * 100_000),
        ("stars.md", b"*a **b _c " * 20_000),
        ("front matter.md", b"---\ntitle: a" + b" " * 60_000 + b"b\n---\n"),
        ("headings.md", b"<h1>\n" * 200_000),
        ("heading.md", b"<h1>\n" + b"<" * MEGABYTE + b"\n</h1>"),
        ("tags.html", b"<div>" * 100_000),
        ("tables.html", b"<table><tr><td>lamp " * 30_000),
        ("wide table.html", b"<table>" + b"<tr><td rowspan=1000 colspan=1000>lamp" * 3000),
        ("charsets.html", b"<html>\xe9" + b"<meta " * 9000 + b"charset=" + b" " * 60_000),
        ("comments.html", b"<!---->" * 2000 + b"lamp"),
        ("attribute.html", b'<html><p title="' + b"lamp" * MEGABYTE + b'">'),
        ("letters.txt", b"\xe9" * MEGABYTE),
        ("line.txt", b"lamp" * MEGABYTE),
    ]:
        yield Hostile(
            name,
            lambda content=content: content + b"\n\n<p>The deck lamps are sold.</p>\n",
            "read",
            "deck lamps are sold",
        )
    braces = b"{\\rtf1 " + b"{" * 20_000 + b"The deck lamps are sold."
    yield Hostile("braces.rtf", lambda: braces, "partial", "copy\n\nThe deck lamps are sold")
    yield Hostile("titles.html", lambda: b"<html>" + b"<title>" * 9000, "failed", "no text")


def _disguised() -> Iterator[Hostile]:
    lease = (FOLDER / "warehouse-lease.pdf").read_bytes()
    review = (FOLDER / "quarterly-review.pptx").read_bytes()
    yield Hostile("empty.pdf", lambda: b"", "refused", "empty")
    yield Hostile("one byte.docx", lambda: b"P", "refused", "holds plain text")
    yield Hostile("one zero.txt", lambda: b"\0", "refused", "holds binary data")
    yield Hostile("pdf and zip.pdf", lambda: lease + review, "read", "WAREHOUSE LEASE")
    yield Hostile("zip and pdf.pptx", lambda: review + lease, "read", "Quarterly Review")
    yield Hostile("page and pdf.html", lambda: b"<html><p>Deck lamps</p>" + lease, "read")
    yield Hostile("script.gif", lambda: b"GIF89a=1;alert(1)//" + bytes(50), "refused")
    yield Hostile("lease.docx", lambda: lease, "read", "WAREHOUSE LEASE")
    yield Hostile("review.pdf", lambda: review, "read")
    for name in TRUNCATED:
        is_seen_late = name == "fax.tiff"
        yield Hostile(
            f"half of {name}",
            lambda name=name: _half(FOLDER / name),
            "failed" if is_seen_late else "refused",
        )


def _half(path: Path) -> bytes:
    content = path.read_bytes()
    return content[: len(content) // 2]
