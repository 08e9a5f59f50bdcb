import pytest

from indexing.partition.word.elements import TR, P, W, text_of
from indexing.partition.word.revisions import leave_out_deleted, number_what_shows
from tests.indexing.partition.docx_xml import body_of, cell, hidden, paragraph, row, table, words

NUMBERED = '<w:numPr><w:numId w:val="1"/></w:numPr>'
DELETED = f"<w:pPr>{NUMBERED}<w:rPr><w:del/></w:rPr></w:pPr>"
GONE = "<w:del><w:r><w:delText>old</w:delText></w:r></w:del>"


@pytest.mark.parametrize(
    "between", ["", "<w:bookmarkEnd/><w:moveFromRangeEnd/>"], ids=["alone", "ends between"]
)
def test_paragraphs_are_one_where_the_mark_between_them_was_deleted(between: str) -> None:
    first = paragraph(DELETED, words("The rent"), GONE)
    body = body_of(first, between, paragraph(words(" is due.")))

    leave_out_deleted(body)

    assert [text_of(one) for one in body.iter(P)] == ["The rent is due."]


def test_a_section_ends_where_it_did_though_the_mark_was_deleted() -> None:
    ends = "<w:pPr><w:rPr><w:del/></w:rPr><w:sectPr/></w:pPr>"
    body = body_of(paragraph(ends, words("a")), paragraph(words("b")))

    leave_out_deleted(body)

    assert len(list(body.iter(P))) == 2


def test_a_deleted_item_before_a_table_does_not_count() -> None:
    body = body_of(paragraph(DELETED, GONE), table(row(cell(paragraph(words("a"))))))

    leave_out_deleted(body)

    assert [number.get(f"{W}val") for number in body.iter(f"{W}numId")] == ["0"]


def test_a_deleted_row_is_none() -> None:
    deleted = row(cell(paragraph(NUMBERED)), properties="<w:trPr><w:del/></w:trPr>")
    body = body_of(table(deleted, row(cell(paragraph(words("kept"))))))

    leave_out_deleted(body)

    assert [text_of(one) for one in body.iter(TR)] == ["kept"]


def test_a_hidden_item_does_not_count() -> None:
    mark = f"<w:pPr>{NUMBERED}<w:rPr><w:vanish/></w:rPr></w:pPr>"
    body = body_of(paragraph(mark), paragraph(mark, hidden("not yet taken out")))

    number_what_shows(body)

    assert [number.get(f"{W}val") for number in body.iter(f"{W}numId")] == ["0", "1"]
