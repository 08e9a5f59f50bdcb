import zipfile
from pathlib import Path

import psutil
import pytest
from PIL import Image

from config.errors import UnreadableFile
from indexing.partition.formats import (
    COPY_PROTECTED,
    PASSWORD_PROTECTED,
    TOO_LARGE_INSIDE,
    TOO_MANY_PIXELS,
    DocumentFormat,
    check_readable,
    detect_format,
    needs_libreoffice,
)
from indexing.partition.office.libreoffice import find_soffice
from indexing.partition.office.ole2 import MAGIC
from tests import libreoffice
from tests.files.hostile_pdfs import pdf, stream
from tests.files.ole2_writer import crowd_of_streams, ole2_file
from tests.indexing.partition.open_documents import write

FILES = Path(__file__).parents[2] / "files"


@pytest.mark.parametrize(
    ("name", "file_format"),
    [
        ("warehouse-lease.pdf", DocumentFormat.PDF),
        ("supplier-handbook.docx", DocumentFormat.DOCX),
        ("quarterly-review.pptx", DocumentFormat.PPTX),
        ("price-list.xlsx", DocumentFormat.XLSX),
        ("price-list.xls", DocumentFormat.XLS),
        ("price-list.ods", DocumentFormat.ODS),
        ("supplier-handbook.odt", DocumentFormat.ODT),
        ("quarterly-review.odp", DocumentFormat.ODP),
        ("lamp-lore.epub", DocumentFormat.EPUB),
        ("delivery.msg", DocumentFormat.MSG),
        ("letter.rtf", DocumentFormat.RTF),
        ("opening-hours.html", DocumentFormat.HTML),
        ("lamp-oil.txt", DocumentFormat.TXT),
    ],
)
def test_the_content_tells_the_format(
    name: str, file_format: DocumentFormat, tmp_path: Path
) -> None:
    nameless = tmp_path / "upload"
    nameless.write_bytes((FILES / name).read_bytes())

    assert check_readable(nameless) is file_format


@pytest.mark.parametrize(
    ("name", "file_format"),
    [
        ("price-list.csv", DocumentFormat.CSV),
        ("inventory-notes.md", DocumentFormat.MD),
        ("delivery.eml", DocumentFormat.EML),
    ],
)
def test_formats_of_text_go_by_their_name(name: str, file_format: DocumentFormat) -> None:
    assert check_readable(FILES / name, name) is file_format


def test_a_web_page_that_libreoffice_saved_as_a_text_is_one(tmp_path: Path) -> None:
    write(tmp_path / "page.odt", "<text:p>Lamps</text:p>")
    with zipfile.ZipFile(tmp_path / "page.odt") as package:
        members = {one: package.read(one) for one in package.namelist()}
    with zipfile.ZipFile(tmp_path / "page.odt", "w") as package:
        for name, content in members.items():
            package.writestr(name, content.replace(b"opendocument.text", b"opendocument.text-web"))

    assert check_readable(tmp_path / "page.odt") is DocumentFormat.ODT


@pytest.mark.parametrize(
    ("start", "file_format"),
    [
        pytest.param("9ba52100", DocumentFormat.DOC, id="Word 1"),
        pytest.param("dba52d00", DocumentFormat.DOC, id="Word 2"),
        pytest.param("0900040000001000", DocumentFormat.XLS, id="Excel 2"),
        pytest.param("0902060000001000", DocumentFormat.XLS, id="Excel 3"),
        pytest.param("0904060000001000", DocumentFormat.XLS, id="Excel 4"),
    ],
)
def test_documents_of_before_ole2_are_known_by_their_first_bytes(
    start: str, file_format: DocumentFormat, tmp_path: Path
) -> None:
    (tmp_path / "upload").write_bytes(bytes.fromhex(start) + bytes(600))

    assert detect_format(tmp_path / "upload") is file_format


@pytest.mark.parametrize("suffix", ["png", "jpg", "tiff", "webp"])
def test_a_picture_is_known_by_its_first_bytes(suffix: str, tmp_path: Path) -> None:
    Image.new("RGB", (30, 20), "navy").save(tmp_path / f"lamp.{suffix}")

    assert check_readable(tmp_path / f"lamp.{suffix}") == suffix


def test_a_big_tiff_is_a_tiff(tmp_path: Path) -> None:
    Image.new("RGB", (30, 20), "navy").save(tmp_path / "lamp.tif", big_tiff=True)

    assert (tmp_path / "lamp.tif").read_bytes().startswith(b"II+")
    assert check_readable(tmp_path / "lamp.tif") is DocumentFormat.TIFF


