import pptx
import pytest
from lxml import etree
from pptx.presentation import Presentation
from pptx.slide import Slide
from pptx.util import Inches

from indexing.partition.slides.masters import write_out_masters
from tests.indexing.partition.slides.test_pictures import NAMESPACES

LAYOUT = 6  # the blank one


@pytest.fixture
def deck() -> Presentation:
    return pptx.Presentation()


def with_text(holder: Slide, text: str, runs: str = "<a:r><a:t>{}</a:t></a:r>") -> None:
    """Set a text on a layout or a master."""
    shape = (
        f'<p:sp {NAMESPACES}><p:nvSpPr><p:cNvPr id="99" name="x"/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
        '<p:spPr><a:xfrm><a:off x="914400" y="0"/><a:ext cx="9" cy="9"/></a:xfrm></p:spPr>'
        f"<p:txBody><a:bodyPr/><a:p>{runs.format(text)}</a:p></p:txBody></p:sp>"
    )
    holder.shapes._spTree.append(etree.fromstring(shape))


def texts(slide: Slide, seen: set[str] | None = None) -> list[str]:
    write_out_masters(slide, set() if seen is None else seen)
    return [shape.text_frame.text for shape in slide.shapes]


def test_what_stands_on_all_slides_is_on_the_first_of_them(deck: Presentation) -> None:
    layout = deck.slide_layouts[LAYOUT]
    with_text(layout, "Internal use only")
    with_text(layout.slide_master, "Acme Ltd")
    first, second = deck.slides.add_slide(layout), deck.slides.add_slide(layout)
    other = deck.slides.add_slide(deck.slide_layouts[5])
    seen: set[str] = set()

    assert texts(first, seen) == ["Internal use only", "Acme Ltd"]
    assert first.shapes[0].left == Inches(1)
    assert texts(second, seen) == []
    assert texts(other, seen) == [""]


@pytest.mark.parametrize("hides", ["slide", "layout"])
def test_what_a_slide_hides_is_left_out(hides: str, deck: Presentation) -> None:
    layout = deck.slide_layouts[LAYOUT]
    with_text(layout, "Internal use only")
    with_text(layout.slide_master, "Acme Ltd")
    slide = deck.slides.add_slide(layout)
    (slide if hides == "slide" else layout)._element.set("showMasterSp", "0")

    assert texts(slide) == ([] if hides == "slide" else ["Internal use only"])


@pytest.mark.parametrize(
    "runs",
    [
        pytest.param(
            '<a:r><a:t>Page </a:t></a:r><a:fld id="9" type="slidenum"><a:t>7</a:t></a:fld>',
            id="the number of the slide",
        ),
        pytest.param("<a:r><a:t>– 1 –</a:t></a:r>", id="no letters"),
    ],
)
def test_what_says_nothing_is_left_out(runs: str, deck: Presentation) -> None:
    layout = deck.slide_layouts[LAYOUT]
    with_text(layout, "", runs)

    assert texts(deck.slides.add_slide(layout)) == []


def test_the_prompts_of_placeholders_are_left_out(deck: Presentation) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[0])
    before = len(slide.shapes)

    assert len(texts(slide)) == before
