from indexing.partition.office.package_xml import parse
from indexing.partition.word.elements import W
from indexing.partition.word.list_labels import in_script
from indexing.partition.word.numbering import settle_numbering
from tests.indexing.partition.docx_xml import NAMESPACES

STYLED = f"""<w:numbering {NAMESPACES}>
<w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="Tasks"/></w:abstractNum>
<w:abstractNum w:abstractNumId="1"><w:styleLink w:val="Tasks"/>
<w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="Task %1:"/></w:lvl></w:abstractNum>
</w:numbering>"""
PADDED = f"""<w:numbering {NAMESPACES}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0">
<mc:AlternateContent>
<mc:Choice Requires="w14"><w:numFmt w:val="custom" w:format="001, 002, 003, ..."/></mc:Choice>
<mc:Fallback><w:numFmt w:val="decimal"/></mc:Fallback>
</mc:AlternateContent></w:lvl></w:abstractNum></w:numbering>"""


def test_a_list_has_the_levels_of_its_style() -> None:
    numbering = parse(STYLED.encode())

    settle_numbering(numbering)

    texts = [level.find(f"{W}lvlText").get(f"{W}val") for level in numbering.iter(f"{W}lvl")]
    assert texts == ["Task %1:", "Task %1:"]


def test_numbers_have_the_zeros_of_newer_formats() -> None:
    numbering = parse(PADDED.encode())

    settle_numbering(numbering)

    [number_format] = numbering.iterfind(f".//{W}lvl/{W}numFmt")
    assert in_script(7, number_format.get(f"{W}val", "")) == "007"