@pytest.mark.parametrize("suffix", [".pdf", ".docx", ".ODT", ".xls", ".png"])
def test_plain_text_under_the_name_of_something_else_is_refused(suffix: str) -> None:
    with pytest.raises(
        UnreadableFile, match=f"named {suffix.lower()} but holds plain text; upload"
    ):
        check_readable(FILES / "plain-text.pdf", f"report{suffix}")


def test_a_web_page_that_excel_saved_is_read() -> None:
    assert check_readable(FILES / "opening-hours.html", "hours.xls") is DocumentFormat.HTML


@pytest.mark.parametrize(
    ("start", "name", "found"),
    [
        pytest.param(
            "Subject: a\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b--",
            "plan.doc",
            DocumentFormat.EML,
            id="web archive",
        ),
        pytest.param(
            '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
            "report.xls",
            DocumentFormat.XLS,
            id="workbook of Excel 2003",
        ),
        pytest.param(
            '<?xml version="1.0"?><w:wordDocument '
            'xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml">',
            "letter.doc",
            DocumentFormat.DOC,
            id="text of Word 2003",
        ),
    ],
)
def test_what_office_opens_as_text_is_told_by_its_beginning(
    start: str, name: str, found: DocumentFormat, tmp_path: Path
) -> None:
    (tmp_path / "upload").write_text(start)

    assert detect_format(tmp_path / "upload", name) is found
    with pytest.raises(UnreadableFile, match=r"named \.pdf but holds"):
        detect_format(tmp_path / "upload", "report.pdf")


@pytest.mark.parametrize(
    "text",
    [
        "The first bytes of such a file are %PDF-1.7, always.",
        "%PDF-1.7 are the first bytes of such a file.\n",
        "%PDF- stands at the beginning.",
    ],
)
def test_text_about_pdf_is_no_pdf(text: str, tmp_path: Path) -> None:
    (tmp_path / "upload").write_text(text)

    assert check_readable(tmp_path / "upload") is DocumentFormat.TXT


def test_what_is_named_and_begins_as_a_pdf_is_a_damaged_one(tmp_path: Path) -> None:
    (tmp_path / "upload").write_text("%PDF-1.7 broken")

    with pytest.raises(UnreadableFile, match="damaged"):
        check_readable(tmp_path / "upload", "lease.pdf")


def test_a_pdf_that_is_text_alone_is_one_behind_other_lines_too(tmp_path: Path) -> None:
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] >>"
    (tmp_path / "upload").write_bytes(b"Printed by line 7\n" + pdf({3: page}))

    assert check_readable(tmp_path / "upload", "lease.pdf") is DocumentFormat.PDF


@libreoffice.needs_libreoffice
@pytest.mark.parametrize(
    ("stream", "file_format"),
    [("WordDocument", DocumentFormat.DOC), ("PowerPoint Document", DocumentFormat.PPT)],
)
def test_what_libreoffice_reads_is_accepted(
    stream: str, file_format: DocumentFormat, tmp_path: Path
) -> None:
    (tmp_path / "upload").write_bytes(ole2_file({stream: bytes(20)}))

    assert check_readable(tmp_path / "upload") is file_format


@pytest.mark.skipif(find_soffice() is not None, reason="LibreOffice is installed")
def test_what_only_libreoffice_reads_is_refused_without_it(tmp_path: Path) -> None:
    (tmp_path / "upload").write_bytes(ole2_file({"WordDocument": bytes(20)}))

    with pytest.raises(UnreadableFile, match="needs LibreOffice"):
        check_readable(tmp_path / "upload")


def test_the_refusal_says_what_to_do() -> None:
    assert needs_libreoffice(DocumentFormat.PPT) == (
        "reading ppt needs LibreOffice on the server (Debian: apt install "
        "libreoffice-writer-nogui libreoffice-impress-nogui); or save the document as pptx and "
        "upload that"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"", "the file is empty", id="empty"),
        pytest.param(b"%PDF-1.7\nnothing more", "damaged", id="damaged pdf"),
        pytest.param(b"PK\x03\x04 and nothing more", "damaged", id="damaged zip"),
        pytest.param(MAGIC + b"\0" * 600, "damaged", id="damaged container"),
        pytest.param(ole2_file({"Contents": b"x"}), "not supported", id="other container"),
        pytest.param(ole2_file({"EncryptedPackage": b"x"}), "password", id="encrypted Office"),
        pytest.param(b"\x89PNG\r\n\x1a\n cut", "damaged", id="damaged picture"),
        pytest.param(bytes(range(256)), "not supported", id="binary data"),
    ],
)
def test_what_cannot_be_read_is_refused(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "upload").write_bytes(content)

    with pytest.raises(UnreadableFile, match=message):
        check_readable(tmp_path / "upload")


