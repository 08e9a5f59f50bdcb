"""The XML of a Word document, written in few words."""

from indexing.partition.office.package_xml import Element, parse
from indexing.partition.word.elements import MARK, T
from indexing.partition.word.notes import Notes

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
)
NO_NOTES = Notes({}, {})
BREAK = '<w:r><w:br w:type="page"/></w:r>'
SEEN = "<w:r><w:lastRenderedPageBreak/></w:r>"


def words(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


def paragraph(*runs: str) -> str:
    return f"<w:p>{''.join(runs)}</w:p>"


def hidden(text: str, value: str = "1") -> str:
    return f'<w:r><w:rPr><w:vanish w:val="{value}"/></w:rPr><w:t>{text}</w:t></w:r>'


def body_of(*content: str) -> Element:
    return parse(f"<w:body {NAMESPACES}>{''.join(content)}</w:body>".encode())


def pages_of(body: Element) -> list[str]:
    """Return the words of each page, parted at the marks."""
    nodes = body.iter(T, MARK)
    text = "".join("/" if node.tag == MARK else node.text or "" for node in nodes)
    return text.split("/")


def cell(*paragraphs: str) -> str:
    return f"<w:tc>{''.join(paragraphs)}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr>{properties}{''.join(cells)}</w:tr>"


def table(*rows: str) -> str:
    return f"<w:tbl>{''.join(rows)}</w:tbl>"
