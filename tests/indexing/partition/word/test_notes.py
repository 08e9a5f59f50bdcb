from pathlib import Path

import docx
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part

from indexing.partition.office.package_xml import parse
from indexing.partition.word.document import open_docx
from indexing.partition.word.elements import MARK, TBL, P, text_of
from indexing.partition.word.notes import blocks_of_note
from tests.indexing.partition.docx_xml import NAMESPACES, SEEN, paragraph, words

NUMBERED = '<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="{}"/></w:numPr></w:pPr>'
ROW = f"<w:tr><w:tc>{paragraph(words('Oil'))}</w:tc><w:tc>{paragraph(words('7'))}</w:tc></w:tr>"


def test_the_paragraphs_of_a_note_are_one_but_for_items_and_tables() -> None:
    note = parse(
        f"""<w:footnote {NAMESPACES} w:id="2">{paragraph(words("One."))}{paragraph(words("Two."))}
        {paragraph(NUMBERED.format(1), words("item"))}<w:tbl>{ROW}</w:tbl>
        {paragraph(SEEN, words("Three."))}{paragraph()}</w:footnote>""".encode()
    )

    blocks = blocks_of_note(note)

    assert [block.tag for block in blocks] == [P, P, TBL, P]
    assert list(map(text_of, blocks)) == ["One. Two.", "item", "Oil 7", "Three."]
    assert not [mark for block in blocks for mark in block.iter(MARK)]


def test_lists_in_footnotes_have_numbers_of_their_own(tmp_path: Path) -> None:
    document = docx.Document()
    style = document.styles["List Number"]
    (number,) = style.element.xpath("w:pPr/w:numPr/w:numId/@w:val")
    anchor = document.add_paragraph("Lamps need oil.", "List Number")
    reference = f'<w:r {NAMESPACES}><w:footnoteReference w:id="2"/></w:r>'
    anchor._p.append(parse(reference.encode()))
    document.add_paragraph("And wicks.", "List Number")
    items = [paragraph(NUMBERED.format(number), words(oil)) for oil in ("of whales", "of seeds")]
    note = f"""<w:footnotes {NAMESPACES}><w:footnote w:id="2">{paragraph(words("Either"))}
        {"".join(items)}<w:tbl>{ROW}{ROW}</w:tbl></w:footnote></w:footnotes>"""
    name, package = PackURI("/word/footnotes.xml"), document.part.package
    part = Part(name, CONTENT_TYPE.WML_FOOTNOTES, note.encode(), package)
    document.part.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
    document.save(str(tmp_path / "lamps.docx"))

    (page,) = open_docx(tmp_path / "lamps.docx").pages

    assert [block.text for block in page.blocks] == [
        "1. Lamps need oil.",
        "Either",
        "1. of whales",
        "2. of seeds",
        "Oil | 7\nOil | 7",
        "2. And wicks.",
    ]