def test_a_truncated_document_is_refused(tmp_path: Path) -> None:
    whole = (FILES / "supplier-handbook.docx").read_bytes()
    (tmp_path / "upload").write_bytes(whole[: len(whole) // 2])

    with pytest.raises(UnreadableFile, match="damaged"):
        check_readable(tmp_path / "upload")


def test_a_package_of_something_else_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "upload", "w") as package:
        package.writestr("readme.txt", "no document")

    with pytest.raises(UnreadableFile, match="not supported"):
        check_readable(tmp_path / "upload")


def test_a_package_without_its_main_part_is_refused(tmp_path: Path) -> None:
    _copy_package(FILES / "price-list.xlsx", tmp_path / "upload", leave_out="xl/workbook.xml")

    with pytest.raises(UnreadableFile, match="damaged"):
        check_readable(tmp_path / "upload")


@pytest.mark.parametrize(
    ("members", "message"),
    [
        pytest.param(
            {
                "mimetype": "application/vnd.oasis.opendocument.text",
                "content.xml": "<x/>",
                "META-INF/manifest.xml": "<manifest:encryption-data/>",
            },
            PASSWORD_PROTECTED,
            id="locked odt",
        ),
        pytest.param(
            {
                "mimetype": "application/vnd.oasis.opendocument.text",
                "encrypted-package": "x",
                "META-INF/manifest.xml": "<manifest:encryption-data/>",
            },
            PASSWORD_PROTECTED,
            id="locked odt of version 1.4",
        ),
        pytest.param(
            {"mimetype": "application/vnd.oasis.opendocument.text"}, "damaged", id="empty odt"
        ),
        pytest.param({"mimetype": "application/epub+zip"}, "damaged", id="empty epub"),
        pytest.param(
            {
                "META-INF/container.xml": "<container/>",
                "META-INF/encryption.xml": '<EncryptionMethod Algorithm="urn:aes"/>',
            },
            COPY_PROTECTED,
            id="protected epub",
        ),
        pytest.param({"mimetype": "image/openraster"}, "not supported", id="something else"),
    ],
)
def test_an_open_package_that_cannot_be_read_is_refused(
    members: dict[str, str], message: str, tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "upload", "w") as package:
        for name, content in members.items():
            package.writestr(name, content)

    with pytest.raises(UnreadableFile, match=message):
        check_readable(tmp_path / "upload")


def test_an_open_package_may_name_its_type_in_its_list_alone(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "upload", "w") as package:
        package.writestr("content.xml", "<content/>")
        package.writestr(
            "META-INF/manifest.xml",
            '<m:file-entry m:full-path="content.xml" m:media-type="text/xml"/><m:file-entry '
            'm:full-path="/" m:media-type="application/vnd.oasis.opendocument.text"/>',
        )

    assert check_readable(tmp_path / "upload") is DocumentFormat.ODT


def test_fonts_may_be_hidden_in_a_book(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "upload", "w") as package:
        package.writestr("META-INF/container.xml", "<container/>")
        package.writestr(
            "META-INF/encryption.xml",
            '<EncryptionMethod Algorithm="http://www.idpf.org/2008/embedding"/>',
        )

    assert check_readable(tmp_path / "upload") is DocumentFormat.EPUB


def test_a_picture_of_too_many_pixels_is_refused(tmp_path: Path) -> None:
    Image.new("1", (20_000, 10_001)).save(tmp_path / "bomb.png")

    with pytest.raises(UnreadableFile, match=TOO_MANY_PIXELS):
        check_readable(tmp_path / "bomb.png")


def test_a_zip_bomb_is_refused(tmp_path: Path) -> None:
    _copy_package(FILES / "price-list.xlsx", tmp_path / "upload")
    with zipfile.ZipFile(tmp_path / "upload", "a", zipfile.ZIP_DEFLATED) as package:
        package.writestr("xl/bomb.xml", b"\0" * 32 * 1024**2)

    with pytest.raises(UnreadableFile, match=TOO_LARGE_INSIDE):
        check_readable(tmp_path / "upload")


def test_form_that_is_drawn_by_adobe_alone_is_refused(tmp_path: Path) -> None:
    catalog = b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] /XFA 5 0 R >> %s >>"
    form = stream(b'<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template/></xdp:xdp>')
    drawn, empty = tmp_path / "drawn.pdf", tmp_path / "empty.pdf"
    drawn.write_bytes(pdf({1: catalog % b"", 5: form}))
    empty.write_bytes(pdf({1: catalog % b"/NeedsRendering true", 5: form}))

    assert check_readable(drawn) is DocumentFormat.PDF
    with pytest.raises(UnreadableFile, match=r"form that only Adobe.*print it to a PDF"):
        check_readable(empty)


