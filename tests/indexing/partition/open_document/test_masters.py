import pytest
from lxml import etree

from indexing.partition.office.package_xml import Element
from indexing.partition.open_document.masters import write_out_masters
from tests.indexing.partition.open_documents import NAMES

PRESENTATION = 'xmlns:p="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"'
HIDING = (
    '<style:style style:name="own">'
    '<style:drawing-page-properties p:background-objects-visible="false"/></style:style>'
)
SLIDE = '<draw:page draw:master-page-name="Default"/>'
TEXT = "<draw:frame><text:p>Acme Ltd</text:p></draw:frame>"


def element(inner: str) -> Element:
    return etree.fromstring(f"<office:document {NAMES} {PRESENTATION}>{inner}</office:document>")


def shown(slides: str, master: str = TEXT) -> list[str]:
    """Return the text of each slide."""
    content = element(slides)
    styles = f'<style:master-page style:name="Default">{master}</style:master-page>'
    write_out_masters(content, element(styles))
    return ["".join(slide.itertext()) for slide in content if "page" in slide.tag]


def test_what_stands_on_all_slides_is_on_the_first_of_them() -> None:
    other = '<draw:page draw:master-page-name="Other"/>'

    assert shown(other + SLIDE + SLIDE) == ["", "Acme Ltd", ""]


def test_a_slide_may_hide_its_master() -> None:
    hidden = SLIDE.replace("/>", ' draw:style-name="own"/>')

    assert shown(HIDING + hidden + SLIDE) == ["", "Acme Ltd"]


def test_a_footer_is_on_the_first_slide_that_shows_it() -> None:
    footer = '<p:footer-decl p:name="f">For internal use</p:footer-decl>'
    showing = HIDING.replace("background-objects-visible", "display-footer").replace(
        "false", "true"
    )
    slide = '<draw:page p:use-footer-name="f"/>'
    shown_on = slide.replace("/>", ' draw:style-name="own"/>')

    assert shown(footer + showing + slide + shown_on * 2) == ["", "For internal use", ""]


@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(TEXT.replace("frame>", 'frame p:class="title">', 1), id="a place for a text"),
        pytest.param(f"<p:notes>{TEXT}</p:notes>", id="notes"),
        pytest.param(TEXT.replace("Acme", "<text:page-number/>"), id="the number of the slide"),
        pytest.param(TEXT.replace("<text:p>", "<draw:image/><text:p>"), id="a picture"),
        pytest.param(TEXT.replace("Acme Ltd", "– 1 –"), id="no letters"),
    ],
)
def test_what_says_nothing_is_left_out(shape: str) -> None:
    assert shown(SLIDE, shape) == [""]
