from contextlib import closing
from pathlib import Path

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf_unnamed import is_garbled
from tests.files.unnamed_letters import write_unnamed_letters

TEXT = "THE LAMP OF THE QUAY AND THE OIL"
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
