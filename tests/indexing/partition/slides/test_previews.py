import pptx
import pytest
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.parts.slide import SlidePart

from indexing.partition.slides.previews import previews_of
from tests.files.drawn import png_of

SHAPE = '<v:shape id="_x0000_s1026"><v:imagedata o:relid="{}"/></v:shape>'
DRAWING = (
    '<xml xmlns:v="urn:schemas-microsoft-com:vml" '
    'xmlns:o="urn:schemas-microsoft-com:office:office">{}</xml>'
)


@pytest.fixture
def slide() -> SlidePart:
    deck = pptx.Presentation()
    part: SlidePart = deck.slides.add_slide(deck.slide_layouts[6]).part
    return part


def with_drawing(slide: SlidePart, shapes: str) -> SlidePart:
    """Return the slide with a drawing of such shapes beside it, and a picture beside that."""
    image, _ = slide.get_or_add_image_part(png_of("Code 4711"))
    drawing = Part(PackURI("/ppt/drawings/vmlDrawing1.vml"), "", slide.package, b"")
    relation = drawing.relate_to(image, RELATIONSHIP_TYPE.IMAGE)
    drawing.blob = DRAWING.format(shapes.format(relation)).encode()
    slide.relate_to(drawing, RELATIONSHIP_TYPE.VML_DRAWING)
    return slide


def test_an_object_is_shown_by_the_picture_of_its_id(slide: SlidePart) -> None:
    assert previews_of(with_drawing(slide, SHAPE)) == {"_x0000_s1026": "ppt/media/image1.png"}


@pytest.mark.parametrize(
    ("shapes", "found"),
    [
        pytest.param(f"<v:shape><br>{SHAPE}", 1, id="elements that do not end"),
        pytest.param("<v:shape id='a'/>", 0, id="a shape without a picture"),
        pytest.param(SHAPE.format("rId99"), 0, id="a picture that is not there"),
    ],
)
def test_a_drawing_may_be_written_loosely(shapes: str, found: int, slide: SlidePart) -> None:
    assert len(previews_of(with_drawing(slide, shapes))) == found


def test_an_empty_drawing_shows_nothing(slide: SlidePart) -> None:
    drawing = Part(PackURI("/ppt/drawings/vmlDrawing1.vml"), "", slide.package, b"")
    slide.relate_to(drawing, RELATIONSHIP_TYPE.VML_DRAWING)

    assert previews_of(slide) == {}
