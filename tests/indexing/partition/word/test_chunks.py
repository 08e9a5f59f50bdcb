import zipfile
from pathlib import Path

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part, XmlPart
from docx.oxml import parse_xml

from indexing.ocr import RecognitionFailed
from indexing.partition.office.package_xml import Element, parse
from indexing.partition.word.chunks import MAX_BYTES, MAX_CHUNKS, Chunks, read_chunk
from indexing.partition.word.document import open_docx, read_docx
from indexing.partition.word.elements import P, T, W
from indexing.types import NO_PAGE, Block, BlockKind
from tests.indexing.partition import docx_xml as xml

NAMESPACES = f'{xml.NAMESPACES} xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
PAGE = (
    "<html><h1>Offer 55</h1><p>Valid for one month – for lamps.</p>"
    "<table><tr><th>Lamp</th><th>Price</th></tr><tr><td>Brass</td><td>99 €</td></tr></table></html>"
)
OFFER = [
    Block(BlockKind.HEADING, "Offer 55"),
    Block(BlockKind.TEXT, "Valid for one month – for lamps."),
    Block(BlockKind.TABLE, "Brass | 99 €", header="Lamp | Price"),
]
ARCHIVE = (
    'MIME-Version: 1.0\nContent-Type: multipart/related; type="text/html"; boundary="=b"\n\n--=b\n'
    'Content-Type: text/html; charset="utf-8"\nContent-Transfer-Encoding: quoted-printable\n\n'
    f"{PAGE.replace('–', '=E2=80=93')}\n\n--=b--\n"
)

NOTES = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
PICTURE = b"Content-Type: image/png\n\n"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(PAGE.encode(), id="page"),
        pytest.param(PAGE.removeprefix("<html>").encode(), id="part of a page"),
        pytest.param(b'<?xml version="1.0" encoding="utf-8"?>' + PAGE.encode(), id="xhtml"),
        pytest.param(f'<meta charset="utf-8">{PAGE}'.encode("utf-16"), id="utf-16"),
        pytest.param(f'<meta charset="utf-16">{PAGE}'.encode(), id="not in what it says"),
        pytest.param(f'<meta charset="windows-1252">{PAGE}'.encode("cp1252"), id="code page"),
        pytest.param(ARCHIVE.encode(), id="web archive"),
    ],
)
def test_a_page_keeps_its_headings_and_tables(content: bytes) -> None:
    assert read_chunk(content, ".dat") == OFFER


@pytest.mark.parametrize(
    ("content", "suffix", "texts"),
    [
        pytest.param(b"To <anna@example.com>\n\nGlad", ".txt", ["To <anna@example.com>", "Glad"]),
        pytest.param(b"No tag, and no name.", ".dat", ["No tag, and no name."]),
        pytest.param(
            rb"{\rtf1\ansi Two \b lamps\b0\par for M\'fcller\par}",
            ".rtf",
            ["Two lamps", "for Müller"],
        ),
        pytest.param(b"", ".htm", []),
    ],
    ids=["text", "unnamed text", "rtf", "empty"],
)
def test_text_is_read_by_paragraphs(content: bytes, suffix: str, texts: list[str]) -> None:
    assert [block.text for block in read_chunk(content, suffix)] == texts


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"PK\x03\x04\0\0\0\0", id="package"),
        pytest.param(
            b'<?xml version="1.0"?><pkg:package '
            b'xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">',
            id="flat package",
        ),
    ],
)
def test_what_is_no_text_is_refused(content: bytes) -> None:
    with pytest.raises(RecognitionFailed, match="it is no plain text"):
        read_chunk(content, ".docx")


def test_what_a_document_takes_in_stands_in_its_place_without_page(tmp_path: Path) -> None:
    write(tmp_path / "offer.docx", "Before you read", "<w:altChunk/>", "Yours", page=PAGE.encode())

    (page,) = open_docx(tmp_path / "offer.docx").pages

    assert page.number == NO_PAGE
    assert page.blocks[1:-1] == tuple(OFFER)
    assert [page.blocks[0].text, page.blocks[-1].text] == ["Before you read", "Yours"]
    assert not page.warning


def test_the_pages_that_word_told_without_it_do_not_count(tmp_path: Path) -> None:
    seen = f"<w:sdt><w:sdtContent><w:p>{xml.SEEN}</w:p><w:altChunk/></w:sdtContent></w:sdt>"
    write(tmp_path / "offer.docx", "First", seen, "Last", page=PAGE.encode())

    written = read_docx(tmp_path / "offer.docx")
    written.album.close()

    assert [page.number for page in written.pages] == [NO_PAGE]
    assert not written.needs_layout


def test_a_document_that_is_nothing_else_is_read(tmp_path: Path) -> None:
    control = "<w:sdt><w:sdtContent><w:altChunk/></w:sdtContent></w:sdt>"
    write(tmp_path / "offer.docx", control, page=ARCHIVE.encode())

    (page,) = open_docx(tmp_path / "offer.docx").pages

    assert page.blocks == tuple(OFFER)


def test_in_a_cell_it_is_a_value_of_its_row(tmp_path: Path) -> None:
    cells = [xml.cell(xml.paragraph(xml.words(text))) for text in ("Lamp", "Price", "Brass")]
    taken_in = xml.cell("<w:altChunk/>", "<w:p/>")
    table = xml.table(xml.row(*cells[:2]), xml.row(cells[2], taken_in))
    write(tmp_path / "offer.docx", table, page=b"<p>99 <b>EUR</b></p><p>net</p>")

    (page,) = open_docx(tmp_path / "offer.docx").pages

    assert page.blocks == (Block(BlockKind.TABLE, "Brass | 99 EUR net", header="Lamp | Price"),)


