import pytest

from indexing.partition.docx_body import rewrite_body
from indexing.partition.docx_elements import MARK, TBL, TR, T, W
from tests.indexing.partition.docx_xml import (
    NO_NOTES,
    SEEN,
    body_of,
    cell,
    pages_of,
    paragraph,
    row,
    table,
    words,
)


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
