"""OpenDocument packages with nothing but what a test is about."""

import zipfile
from pathlib import Path

from indexing.partition.open_document.document import read_odt

NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in [
        *((name, name) for name in ("office", "text", "table", "style")),
        ("draw", "drawing"),
        ("svg", "svg-compatible"),
        ("fo", "xsl-fo-compatible"),
    ]
)
NAMES += ' xmlns:xlink="http://www.w3.org/1999/xlink"'
BREAK = (
    "<office:automatic-styles "
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0">'
    '<style:style style:name="new"><style:paragraph-properties fo:break-before="page"/>'
    "</style:style></office:automatic-styles>"
)

OTHER_FILE = '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/hostname">]>'

MANIFEST = (
    '<m:manifest xmlns:m="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
    '<m:file-entry m:full-path="/" m:media-type="application/vnd.oasis.opendocument.{kind}"/>'
    '<m:file-entry m:full-path="content.xml" m:media-type="text/xml"/></m:manifest>'
)


def write(
    path: Path,
    body: str,
    kind: str = "text",
    before: str = "",
    breaks: str = 'text:use-soft-page-breaks="true"',
) -> None:
    """Write an OpenDocument package with nothing but a content."""
    content = (
        f"{before}<office:document-content {NAMES}>{BREAK}<office:body>"
        f"<office:{kind} {breaks}>{body}</office:{kind}></office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        package.writestr("content.xml", content)
        package.writestr("META-INF/manifest.xml", MANIFEST.format(kind=kind))


def texts(path: Path) -> list[list[str]]:
    """Return what stands on each page of a text."""
    return [[block.text for block in page.blocks] for page in read_odt(path).pages]


def write_with_picture(path: Path, body: str, note: Path, kind: str = "text") -> Path:
    """Write an OpenDocument package with a picture in it."""
    layout = '<style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm"/>'
    content = (
        f"<office:document-content {NAMES}><office:automatic-styles>{layout}"
        f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}>"
        "</office:body></office:document-content>"
    )
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("mimetype", f"application/vnd.oasis.opendocument.{kind}")
        package.writestr("content.xml", content)
        package.write(note, "Pictures/note.png")
        package.writestr("Pictures/note.svg", "<svg/>")
    return path


def image(member: str = "Pictures/note.png") -> str:
    return f'<draw:image xlink:href="{member}"/>'


def frame(content: str, size: str = 'svg:width="10cm" svg:height="5cm"') -> str:
    return f"<draw:frame {size}>{content}</draw:frame>"


def table(*rows: list[str]) -> str:
    """Return the XML of a table; what stands in a cell is a text, or XML itself."""
    lines = (f"<table:table-row>{''.join(map(_cell, row))}</table:table-row>" for row in rows)
    return f"<table:table>{''.join(lines)}</table:table>"


def _cell(content: str) -> str:
    inner = content if content.startswith("<") else f"<text:p>{content}</text:p>"
    return f"<table:table-cell>{inner}</table:table-cell>"
