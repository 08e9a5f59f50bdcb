import time

import pytest

from indexing.partition.office.package_xml import parse
from indexing.partition.word.room import room_per_page, words_per_page
from tests.indexing.partition.docx_xml import (
    BREAK,
    NAMESPACES,
    body_of,
    cell,
    paragraph,
    row,
    table,
    words,
)

LINE = "The lanterns arrive on Thursday, and nobody has yet swept the quay."
LARGE = '<w:rPr><w:sz w:val="48"/></w:rPr>'
HIGH = '<w:trPr><w:trHeight w:val="6480"/></w:trPr>'
A6 = '<w:sectPr><w:pgSz w:w="5953" w:h="8391"/><w:pgMar w:top="800" w:bottom="800"/></w:sectPr>'


def spaced(spacing: str) -> str:
    return paragraph(f"<w:pPr><w:spacing {spacing}/></w:pPr>", words(LINE))


@pytest.mark.parametrize(
    ("content", "room"),
    [
        pytest.param(paragraph(words(LINE)), 12, id="common"),
        pytest.param(paragraph(words("a")), 10, id="a line"),
        pytest.param(paragraph(*(words("灯") for _ in range(90))), 30, id="without blanks"),
        pytest.param(paragraph(f"<w:r>{LARGE}<w:t>{LINE}</w:t></w:r>"), 48, id="large print"),
        pytest.param(spaced('w:line="828"'), 36, id="lines far apart"),
        pytest.param(spaced('w:before="6720"'), 312, id="space before"),
        pytest.param(spaced('w:after="120"'), 12, id="common space"),
        pytest.param(table(row(cell(paragraph(words("a"))), properties=HIGH)), 301, id="high row"),
        pytest.param(paragraph(words(LINE)) + A6, 33, id="small page"),
        pytest.param(
            paragraph('<w:pPr><w:pStyle w:val="Poster"/></w:pPr>', words(LINE)), 48, id="style"
        ),
        pytest.param(
            paragraph(f"<w:r>{LARGE.replace('48', 'x')}<w:t>a</w:t></w:r>"), 10, id="none"
        ),
    ],
)
def test_room_is_told_by_print_and_spacing(content: str, room: int) -> None:
    styles = parse(
        f"<w:styles {NAMESPACES}><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val='22'/></w:rPr>"
        "</w:rPrDefault></w:docDefaults><w:style w:styleId='Poster'><w:basedOn w:val='Big'/>"
        "</w:style><w:style w:styleId='Big'><w:basedOn w:val='Poster'/><w:rPr><w:sz w:val='48'/>"
        "</w:rPr></w:style></w:styles>".encode()
    )

    assert [round(one) for one in room_per_page(body_of(content), styles)] == [room]


def test_each_page_has_its_own_room() -> None:
    body = body_of(paragraph(words(LINE), BREAK.replace("w:br ", "w:lastRenderedPageBreak ")))

    assert words_per_page(body) == [12, 0]


def test_what_stands_behind_a_page_that_is_too_full_is_not_looked_at() -> None:
    body = body_of(paragraph(words("word " * 1600)), paragraph(words(LINE)))

    assert words_per_page(body) == [1600]


def test_the_style_of_paragraphs_that_name_none_counts() -> None:
    styles = parse(
        f"<w:styles {NAMESPACES}><w:style w:type='paragraph' w:default='1' w:styleId='Plain'>"
        "<w:rPr><w:sz w:val='48'/></w:rPr></w:style></w:styles>".encode()
    )

    assert room_per_page(body_of(paragraph(words(LINE))), styles) == [48]
    assert room_per_page(body_of(paragraph(words(LINE))), None) == [12]


def test_a_paragraph_of_very_many_runs_takes_no_longer_than_many_paragraphs() -> None:
    body = body_of(paragraph(words("a") * 100_000))
    began = time.process_time()

    (room,) = room_per_page(body, None)

    # Asked of each run, what the paragraph says took a minute.
    assert time.process_time() - began < 10
    assert room > 1500
