import zipfile
from pathlib import Path

import docx
import docx.shared
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls, qn

from indexing.partition.word.document import open_docx, read_docx
from indexing.types import NO_PAGE, Block, BlockKind, ReadBy
from tests.files.drawn import png_of
from tests.files.make_files import add_rendered_break
from tests.indexing.partition import docx_xml as xml
from tests.libreoffice import needs_libreoffice

FILES = Path(__file__).parents[3] / "files"

SIGN = xml.paragraph(xml.words("Our sign: AB-99"))
DELIVERY = "The supplier delivers within two working days. " * 5


def test_words_stand_on_the_page_that_word_gave_them() -> None:
    document = open_docx(FILES / "supplier-handbook.docx")

    first, second, third = document.pages

    assert (document.title, document.page_count) == ("Supplier Handbook", 3)
    assert first.blocks[-1].text == "A confirmed order may be changed until it is packed,"
    assert second.blocks[0].text == "and after that it can only be returned."
    assert third.blocks[0] == Block(BlockKind.HEADING, "Payment")


def test_a_header_is_kept_once() -> None:
    pages = open_docx(FILES / "supplier-handbook.docx").pages

    texts = [block.text for page in pages for block in page.blocks]

    assert texts.count("Harbour Light Ltd, for suppliers") == 1


