import re
import time
from pathlib import Path

import docx
import pytest
from lxml import etree

from indexing.partition.word.body import rewrite_body
from indexing.partition.word.document import read_docx
from indexing.partition.word.elements import MARK, TBL, TR, P, T, W
from indexing.partition.word.tables import untangle_tables, widen_merged_cells
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
            ["ab", "c", "d"],
            id="over several pages",
        ),
    ],
)
def test_a_table_is_parted_where_a_page_ends(rows: str, pages: list[str]) -> None:
    body = body_of(f"<w:tbl>{rows}</w:tbl>")

    rewrite_body(body, NO_NOTES, pages=None)

    assert [re.sub("[\x91\x92]", "", page) for page in pages_of(body)] == pages
    assert not list(body.iterfind(f"{W}tbl//{MARK}"))


def across(text: str, value: str) -> str:
    content = paragraph(words(text)) if text else "<w:p/>"
    return f'<w:tc><w:tcPr><w:hMerge w:val="{value}"/></w:tcPr>{content}</w:tc>'


def test_cells_merged_as_older_programs_write_it_are_one() -> None:
    cells = [across("2024", "restart"), across("", "continue"), across("", "continue")]
    body = body_of(table(row(cell(paragraph(words("Lamp"))), *cells)))

    widen_merged_cells(body)

    assert [text.text for text in body.iter(T)] == ["Lamp", "2024"]
    assert [span.get(f"{W}val") for span in body.iter(f"{W}gridSpan")] == ["3"]


def test_a_merged_cell_that_says_something_stays() -> None:
    body = body_of(table(row(across("2024", "restart"), across("Sold", "continue"))))

    widen_merged_cells(body)

    assert [text.text for text in body.iter(T)] == ["2024", "Sold"]


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


HEADED = row(cell(paragraph(words("Office"))), cell(paragraph(words("Name"))))


def test_a_layout_table_of_very_many_parts_is_taken_out_at_once() -> None:
    columns = '<w:gridCol w:w="1" w:x="1"/>' * 100_000
    body = body_of(table(f"<w:tblGrid>{columns}</w:tblGrid>", row(cell(paragraph(words("lamps"))))))
    began = time.process_time()

    untangle_tables(body)

    assert time.process_time() - began < 5  # It took 20 s.
    assert [one.tag for one in body] == [P]


def merged(*runs: str, value: str = "") -> str:
    return cell(f"<w:tcPr><w:vMerge{value}/></w:tcPr>", paragraph(*runs))


def blocks_of(tmp_path: Path, *content: str) -> list[tuple[str, str]]:
    """Return header and text of each block of a document."""
    document = docx.Document()
    for block in reversed(body_of(*content)):
        document.element.body.insert(0, docx.oxml.parse_xml(etree.tostring(block)))
    document.save(str(tmp_path / "tables.docx"))
    pages = read_docx(tmp_path / "tables.docx").pages
    return [(block.header, block.text) for page in pages for block in page.blocks]


def tables_of(tmp_path: Path, *content: str) -> list[tuple[str, str]]:
    """Return header and rows of each table of a document."""
    return [block for block in blocks_of(tmp_path, *content) if block[0]]


def test_each_page_has_the_header_of_its_table(tmp_path: Path) -> None:
    rows = [row(*(cell(paragraph(words(f"{name} {n}"))) for name in ("Ana", "lamp"))) for n in "ab"]
    last = row(cell(paragraph(SEEN, words("Cy"))), cell(paragraph(words("wick"))))

    tables = tables_of(tmp_path, table(HEADED, *rows, last))

    assert tables == [
        ("Office | Name", "Ana a | lamp a\nAna b | lamp b"),
        ("Office | Name", "Cy | wick"),
    ]


def test_a_name_merged_over_rows_stands_in_each_of_them(tmp_path: Path) -> None:
    begins = row(
        merged(words("North"), value=' w:val="restart"'),
        cell(paragraph(words("Ana"), SEEN, words("Lee"))),
    )
    rows = [row(merged(), cell(paragraph(words(name)))) for name in ("Bo", "Cy")]

    tables = tables_of(tmp_path, table(HEADED, begins, *rows))

    assert tables == [
        ("Office | Name", "North | Ana"),
        ("Office | Name", "North | Lee\nNorth | Bo\nNorth | Cy"),
    ]


def test_a_cell_that_spans_no_column_spans_one(tmp_path: Path) -> None:
    nothing = '<w:tcPr><w:gridSpan w:val="0"/><w:vMerge/></w:tcPr>'
    begins = row(merged(words("North"), value=' w:val="restart"'), cell(paragraph(words("Ana"))))

    tables = tables_of(
        tmp_path,
        table(HEADED, begins, row(cell(nothing, paragraph()), cell(paragraph(words("Bo"))))),
    )

    assert tables == [("Office | Name", "North | Ana\nNorth | Bo")]


def numbered(*runs: str) -> str:
    return paragraph('<w:pPr><w:pStyle w:val="ListNumber"/></w:pPr>', *runs)


def test_numbers_count_on_through_cells_and_around_tables(tmp_path: Path) -> None:
    rows = [
        row(cell(numbered(words("Ana"))), cell(numbered(words("lamp")), numbered(words("wick")))),
        row(cell(numbered()), cell(paragraph(words("oil")))),
    ]

    blocks = blocks_of(
        tmp_path, numbered(words("first")), table(HEADED, *rows), numbered(words("last"))
    )

    assert blocks == [
        ("", "1. first"),
        ("Office | Name", "2. Ana | 3. lamp 4. wick\n5. | oil"),
        ("", "6. last"),
    ]


def test_numbers_within_nested_tables_count_where_they_stand(tmp_path: Path) -> None:
    inner = table(HEADED, row(cell(numbered(words("Bo"))), cell(paragraph(words("c")))))
    outer = row(cell(numbered(words("Ana")), inner), cell(numbered(words("d"))))

    tables = tables_of(tmp_path, table(HEADED, outer))

    assert [text for _, text in tables] == ["1. Ana | 3. d", "2. Bo | c"]


def test_what_goes_on_behind_the_end_of_a_page_is_counted_once(tmp_path: Path) -> None:
    parted = numbered(words("oil"), SEEN, words("lamp")), numbered(words("wick"))
    last = row(cell(numbered()), cell(paragraph(words("end"))))

    tables = tables_of(tmp_path, table(HEADED, row(cell(numbered()), cell(*parted)), last))

    assert [text for _, text in tables] == ["1. | 2. oil", " | lamp 3. wick\n4. | end"]


def test_cells_that_go_on_from_the_row_above_are_not_counted(tmp_path: Path) -> None:
    begins = '<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>'
    rows = [
        row(cell(begins, numbered(words("North"))), cell(paragraph(words("Ana")))),
        row(cell("<w:tcPr><w:vMerge/></w:tcPr>", numbered()), cell(paragraph(words("Bo")))),
        row(cell(numbered(words("South"))), cell(paragraph(words("Cy")))),
    ]

    tables = tables_of(tmp_path, table(HEADED, *rows))

    assert [text for _, text in tables] == ["1. North | Ana\n1. North | Bo\n2. South | Cy"]
