import pytest
from lxml import etree

from indexing.partition.docx_body import (
    MARK,
    MAX_WORDS_ON_A_PAGE,
    TBL,
    TR,
    Notes,
    P,
    R,
    T,
    W,
    is_laid_out,
    parse,
    read_notes,
    rewrite_body,
    rewrite_header,
)

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


def body_of(*content: str) -> etree._Element:
    return parse(f"<w:body {NAMESPACES}>{''.join(content)}</w:body>".encode())


def pages_of(body: etree._Element) -> list[str]:
    """Return the words of each page, parted at the marks."""
    nodes = body.iter(T, MARK)
    text = "".join("/" if node.tag == MARK else node.text or "" for node in nodes)
    return text.split("/")


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


def cell(*paragraphs: str) -> str:
    return f"<w:tc>{''.join(paragraphs)}</w:tc>"


def row(*cells: str, properties: str = "") -> str:
    return f"<w:tr>{properties}{''.join(cells)}</w:tr>"


@pytest.mark.parametrize(
    ("rows", "pages"),
    [
        pytest.param(
            row(cell(paragraph(words("a"))), cell(paragraph(words("b"))))
            + row(cell(paragraph(SEEN, words("c"))), cell(paragraph(words("d")))),
            ["ab", "cd"],
            id="a row begins the page",
        ),
        pytest.param(
            row(
                cell(paragraph(words("a"), SEEN, words("b"))),
                cell(paragraph(words("c"), SEEN, words("d"))),
            ),
            ["ac", "bd"],
            id="a row goes on",
        ),
        pytest.param(
            row(cell(paragraph(words("a"))), cell(), properties="<w:trPr><w:tblHeader/></w:trPr>")
            + row(cell(paragraph(words("b"))), cell())
            + row(cell(paragraph(SEEN, words("c"))), cell())
            + row(cell(paragraph(SEEN, words("d"))), cell()),
            ["ab", "ac", "ad"],
            id="a header is repeated",
        ),
    ],
)
def test_a_table_is_parted_where_a_page_ends(rows: str, pages: list[str]) -> None:
    body = body_of(f"<w:tbl>{rows}</w:tbl>")

    rewrite_body(body, NO_NOTES, pages=None)

    assert pages_of(body) == pages
    assert not list(body.iterfind(f"{W}tbl//{MARK}"))


def table(*rows: str) -> str:
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


INNER = table(row(cell(paragraph(words("in"))), cell(paragraph(words("side")))))


@pytest.mark.parametrize(
    ("content", "found"),
    [
        pytest.param(
            table(row(cell(paragraph(words("a")), INNER), cell(paragraph(words("b"))))),
            ["tbl: a b", "tbl: in side"],
            id="a table in a cell",
        ),
        pytest.param(
            table(row(cell(paragraph(words("a")), INNER, paragraph(words("b"))))),
            ["p: a", "tbl: in side", "p: b"],
            id="a frame around text and a table",
        ),
        pytest.param(
            table(row(cell(paragraph(words("long " * 50)), INNER), cell(paragraph(words("b"))))),
            [f"p: {'long ' * 50}", "tbl: in side", "p: b"],
            id="a layout of running text",
        ),
        pytest.param(
            table(row(cell(table(row(cell(INNER), cell(paragraph(words("a")))))), cell())),
            ["tbl: a", "tbl: in side"],
            id="deep",
        ),
    ],
)
def test_tables_within_tables_keep_their_rows(content: str, found: list[str]) -> None:
    body = body_of(content)

    rewrite_body(body, NO_NOTES, pages=None)

    blocks = [
        f"{block.tag.removeprefix(W)}: {' '.join(block.itertext(T))}"
        for block in body
        if "".join(block.itertext(T))
    ]
    assert blocks == found
    assert not list(body.iterfind(f"{TBL}/{TR}//{TBL}"))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        pytest.param(
            f"<w:sdt><w:sdtPr/><w:sdtContent>{paragraph(words('in'))}</w:sdtContent></w:sdt>",
            ["in"],
            id="content control",
        ),
        pytest.param(
            paragraph(f"<w:ins>{words('new')}</w:ins>", f"<w:del>{words('old')}</w:del>"),
            ["new"],
            id="tracked changes",
        ),
        pytest.param(
            paragraph(words("see "), f"<w:hyperlink>{words('here')}</w:hyperlink>"),
            ["see here"],
            id="hyperlink",
        ),
        pytest.param(
            paragraph("<m:oMath><m:r><m:t>x+1</m:t></m:r></m:oMath>"), ["x+1"], id="formula"
        ),
        pytest.param(
            paragraph(
                words("text"),
                "<w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>"
                f"{paragraph(words('boxed'))}</w:txbxContent></w:drawing></mc:Choice>"
                f"<mc:Fallback><w:pict><w:txbxContent>{paragraph(words('boxed'))}"
                "</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r>",
            ),
            ["text", "boxed"],
            id="text box",
        ),
        pytest.param(
            paragraph(words("shown"), hidden("not "), hidden("by default", value="0")),
            ["shownby default"],
            id="hidden",
        ),
        pytest.param(
            paragraph(words("done "), '<w:r><w:sym w:font="Wingdings" w:char="F0FC"/></w:r>'),
            ["done ✓"],
            id="sign of a symbol font",
        ),
        pytest.param(
            paragraph(words("odd"), '<w:r><w:sym w:font="Symbol" w:char="-1"/><w:sym/></w:r>'),
            ["odd"],
            id="no sign",
        ),
    ],
)
def test_no_words_are_lost_or_doubled(content: str, text: list[str]) -> None:
    body = body_of(content)

    rewrite_body(body, NO_NOTES, pages=None)

    assert ["".join(one.itertext(T)) for one in body.iterchildren(P)] == text