def test_headers_and_footers_are_told_from_the_text() -> None:
    written = read_docx(FILES / "supplier-handbook.docx")
    written.album.close()

    assert [block.text for block in written.running] == ["Harbour Light Ltd, for suppliers"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(f"<w:sdt><w:sdtContent>{SIGN}</w:sdtContent></w:sdt>", id="content control"),
        pytest.param(
            xml.paragraph(
                "<w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>"
                f"{SIGN}</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict>"
                f"<w:txbxContent>{SIGN}</w:txbxContent></w:pict></mc:Fallback>"
                "</mc:AlternateContent></w:r>"
            ),
            id="text box",
        ),
        pytest.param(
            xml.table(
                xml.row(
                    xml.cell(xml.paragraph(xml.words("Our sign:"))),
                    f"<w:sdt><w:sdtContent>{xml.cell(xml.paragraph(xml.words('AB-99')))}"
                    "</w:sdtContent></w:sdt>",
                )
            ),
            id="cell of a table",
        ),
        pytest.param(
            xml.paragraph(f"<w:ins>{xml.words('Our sign: AB-99')}</w:ins>"), id="insertion"
        ),
    ],
)
def test_all_that_a_header_says_is_read_once(content: str, tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("The lanterns arrive on Thursday.")
    header = document.sections[0].header
    header.is_linked_to_previous = False
    header._element[:] = parse_xml(f"<w:hdr {xml.NAMESPACES}>{content}</w:hdr>")[:]
    document.save(str(tmp_path / "letter.docx"))

    (page,) = open_docx(tmp_path / "letter.docx").pages

    texts = [block.text for block in page.blocks]
    assert texts == ["Our sign: AB-99", "The lanterns arrive on Thursday."]


def test_headers_of_even_pages_are_read_where_nobody_knows_whether_there_are_any(
    tmp_path: Path,
) -> None:
    document = docx.Document()
    document.add_paragraph("The lanterns arrive on Thursday.")
    document.settings.odd_and_even_pages_header_footer = True
    document.settings._settings.evenAndOddHeaders.set(qn("w:val"), "perhaps")
    document.sections[0].even_page_header.paragraphs[0].text = "Our sign: AB-99"
    document.save(str(tmp_path / "letter.docx"))

    (page,) = open_docx(tmp_path / "letter.docx").pages

    texts = [block.text for block in page.blocks]
    assert texts == ["Our sign: AB-99", "The lanterns arrive on Thursday."]


def test_a_table_keeps_its_rows() -> None:
    _, second, _ = open_docx(FILES / "supplier-handbook.docx").pages

    assert second.blocks[-1] == Block(
        BlockKind.TABLE,
        "Northline | 2 | Ana Ruiz\nSeaway Freight | 5 | Bo Larsen",
        header="Carrier | Days | Contact",
    )


def write_long(path: Path) -> None:
    document = docx.Document()
    for number in range(40):
        document.add_paragraph(f"{number}. {DELIVERY}")
        if number == 30:
            document.add_picture(png_of("Code 4711"), width=docx.shared.Pt(300))
    document.save(str(path))


def test_pages_that_nobody_counted_have_no_number(tmp_path: Path) -> None:
    write_long(tmp_path / "long.docx")

    written = read_docx(tmp_path / "long.docx")

    assert written.needs_layout
    assert [(page.number, len(page.blocks)) for page in written.pages] == [(NO_PAGE, 41)]


@needs_libreoffice
def test_libreoffice_counts_the_pages_that_word_did_not(tmp_path: Path) -> None:
    write_long(tmp_path / "long.docx")

    document = open_docx(tmp_path / "long.docx")
    pages = list(document.pages)

    assert document.page_count == len(pages) == pages[-1].number > 1
    (shown,) = (page for page in pages if page.pictures)
    texts = [block.text for block in shown.blocks]
    at = texts.index("Code 4711")
    assert 0 < at < len(texts) - 1
    assert texts[at - 1].endswith("two working days.")
    assert texts[at + 1].startswith("31.")


def test_a_page_that_word_counted_needs_no_layout() -> None:
    assert not read_docx(FILES / "supplier-handbook.docx").needs_layout


def test_pictures_are_read_on_their_pages(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("The first page.")
    document.add_picture(png_of("Code 4711"), width=docx.shared.Pt(300))
    add_rendered_break(document.add_paragraph())
    document.add_picture(png_of("Code 4712"), width=docx.shared.Pt(300))
    document.save(str(tmp_path / "pictures.docx"))

    first, second = open_docx(tmp_path / "pictures.docx").pages

    assert [block.text for block in first.blocks] == ["The first page.", "Code 4711"]
    assert (first.read_by, first.pictures) == (ReadBy.MIXED, 1)
    assert [block.text for block in second.blocks] == ["Code 4712"]
    assert (second.number, second.read_by) == (2, ReadBy.OCR)


@needs_libreoffice
def test_a_document_that_is_a_scan_has_the_pages_of_its_pictures(tmp_path: Path) -> None:
    document = docx.Document()
    for number in (1, 2, 3):
        document.add_picture(png_of(f"Scanned page {number}", 900), width=docx.shared.Pt(400))
    document.save(str(tmp_path / "scan.docx"))

    pages = open_docx(tmp_path / "scan.docx", 1).pages

    assert [(page.number, page.blocks[0].text, page.read_by) for page in pages] == [
        (2, "Scanned page 2", ReadBy.OCR),
        (3, "Scanned page 3", ReadBy.OCR),
    ]


def test_the_picture_in_a_header_is_read_once(tmp_path: Path) -> None:
    document = docx.Document()
    for number in (1, 2):
        section = document.sections[0] if number == 1 else document.add_section()
        section.header.is_linked_to_previous = False
        run = section.header.paragraphs[0].add_run(f"Part {number}")
        run.add_picture(png_of("Harbour Light Ltd"), width=docx.shared.Pt(200))
        add_rendered_break(document.add_paragraph("The words of"))
        document.add_paragraph(f"part {number}")
    document.save(str(tmp_path / "headers.docx"))

    pages = list(open_docx(tmp_path / "headers.docx").pages)

    texts = [block.text for page in pages for block in page.blocks]
    assert texts.count("Harbour Light Ltd") == 1
    assert texts.index("Harbour Light Ltd") == texts.index("Part 1") + 1
    assert [page.number for page in pages] == sorted({page.number for page in pages})


def test_the_label_in_a_cell_stays_in_its_row(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(rows=3, cols=2)
    for row, name in zip(table.rows, ["Name", "Lantern", "Wick"], strict=True):
        row.cells[0].text = name
    table.cell(0, 1).text = "Label"
    table.cell(1, 1).paragraphs[0].add_run().add_picture(png_of("Code 4711"), docx.shared.Pt(200))
    document.save(str(tmp_path / "table.docx"))

    (page,) = open_docx(tmp_path / "table.docx").pages

    assert page.blocks == (
        Block(BlockKind.TABLE, "Lantern | Code 4711\nWick", header="Name | Label"),
    )


def test_a_template_with_macros_is_read_like_a_document(tmp_path: Path) -> None:
    with (
        zipfile.ZipFile(FILES / "supplier-handbook.docx") as old,
        zipfile.ZipFile(tmp_path / "macros.dotm", "w") as new,
    ):
        for name in old.namelist():
            new.writestr(
                name,
                old.read(name).replace(
                    b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
                    b"application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
                ),
            )

    assert open_docx(tmp_path / "macros.dotm").page_count == 3


def test_headings_are_numbered_as_lawyers_and_the_chinese_do(tmp_path: Path) -> None:
    levels = [("upperRoman", "Article %1", ""), ("decimalZero", "%1.%2", "<w:isLgl/>")]
    levels.append(("chineseCountingThousand", "第%3章", ""))
    levels.append(("decimal", "%3.%4", "<w:isLgl/>"))

    labels = labelled(tmp_path, levels, ["Scope", "Goods", "总则", "定义"], first=4)

    assert labels == ["Article IV Scope", "4.01 Goods", "第一章 总则", "1.1 定义"]


@pytest.mark.parametrize(
    ("kind", "text", "language", "label"),
    [
        pytest.param("cardinalText", "Article %1.", "en-GB", "Article Four. Fees", id="words"),
        pytest.param("ordinalText", "%1 Schedule:", "en-US", "Fourth Schedule: Fees", id="ordinal"),
        pytest.param("cardinalText", "Artikel %1", "de-DE", "Artikel 4 Fees", id="other language"),
        pytest.param("numberInDash", "%1", "en-US", "- 4 - Fees", id="dashes"),
        pytest.param("bahtText", "Part %1:", "en-US", "Part 4: Fees", id="unknown"),
        pytest.param("none", "Note:", "en-US", "Note: Fees", id="no number"),
        pytest.param("none", "%1.", "en-US", "Fees", id="no words"),
    ],
)
def test_the_words_around_the_number_of_a_list_are_read(
    kind: str, text: str, language: str, label: str, tmp_path: Path
) -> None:
    levels = [(kind, text, "")]

    assert labelled(tmp_path, levels, ["Fees"], first=4, language=language) == [label]


def labelled(
    folder: Path,
    levels: list[tuple[str, str, str]],
    names: list[str],
    first: int,
    language: str = "en-US",
) -> list[str]:
    """Return how headings are read, one of each level; of the first, the `first` one."""
    document = docx.Document()
    namespace = nsdecls("w")
    written = "".join(
        f'<w:lvl w:ilvl="{n}"><w:start w:val="{1 if n else first}"/><w:numFmt w:val="{kind}"/>'
        f'{legal}<w:lvlText w:val="{text}"/></w:lvl>'
        for n, (kind, text, legal) in enumerate(levels)
    )
    abstract = f'<w:abstractNum {namespace} w:abstractNumId="90">{written}</w:abstractNum>'
    document.part.numbering_part.element.insert(0, parse_xml(abstract))
    used = f'<w:num {namespace} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'
    document.part.numbering_part.element.append(parse_xml(used))
    for stated in document.styles.element.xpath("w:docDefaults//w:lang"):
        stated.set(qn("w:val"), language)
    for level, name in enumerate(names):
        number = f'<w:ilvl w:val="{level}"/><w:numId w:val="90"/>'
        properties = document.add_paragraph(name)._p.get_or_add_pPr()
        properties.append(parse_xml(f"<w:numPr {namespace}>{number}</w:numPr>"))
    document.save(str(folder / "contract.docx"))

    (page,) = read_docx(folder / "contract.docx").pages

    return [block.text for block in page.blocks]


def test_a_cell_that_goes_on_over_any_number_of_rows_is_read_in_each(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(1000, 2)
    # Far above, the table of the library is gone through again and again.
    for row in table._tbl.tr_lst:
        row.tc_lst[0].vMerge = "continue"
        row.tc_lst[1].p_lst[0].add_r().text = "lamp"
    table._tbl.tr_lst[0].tc_lst[0].p_lst[0].add_r().text = "Lamps"
    document.save(str(tmp_path / "long.docx"))

    (page,) = read_docx(tmp_path / "long.docx").pages

    (block,) = page.blocks
    assert block.header == "Lamps | lamp"
    assert block.text.split("\n") == ["Lamps | lamp"] * 999


@pytest.mark.parametrize("ending", [b'Extension="png"', b'Extension="other"'])
def test_a_picture_that_is_missing_costs_no_text(ending: bytes, tmp_path: Path) -> None:
    """So it is where the list of what is in the package knows nothing of such pictures."""
    document = docx.Document()
    document.add_paragraph("The lanterns arrive on Thursday.")
    document.add_picture(png_of("Twelve lamps"), width=docx.shared.Pt(300))
    document.save(str(tmp_path / "whole.docx"))
    with (
        zipfile.ZipFile(tmp_path / "whole.docx") as whole,
        zipfile.ZipFile(tmp_path / "missing.docx", "w") as target,
    ):
        for name in whole.namelist():
            if not name.startswith("word/media/"):
                target.writestr(name, whole.read(name).replace(b'Extension="png"', ending))

    (page,) = open_docx(tmp_path / "missing.docx").pages

    assert [block.text for block in page.blocks] == ["The lanterns arrive on Thursday."]
    assert "1 of the pictures" in page.warning


@pytest.mark.parametrize("pages", [1, 2])
def test_a_header_that_is_missing_costs_no_text(pages: int, tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("The lanterns arrive on Thursday." if pages == 1 else DELIVERY * 20)
    document.sections[0].header.paragraphs[0].text = "Harbour Light Ltd"
    document.part.drop_rel(document.sections[0]._sectPr.headerReference_lst[0].rId)
    document.part.rels.pop(document.sections[0]._sectPr.headerReference_lst[0].rId, None)
    document.save(str(tmp_path / "letter.docx"))

    first, *_ = open_docx(tmp_path / "letter.docx").pages

    assert first.blocks
    assert first.warning == "a header or footer that the document names is not in the file"


def test_a_thumbnail_that_is_missing_costs_nothing(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("The lanterns arrive on Thursday.")
    document.save(str(tmp_path / "whole.docx"))
    with (
        zipfile.ZipFile(tmp_path / "whole.docx") as whole,
        zipfile.ZipFile(tmp_path / "missing.docx", "w") as target,
    ):
        assert "docProps/thumbnail.jpeg" in whole.namelist()
        for name in whole.namelist():
            if name != "docProps/thumbnail.jpeg":
                target.writestr(name, whole.read(name))

    (page,) = open_docx(tmp_path / "missing.docx").pages

    assert page.blocks[0].text == "The lanterns arrive on Thursday."
    assert not page.warning


@pytest.mark.parametrize("part", ["word/document.xml", "word/fontTable.xml"])
def test_bytes_that_were_spoilt_cost_no_text_before_them(part: str, tmp_path: Path) -> None:
    document = docx.Document()
    for number in range(2000):
        document.add_paragraph(f"Lantern {number**3 % 9973} arrives on day {number**5 % 997}.")
    document.save(str(tmp_path / "spoilt.docx"))
    with zipfile.ZipFile(tmp_path / "spoilt.docx") as package:
        member = package.getinfo(part)
    content = bytearray((tmp_path / "spoilt.docx").read_bytes())
    content[member.header_offset + 30 + len(part) + member.compress_size * 3 // 4] ^= 0xFF
    (tmp_path / "spoilt.docx").write_bytes(content)

    pages = read_docx(tmp_path / "spoilt.docx").pages

    text = "\n".join(block.text for page in pages for block in page.blocks)
    assert "Lantern 0 arrives on day 0.\n" in f"{text}\n"
    assert text.count("Lantern") > (2000 if part == "word/fontTable.xml" else 1000) - 1
    assert f"{part!r} among them" in pages[0].warning