def test_a_locked_pdf_is_refused(tmp_path: Path) -> None:
    from reportlab.pdfgen.canvas import Canvas

    canvas = Canvas(str(tmp_path / "upload"), encrypt="secret")
    canvas.drawString(60, 700, "Nobody reads this.")
    canvas.save()

    with pytest.raises(UnreadableFile, match=PASSWORD_PROTECTED):
        check_readable(tmp_path / "upload")


@pytest.mark.parametrize("handler", ["Adobe.PubSec", "FOPN_fLock"])
def test_a_pdf_that_no_password_opens_is_refused_for_that(handler: str, tmp_path: Path) -> None:
    objects = {1: b"<</Type/Catalog/Pages 2 0 R>>", 2: b"<</Type/Pages/Kids[]/Count 0>>"}
    trailer = b"/Encrypt<</Filter/%s/V 5>>/ID[<00><00>]" % handler.encode()
    (tmp_path / "upload").write_bytes(pdf(objects, trailer))

    with pytest.raises(UnreadableFile, match="protected by a certificate or by rights management"):
        check_readable(tmp_path / "upload")


def _copy_package(source: Path, target: Path, leave_out: str = "") -> None:
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if name != leave_out:
                new.writestr(name, old.read(name))


def test_a_crowd_of_streams_costs_this_process_nothing(tmp_path: Path) -> None:
    (tmp_path / "crowd.doc").write_bytes(crowd_of_streams(100_000))
    before = psutil.Process().memory_info().rss

    with pytest.raises(UnreadableFile, match="damaged"):
        detect_format(tmp_path / "crowd.doc", "crowd.doc")

    # As objects, they take 100 MB.
    assert psutil.Process().memory_info().rss - before < 30_000_000


@pytest.mark.parametrize(
    ("name", "reason"), [("letter.doc", "damaged"), ("setup.msi", "not supported")]
)
def test_a_container_that_is_named_a_document_and_holds_none_is_damaged(
    name: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "container").write_bytes(ole2_file({"Contents": b"x"}))

    with pytest.raises(UnreadableFile, match=reason):
        detect_format(tmp_path / "container", name)


@pytest.mark.parametrize(
    ("member", "name", "reason"),
    [
        ("[Content_Types].xml", "letter.docx", "damaged"),
        ("notes.txt", "letter.docx", "named .docx but holds nothing of the kind"),
        ("notes.txt", "notes.zip", "not supported"),
    ],
)
def test_a_package_without_the_part_that_makes_it_a_document_is_refused(
    member: str, name: str, reason: str, tmp_path: Path
) -> None:
    with zipfile.ZipFile(tmp_path / "package", "w") as package:
        package.writestr(member, "words")

    with pytest.raises(UnreadableFile, match=reason):
        detect_format(tmp_path / "package", name)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("letter.docx", "is named .docx but holds nothing of the kind"),
        ("letter.pdf", "is named .pdf but holds nothing of the kind"),
        ("notes.txt", "is named .txt but holds binary data"),
        ("setup", "not supported"),
    ],
)
def test_bytes_of_no_format_are_refused_by_their_name(
    name: str, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(bytes(range(256)) * 4)

    with pytest.raises(UnreadableFile, match=reason):
        detect_format(tmp_path / "file", name)


@pytest.mark.parametrize(
    "rtf",
    [
        pytest.param(rb"{\rtf1 Lamp}", id="letters"),
        pytest.param(rb"{\rtf1 Lamp}" + bytes(9), id="zeros behind"),
        pytest.param(rb"{\rtf1 {\pict\wmetafile8\bin4 " + bytes(4) + b"} Lamp}", id="a picture"),
    ],
)
def test_rich_text_is_accepted(rtf: bytes, tmp_path: Path) -> None:
    (tmp_path / "letter.rtf").write_bytes(rtf)

    assert check_readable(tmp_path / "letter.rtf") is DocumentFormat.RTF


@pytest.mark.parametrize("content", [b"lamp", b"{lamp}"])
def test_what_only_begins_as_rich_text_is_damaged(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "letter.rtf").write_bytes(rb"{\rtf1 " + ole2_file({"WordDocument": content}))

    with pytest.raises(UnreadableFile, match="damaged"):
        check_readable(tmp_path / "letter.rtf")
