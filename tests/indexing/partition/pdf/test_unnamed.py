from contextlib import closing
from pathlib import Path

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.unnamed import is_garbled
from tests.files.text_layer import ALL_OF_UNICODE, lay_out, write_text_layer
from tests.files.unnamed_letters import write_unnamed_letters

TEXT = "THE LAMP OF THE QUAY AND THE OIL"
KOREAN = (
    "임대인은 부두 열네 번지에 있는 창고를 임차인에게 삼 년 동안 빌려주고 물과 전기 요금을 받는다."
)
NUMBERED = " ".join("".join(chr(0x401 + 331 * (n + 3 * m)) for m in range(3)) for n in range(12))
ABOVE = "And the key of the house is with the guard who has it from the owner of the land."


@pytest.mark.parametrize(
    ("first_number", "expected"),
    [
        pytest.param(ord("A"), False, id="letters numbered as in ASCII"),
        pytest.param(ord("'"), True, id="letters numbered otherwise"),
        pytest.param(1, True, id="numbers that are no letters"),
    ],
)
def test_garbled_is_what_no_font_names(first_number: int, expected: bool, tmp_path: Path) -> None:
    write_unnamed_letters(tmp_path / "unnamed.pdf", TEXT, first_number)

    with closing(pypdfium2.PdfDocument(tmp_path / "unnamed.pdf")) as pdf:
        textpage = pdf[0].get_textpage()
        assert is_garbled(textpage, textpage.get_text_range()) is expected


def test_a_page_without_text_is_not_garbled(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "empty.pdf"))
    canvas.showPage()
    canvas.save()

    with closing(pypdfium2.PdfDocument(tmp_path / "empty.pdf")) as pdf:
        assert not is_garbled(pdf[0].get_textpage(), "")


@pytest.mark.parametrize(
    ("text", "first_number", "expected"),
    [
        pytest.param(f"{TEXT} {TEXT}", ord("d"), True, id="another part that makes no words"),
        pytest.param(f"{TEXT} {TEXT}", ord("A"), False, id="another part that makes words"),
        pytest.param("X Y Z XY X Z", ord("'"), False, id="signs of a formula"),
    ],
)
def test_part_without_names_is_judged_by_itself(
    text: str, first_number: int, expected: bool, tmp_path: Path
) -> None:
    write_unnamed_letters(tmp_path / "parts.pdf", text, first_number, above=ABOVE)

    with closing(pypdfium2.PdfDocument(tmp_path / "parts.pdf")) as pdf:
        textpage = pdf[0].get_textpage()
        assert is_garbled(textpage, textpage.get_text_range()) is expected


@pytest.mark.parametrize(
    ("text", "named", "expected"),
    [
        pytest.param(KOREAN, ALL_OF_UNICODE, False, id="numbers of Unicode"),
        pytest.param(KOREAN, b"<0000> <0000> <0000>", True, id="numbers without a word on them"),
        pytest.param(NUMBERED, ALL_OF_UNICODE, True, id="letters numbered otherwise"),
    ],
)
def test_letters_with_the_numbers_of_unicode_are_named(
    text: str, named: bytes, expected: bool, tmp_path: Path
) -> None:
    write_text_layer(tmp_path / "layer.pdf", lay_out([text]), named=named)

    with closing(pypdfium2.PdfDocument(tmp_path / "layer.pdf")) as pdf:
        textpage = pdf[0].get_textpage()
        assert is_garbled(textpage, textpage.get_text_range()) is expected