def test_a_header_takes_in_files_too(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("The lanterns arrive on Thursday.")
    header = document.sections[0].header
    header.is_linked_to_previous = False
    take_in(header.part, header._element, "<w:altChunk/>", b"<p>Harbour Light Ltd</p>")
    document.save(str(tmp_path / "letter.docx"))

    (page,) = open_docx(tmp_path / "letter.docx").pages

    texts = [block.text for block in page.blocks]
    assert texts == ["Harbour Light Ltd", "The lanterns arrive on Thursday."]


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_a_note_takes_in_files_too(kind: str, tmp_path: Path) -> None:
    document = docx.Document()
    reference = f'<w:r><w:{kind}Reference w:id="2"/></w:r>'
    document.element.body.insert(0, parse_xml(paragraph_of(xml.words("Prices"), reference)))
    notes = f'<w:{kind}s {NAMESPACES}><w:{kind} w:id="2"/></w:{kind}s>'
    part = XmlPart(PackURI(f"/word/{kind}s.xml"), NOTES, parse_xml(notes), document.part.package)
    document.part.relate_to(part, getattr(RELATIONSHIP_TYPE, f"{kind}s".upper()))
    take_in(part, part.element[0], "<w:altChunk/>", b"<p>Without tax.</p><p>Net.</p>")
    document.save(str(tmp_path / "letter.docx"))

    (page,) = open_docx(tmp_path / "letter.docx").pages

    assert [block.text for block in page.blocks] == ["Prices", "Without tax. Net."]


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    write(tmp_path / "merged.docx", "Before", "<w:altChunk/>", page=b"PK\x03\x04\0\0\0\0")

    (page,) = open_docx(tmp_path / "merged.docx").pages

    assert [block.text for block in page.blocks] == ["Before"]
    assert page.warning.startswith("1 of the files that the document takes in (altChunk) cannot")


def test_a_document_of_which_nothing_can_be_read_tells_why(tmp_path: Path) -> None:
    write(tmp_path / "merged.docx", "<w:altChunk/>", page=b"PK\x03\x04\0\0\0\0")

    (page,) = open_docx(tmp_path / "merged.docx").pages

    assert not page.blocks
    assert "it is no plain text" in page.warning


@pytest.mark.parametrize(
    ("content", "count", "failure"),
    [
        pytest.param(None, 1, "1 of the files * it is missing", id="missing"),
        pytest.param(b"<p>" + b" " * MAX_BYTES, 1, "1 of the files * over 64 MB", id="large"),
        pytest.param(
            b" " * (MAX_BYTES // 2), 4, "2 of the files * over 64 MB", id="again and again"
        ),
        pytest.param(b"", MAX_CHUNKS + 2, "2 of the files * over 10,000", id="many"),
        pytest.param(
            b"".join(
                b'Content-Type: multipart/related; boundary="%d"\n\n--%d\n' % (n, n)
                for n in range(60)
            ),
            1,
            "1 of the files * nested too deeply",
            id="parts within parts",
        ),
    ],
)
def test_what_is_too_much_is_left_out(
    content: bytes | None, count: int, failure: str, tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "package", "w", zipfile.ZIP_DEFLATED) as package:
        if content is not None:
            package.writestr("word/page.mht", content)
    chunks = Chunks(tmp_path / "package")

    chunks.mark(document_of('<w:altChunk r:id="r1"/>' * count), {"r1": "word/page.mht"})

    many, why = failure.split(" * ")
    assert chunks.warning.startswith(many)
    assert why in chunks.warning


def test_a_mark_counts_once(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "package", "w") as package:
        package.writestr("page.htm", PAGE)
    chunks = Chunks(tmp_path / "package")
    document = document_of('<w:altChunk r:id="r1"/>')

    chunks.mark(document, {"r1": "page.htm"})

    (mark,) = ["".join(one.itertext(T)) for one in document.iter(P)]
    assert chunks.marked("Before") is None
    assert chunks.marked(f"1. {mark}") == OFFER
    assert chunks.marked(mark) is None


def test_a_document_without_them_has_none(tmp_path: Path) -> None:
    chunks = Chunks(tmp_path / "not looked into")

    chunks.mark(document_of("<w:p/>"), {})

    assert not chunks
    assert not chunks.warning


def paragraph_of(*content: str) -> str:
    return f"<w:p {NAMESPACES}>{''.join(content)}</w:p>"


def document_of(content: str) -> Element:
    return parse(
        f"<w:document {NAMESPACES}><w:body>{content}</w:body></w:document>".encode(),
    )


def write(path: Path, *content: str, page: bytes) -> None:
    """Write a document of these paragraphs and elements, which takes in a page."""
    document = docx.Document()
    body = document.element.body
    for one in content:
        if "<w:altChunk" in one:
            take_in(document.part, body, one, page)
        else:
            document.add_paragraph(one)
    document.save(str(path))


def take_in(part: Part, parent: Element, content: str, page: bytes) -> None:
    """Add what takes in a page at the end of a part of the document."""
    taken_in = Part(PackURI("/word/page.dat"), "text/html", page, part.package)
    relation = part.relate_to(taken_in, RELATIONSHIP_TYPE.A_F_CHUNK)
    content = content.replace("<w:altChunk", f'<w:altChunk r:id="{relation}"')
    added = parse_xml(f"<w:body {NAMESPACES}>{content}</w:body>")[0]
    if (last := parent.find(f"{W}sectPr")) is None:
        parent.append(added)
    else:
        last.addprevious(added)
