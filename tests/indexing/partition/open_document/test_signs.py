from lxml import etree

from indexing.partition.open_document.signs import write_out_signs
from tests.indexing.partition.open_documents import NAMES


def test_signs_are_written_in_the_font_of_their_span() -> None:
    styles = etree.fromstring(
        f"<office:styles {NAMES}>"
        '<style:font-face style:name="Signs1" svg:font-family="Symbol"/>'
        '<style:style style:name="greek"><style:text-properties style:font-name="Signs1"/>'
        '</style:style><style:style style:name="ticks">'
        '<style:text-properties style:font-name="Wingdings"/></style:style></office:styles>'
    )
    body = etree.fromstring(
        f'<text:p {NAMES}>Angle <text:span text:style-name="greek">\uf061<text:s/>\uf062'
        '</text:span> is <text:span text:style-name="ticks">\uf0fc</text:span>\uf061</text:p>'
    )

    write_out_signs(body, [styles])

    assert "".join(body.itertext()) == "Angle αβ is ✓\uf061"
