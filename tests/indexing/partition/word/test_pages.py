import pytest

from indexing.partition.office.package_xml import parse
from indexing.partition.word.body import rewrite_body
from indexing.partition.word.pages import is_laid_out
from indexing.partition.word.room import MAX_WORDS_ON_A_PAGE
from tests.indexing.partition.docx_xml import (
    BREAK,
    NAMESPACES,
    NO_NOTES,
    SEEN,
    body_of,
    pages_of,
    paragraph,
    words,
)


@pytest.mark.parametrize(
    ("content", "pages"),
    [
        pytest.param(paragraph(words("a"), SEEN, words("b")), ["a", "b"], id="seen by Word"),
        pytest.param(
            paragraph(words("a"), BREAK) + paragraph(SEEN, words("b")),
            ["a", "b"],
            id="set and seen",
        ),
        pytest.param(
            paragraph(words("a"), BREAK, SEEN, BREAK) + paragraph(SEEN, words("b")),
            ["a", "", "b"],
            id="an empty page",
        ),
        pytest.param(
            paragraph(words("a"), BREAK) + paragraph(words("b"), SEEN, words("c")),
            ["a", "b", "c"],
            id="set, then seen",
        ),
        pytest.param(
            paragraph(words("a"))
            + paragraph("<w:pPr><w:pageBreakBefore/></w:pPr>", SEEN, words("b")),
            ["a", "b"],
            id="paragraph that begins a page",
        ),
        pytest.param(
            paragraph("<w:pPr><w:pageBreakBefore/></w:pPr>", words("a")),
            ["a"],
            id="first paragraph that begins a page",
        ),
        pytest.param(
            paragraph("<w:pPr><w:sectPr/></w:pPr>", words("a"))
            + paragraph(SEEN, words("b"))
            + "<w:sectPr/>",
            ["a", "b"],
            id="section on a new page",
        ),
        pytest.param(
            paragraph("<w:pPr><w:sectPr/></w:pPr>", words("a"))
            + paragraph(words("b"))
            + '<w:sectPr><w:type w:val="continuous"/></w:sectPr>',
            ["ab"],
            id="section on the same page",
        ),
    ],
)
def test_each_page_break_counts_once(content: str, pages: list[str]) -> None:
    body = body_of(content)

    rewrite_body(body, NO_NOTES, pages=None)

    assert pages_of(body) == pages


STYLES = parse(
    f"""<w:styles {NAMESPACES}>
    <w:style w:styleId="Chapter"><w:pPr><w:pageBreakBefore/></w:pPr></w:style>
    <w:style w:styleId="Annex"><w:basedOn w:val="Chapter"/></w:style>
    <w:style w:styleId="Part"><w:basedOn w:val="Chapter"/>
      <w:pPr><w:pageBreakBefore w:val="0"/></w:pPr></w:style>
    </w:styles>""".encode()
)


@pytest.mark.parametrize(
    ("properties", "pages"),
    [
        pytest.param('<w:pStyle w:val="Chapter"/>', ["a", "b"], id="the style"),
        pytest.param('<w:pStyle w:val="Annex"/>', ["a", "b"], id="what it is based on"),
        pytest.param('<w:pStyle w:val="Part"/>', ["ab"], id="not the style itself"),
        pytest.param(
            '<w:pStyle w:val="Chapter"/><w:pageBreakBefore w:val="0"/>', ["ab"], id="not here"
        ),
    ],
)
def test_a_style_may_begin_a_page(properties: str, pages: list[str]) -> None:
    body = body_of(paragraph(words("a")), paragraph(f"<w:pPr>{properties}</w:pPr>", words("b")))

    rewrite_body(body, NO_NOTES, pages=None, styles=STYLES)

    assert pages_of(body) == pages


def test_word_tells_where_pages_begin_or_does_not() -> None:
    assert is_laid_out(body_of(paragraph(SEEN, words("a"))))
    assert not is_laid_out(body_of(paragraph(BREAK, words("a"))))


@pytest.mark.parametrize(
    ("content", "pages", "known"),
    [
        pytest.param(paragraph(words("a"), SEEN, words("b")), None, True, id="seen by Word"),
        pytest.param(
            paragraph(SEEN, words("word " * (MAX_WORDS_ON_A_PAGE + 1))),
            None,
            False,
            id="written on after Word saw it",
        ),
        pytest.param(
            paragraph(
                words("few words"), '<w:r><w:drawing><wp:extent cy="9000000"/></w:drawing></w:r>'
            ),
            None,
            False,
            id="a picture as high as a page",
        ),
        pytest.param(paragraph(words("few words")), None, True, id="too short for two pages"),
        pytest.param(paragraph(words("word " * 500)), None, False, id="long, no breaks"),
        pytest.param(
            paragraph('<w:pPr><w:spacing w:before="6000"/></w:pPr>', words("few words")) * 3,
            None,
            False,
            id="few words far apart",
        ),
        pytest.param(paragraph(words("灯" * 900)), None, False, id="too long, without blanks"),
        pytest.param(paragraph(words("a")) * 60, None, False, id="many short lines, no breaks"),
        pytest.param(
            "<w:tbl>" + f"<w:tr><w:tc>{paragraph(words('a'))}</w:tc></w:tr>" * 60 + "</w:tbl>",
            None,
            False,
            id="a table of many rows, no breaks",
        ),
        pytest.param(paragraph(words("word " * 500)), 1, True, id="one page by its own account"),
        pytest.param(paragraph(words("a"), BREAK, words("b")), None, True, id="set by the author"),
        pytest.param(
            paragraph(words("a"), BREAK, words("word " * 900)),
            None,
            False,
            id="breaks too far apart",
        ),
    ],
)
def test_a_page_is_known_or_not(content: str, pages: int | None, known: bool) -> None:
    assert rewrite_body(body_of(content), NO_NOTES, pages) is known
