from pathlib import Path

import pptx
import pytest
from lxml import etree
from pptx.presentation import Presentation
from pptx.slide import Slide
from pptx.util import Inches

from indexing.partition.office.pictures import Album, ShownPicture
from indexing.partition.slides.pictures import mark_pictures
from indexing.types import Block, BlockKind
from tests.files.drawn import png_of
from tests.indexing.partition.slides.test_previews import SHAPE, with_drawing

FILES = Path(__file__).parents[3] / "files"
SHEET = (9_144_000, 6_858_000)

NAMESPACES = (
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" '
    'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" '
    'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
)


@pytest.fixture
def deck() -> Presentation:
    return pptx.Presentation()


@pytest.fixture
def album() -> Album:
    return Album(FILES / "quarterly-review.pptx", 720 * 540)


def blank(deck: Presentation) -> Slide:
    return deck.slides.add_slide(deck.slide_layouts[6])


def marked(slide: Slide, album: Album, backdrops: set[str] | None = None) -> list[ShownPicture]:
    """Mark the pictures and return what the text boxes stand for."""
    mark_pictures(slide, SHEET, album, set() if backdrops is None else backdrops)
    texts = [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
    shown = (album.shown(Block(BlockKind.TEXT, text)) for text in texts)
    return [one for one in shown if one is not None]


def test_a_picture_is_marked_where_it_stands(deck: Presentation, album: Album) -> None:
    slide = blank(deck)
    picture = slide.shapes.add_picture(
        png_of("Code 4711"), Inches(1), Inches(2), Inches(4), Inches(3)
    )
    picture.crop_left = 0.25

    assert marked(slide, album) == [ShownPicture("ppt/media/image1.png", 288, 216, (0.25, 0, 0, 0))]
    box = slide.shapes[-1]
    assert (box.left, box.top) == (Inches(1), Inches(2))


def test_a_picture_in_a_group_has_the_size_it_is_shown_in(deck: Presentation, album: Album) -> None:
    slide = blank(deck)
    group = slide.shapes.add_group_shape()
    group.shapes.add_picture(png_of("Code 4711"), 0, 0, Inches(4), Inches(3))
    group.width, group.height = Inches(8), Inches(6)

    (shown,) = marked(slide, album)

    assert (shown.width, shown.height) == (576, 432)


def test_an_icon_is_not_marked(deck: Presentation, album: Album) -> None:
    slide = blank(deck)
    slide.shapes.add_picture(png_of("Code 4711"), 0, 0, Inches(0.8), Inches(0.8))

    assert marked(slide, album) == []


def test_what_fills_a_shape_or_the_background_is_marked(deck: Presentation, album: Album) -> None:
    slide = blank(deck)
    _, reference = slide.part.get_or_add_image_part(png_of("Code 4711"))
    shape = slide.shapes.add_shape(1, 0, 0, Inches(4), Inches(3))
    fill = f'<a:blipFill {NAMESPACES}><a:blip r:embed="{reference}"/></a:blipFill>'
    shape._element.spPr.append(etree.fromstring(fill))
    background = f"<p:bg {NAMESPACES}><p:bgPr>{fill}</p:bgPr></p:bg>"
    slide._element.cSld.insert(0, etree.fromstring(background))

    assert [one.width for one in marked(slide, album)] == [720, 288]


def test_a_large_picture_of_the_layout_is_marked_on_its_first_slide(
    deck: Presentation, album: Album
) -> None:
    layout = deck.slide_layouts[6]
    first, second = blank(deck), blank(deck)
    _, reference = layout.part.get_or_add_image_part(png_of("Code 4711"))
    for width in (SHEET[0], SHEET[0] // 4):
        first.shapes.add_picture(png_of("Code 4711"), 0, 0, width, SHEET[1])
        picture = first.shapes[-1]._element
        picture.blipFill.blip.set(picture.blipFill.blip.keys()[0], reference)
        layout.shapes._spTree.append(picture)
    backdrops: set[str] = set()

    assert [one.width for one in marked(first, album, backdrops)] == [720]
    assert marked(second, album, backdrops) == []


@pytest.mark.parametrize(
    ("newer", "kept"),
    [
        pytest.param("<a:p><a:r><a:t>new</a:t></a:r></a:p>", "new", id="with text"),
        pytest.param("", "old", id="without text"),
    ],
)
def test_one_of_two_alternatives_is_kept(
    newer: str, kept: str, deck: Presentation, album: Album
) -> None:
    slide = blank(deck)
    shape = (
        '<p:sp><p:nvSpPr><p:cNvPr id="9" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr/>'
        "<p:txBody><a:bodyPr/>{}</p:txBody></p:sp>"
    )
    older = shape.format("<a:p><a:r><a:t>old</a:t></a:r></a:p>")
    content = (
        f"<mc:AlternateContent {NAMESPACES}><mc:Choice>{shape.format(newer)}</mc:Choice>"
        f"<mc:Fallback>{older}</mc:Fallback></mc:AlternateContent>"
    )
    slide.shapes._spTree.append(etree.fromstring(content))

    marked(slide, album)

    assert [shape.text_frame.text for shape in slide.shapes] == [kept]


def test_the_picture_of_an_object_beside_the_slide_is_marked(
    deck: Presentation, album: Album
) -> None:
    slide = blank(deck)
    with_drawing(slide.part, SHAPE)
    frame = (
        f'<p:graphicFrame {NAMESPACES}><p:nvGraphicFramePr><p:cNvPr id="9" name="x"/>'
        "<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><p:xfrm>"
        '<a:off x="914400" y="0"/><a:ext cx="3657600" cy="2743200"/></p:xfrm><a:graphic>'
        '<a:graphicData uri="http://schemas.openxmlformats.org/presentationml/2006/ole">'
        '<p:oleObj spid="_x0000_s1026" progId="Visio.Drawing.11"><p:embed/></p:oleObj>'
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )
    slide.shapes._spTree.append(etree.fromstring(frame))

    assert marked(slide, album) == [ShownPicture("ppt/media/image1.png", 288, 216)]
    assert slide.shapes[-1].left == Inches(1)
