from pathlib import Path

import pytest
from lxml import etree

from indexing.partition.office.package_xml import parse
from indexing.partition.office.pictures import Album, ShownPicture
from indexing.partition.word.elements import T
from indexing.partition.word.pictures import A4_POINTS, mark_pictures
from indexing.types import Block, BlockKind

FILES = Path(__file__).parents[3] / "files"

NAMESPACES = (
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture" '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:wpg="http://schemas.microsoft.com/office/word/2010/wordprocessingGroup" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" '
    'xmlns:v="urn:schemas-microsoft-com:vml"'
)
EXTENT = '<wp:extent cx="3810000" cy="2540000"/>'
CROP = '<a:srcRect l="25000" t="-3000" b="50000"/>'
OWN_SIZE = '<pic:spPr><a:xfrm><a:ext cx="2540000" cy="1905000"/></a:xfrm></pic:spPr>'


def picture(more: str = "", crop: str = "", reference: str = 'r:embed="r1"') -> str:
    fill = f"<pic:blipFill><a:blip {reference}/>{crop}</pic:blipFill>"
    return f"<pic:pic>{fill}{more}</pic:pic>"


def inline(content: str) -> str:
    return f"<w:drawing><wp:inline>{EXTENT}{content}</wp:inline></w:drawing>"


def vml(style: str) -> str:
    return f'<w:pict><v:shape style="{style}"><v:imagedata r:id="r1"/></v:shape></w:pict>'


@pytest.fixture
def album() -> Album:
    return Album(FILES / "supplier-handbook.docx", A4_POINTS)


def marked(run: str, album: Album) -> etree._Element:
    root = parse(f"<w:p {NAMESPACES}><w:r>{run}</w:r></w:p>".encode())
    mark_pictures(root, {"r1": "word/media/image1.png"}, album)
    return root


@pytest.mark.parametrize(
    ("run", "size", "crop"),
    [
        pytest.param(inline(picture()), (300, 200), (0, 0, 0, 0), id="inline"),
        pytest.param(
            inline(picture(crop=CROP)).replace("inline", "anchor"),
            (300, 200),
            (0.25, 0, 0, 0.5),
            id="anchored and cropped",
        ),
        pytest.param(
            inline(f"<wpg:wgp>{picture(OWN_SIZE)}</wpg:wgp>"),
            (200, 150),
            (0, 0, 0, 0),
            id="in a group",
        ),
        pytest.param(
            vml("position:absolute;width:3in;height:4in"), (216, 288), (0, 0, 0, 0), id="VML"
        ),
    ],
)
def test_a_picture_is_marked_behind_its_drawing(
    run: str,
    size: tuple[float, float],
    crop: tuple[float, float, float, float],
    album: Album,
) -> None:
    (mark,) = marked(run, album).iter(T)

    shown = album.shown(Block(BlockKind.TEXT, mark.text or ""))
    assert shown == ShownPicture("word/media/image1.png", *size, crop)


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(inline(picture(reference='r:embed="r9"')), id="of another file"),
        pytest.param(inline(picture(reference='r:link="r1"')), id="linked"),
        pytest.param(vml("width:1in;height:1in"), id="small"),
        pytest.param(vml("width:400;height:400"), id="of unknown size"),
    ],
)
def test_other_pictures_are_not_marked(run: str, album: Album) -> None:
    assert list(marked(run, album).iter(T)) == []


def test_two_pictures_keep_their_order(album: Album) -> None:
    cropped = picture(OWN_SIZE, crop=CROP)

    texts = marked(inline(f"<wpg:wgp>{picture(OWN_SIZE)}{cropped}</wpg:wgp>"), album).iter(T)

    shown = [album.shown(Block(BlockKind.TEXT, text.text or "")) for text in texts]
    assert [one.crop[0] for one in shown if one] == [0, 0.25]
