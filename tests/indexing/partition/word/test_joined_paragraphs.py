import pytest

from indexing.partition.word.elements import P, text_of
from indexing.partition.word.joined_paragraphs import join_drop_caps
from tests.indexing.partition.docx_xml import body_of, paragraph, words


@pytest.mark.parametrize(
    ("frame", "texts"),
    [
        pytest.param('w:dropCap="drop"', ["Once upon a time"], id="in the text"),
        pytest.param('w:dropCap="margin"', ["Once upon a time"], id="beside it"),
        pytest.param('w:dropCap="none"', ["O", "nce upon a time"], id="no large letter"),
        pytest.param('w:w="900"', ["O", "nce upon a time"], id="another frame"),
    ],
)
def test_a_large_first_letter_stands_in_its_word(frame: str, texts: list[str]) -> None:
    letter = paragraph(f"<w:pPr><w:framePr {frame}/></w:pPr>", words("O"))
    body = body_of(letter, paragraph("<w:pPr/>", words("nce upon a time")))

    join_drop_caps(body)

    assert [text_of(one) for one in body.iter(P)] == texts