def test_characters_keep_their_place_under_the_notes_that_tell_how_they_are_read() -> None:
    note = f"<w:ruby><w:rt>{words('とう')}</w:rt><w:rubyBase>{words('東')}</w:rubyBase></w:ruby>"
    body = body_of(paragraph(words("in "), f"<w:r>{note}</w:r>", words("京")))

    rewrite_body(body, NO_NOTES, pages=None)

    assert pages_of(body) == ["in 東京"]
    assert [run.findtext(T) for run in body.iterfind(f"{P}/{R}")] == ["in ", "東", None, "京"]


@pytest.mark.parametrize(
    ("number", "raised", "text"),
    [("10", "6", "10^6"), ("10", "-3", "10^-3"), ("1", "st", "1st"), ("m", "2", "m2")],
)
def test_a_raised_number_behind_a_number_is_a_power(number: str, raised: str, text: str) -> None:
    properties = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
    run = f"<w:r>{properties}<w:t>{raised}</w:t></w:r>"
    body = body_of(paragraph(words(number), "<w:proofErr/>", run))

    rewrite_body(body, NO_NOTES, pages=None)

    assert pages_of(body) == [text]


def test_a_header_says_all_in_its_paragraphs() -> None:
    header = parse(
        f"<w:hdr {NAMESPACES}><w:sdt><w:sdtContent>{paragraph(words('in a control'))}"
        "</w:sdtContent></w:sdt></w:hdr>".encode()
    )

    rewrite_header(header)

    assert ["".join(one.itertext(T)) for one in header.iterchildren(P)] == ["in a control"]


def test_word_tells_where_pages_begin_or_does_not() -> None:
    assert is_laid_out(body_of(paragraph(SEEN, words("a"))))
    assert not is_laid_out(body_of(paragraph(BREAK, words("a"))))


def test_notes_are_written_out() -> None:
    part = f"""<w:footnotes {NAMESPACES}>
        <w:footnote w:type="separator" w:id="0"><w:p>{words("-")}</w:p></w:footnote>
        <w:footnote w:id="2"><w:p>{words("See annex.")}{hidden("no")}</w:p></w:footnote>
        </w:footnotes>"""
    body = body_of(
        paragraph(words("a"), '<w:r><w:footnoteReference w:id="2"/></w:r>', SEEN, words("b")),
        paragraph(words("c")),
    )

    rewrite_body(body, Notes(read_notes(part.encode()), {"1": "The end."}), pages=None)

    assert pages_of(body) == ["See annex.a", "bcThe end."]
    assert read_notes(None) == {}


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
