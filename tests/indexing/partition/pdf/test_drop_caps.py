from pathlib import Path

import pypdfium2
import pytest
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.blocks import page_text
from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.drop_caps import with_capitals

Drawn = tuple[float, float, float, str]
"""Left, bottom, size, and the text."""

TITLE: Drawn = (50, 740, 12, "THE KEEPER")


END: Drawn = (50, 672, 12, "Of these few were left.")


def _begun(capital: str, rest: str) -> list[Drawn]:
    """Return a large letter, the two lines beside it, and the one below."""
    left = 54 + stringWidth(capital, "Helvetica", 40)
    return [(50, 686, 40, capital), (left, 700, 12, rest), (left, 686, 12, "of lamps on it."), END]


@pytest.mark.parametrize(
    ("capital", "rest", "read"),
    [
        pytest.param("O", "nce there was a keeper", "Once there was a keeper", id="small letters"),
        pytest.param("O", "NCE THERE was a keeper", "ONCE THERE was a keeper", id="capitals"),
        pytest.param("A", "fter the keeper came", "After the keeper came", id="may be a word"),
        pytest.param("A", "few keepers came", "A few keepers came", id="is a word"),
        pytest.param("I", "’ve seen a keeper", "I’ve seen a keeper", id="apostrophe"),
    ],
)
def test_a_large_letter_begins_its_word(tmp_path: Path, capital: str, rest: str, read: str) -> None:
    lines = _read(tmp_path / "chapter.pdf", TITLE, *_begun(capital, rest))

    assert lines == ["THE KEEPER", read, "of lamps on it.", "Of these few were left."]


@pytest.mark.parametrize("place", [0, 4], ids=["before the title", "at the end"])
def test_a_letter_that_is_drawn_elsewhere_begins_its_word(tmp_path: Path, place: int) -> None:
    capital, *lines = _begun("O", "nce there was a keeper")
    drawn = [TITLE, *lines]
    drawn.insert(place, capital)

    assert _read(tmp_path / "chapter.pdf", *drawn) == [
        "THE KEEPER",
        "Once there was a keeper",
        "of lamps on it.",
        "Of these few were left.",
    ]


@pytest.mark.parametrize(
    "drawn",
    [
        pytest.param([(50, 706, 12, "O"), (82, 690, 12, "nce there was")], id="no larger"),
        pytest.param([(50, 686, 40, "O"), (300, 706, 12, "nce there was")], id="far"),
        pytest.param([(50, 686, 40, "B"), (82, 706, 12, "The keeper came")], id="sentence"),
        pytest.param([(50, 686, 40, "B"), (82, 706, 12, "THE KEEPER CAME")], id="title"),
    ],
)
def test_other_letters_stay_by_themselves(tmp_path: Path, drawn: list[Drawn]) -> None:
    assert _read(tmp_path / "letters.pdf", *drawn) == [text for *_, text in drawn]


def test_a_word_so_begun_has_its_place(tmp_path: Path) -> None:
    capital, *lines = _begun("O", "nce there was a keeper")
    _read(tmp_path / "chapter.pdf", TITLE, *lines, capital)

    (page,) = open_pdf(tmp_path / "chapter.pdf").pages

    boxes = [box for block in page.blocks for box in block.line_boxes]
    assert None not in boxes
    assert [box[1] for box in boxes if box] == sorted(box[1] for box in boxes if box)


def _read(path: Path, *drawn: Drawn) -> list[str]:
    canvas = Canvas(str(path))
    for left, bottom, size, text in drawn:
        canvas.setFont("Helvetica", size)
        canvas.drawString(left, bottom, text)
    canvas.save()
    with pypdfium2.PdfDocument(path) as pdf:
        page = pdf[0]
        textpage = page.get_textpage()
        raw = textpage.get_text_range()
        text = page_text(with_capitals(page, textpage, raw, raw))
        return [line.strip() for line in text.split("\n")]
