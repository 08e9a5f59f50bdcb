from pathlib import Path

import pypdfium2
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.blocks import line_spans, page_text
from indexing.partition.pdf_letters import PageLetters
from indexing.partition.pdf_rules import Grid, Rule
from indexing.partition.pdf_words import PageText


def test_words_that_stand_apart_come_each_with_its_line(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "words.pdf"), pagesize=A4)
    canvas.drawString(60, 780, "Deck lamp")
    canvas.drawString(300, 780, "12")
    canvas.drawString(60, 740, "Left out")
    canvas.drawString(60, 700, "Storm lantern")
    canvas.save()

    with pypdfium2.PdfDocument(tmp_path / "words.pdf") as pdf:
        words = _text(pdf[0]).words([0, 2])

    assert [(word.text, word.line) for word in words] == [
        ("Deck lamp", 0),
        ("12", 0),
        ("Storm lantern", 2),
    ]


def test_a_rule_parts_words_that_touch_it_on_both_sides(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "words.pdf"), pagesize=A4)
    canvas.drawRightString(100, 780, "Deck lamp")
    canvas.drawString(100, 780, "brass")
    canvas.drawString(60, 740, "A lamp of the harbour")
    canvas.save()

    with pypdfium2.PdfDocument(tmp_path / "words.pdf") as pdf:
        words = _text(pdf[0]).words([0, 1], _grid(100))

    assert [word.text for word in words] == ["Deck lamp", "brass", "A lamp of the harbour"]


def _grid(place: float) -> Grid:
    sides = (0.0, place, 595.0)
    return Grid((), tuple(Rule(at, 0, 842) for at in sides), 0, 0, 595, 842)


def _text(page: pypdfium2.PdfPage) -> PageText:
    textpage = page.get_textpage()
    raw = textpage.get_text_range()
    letters = PageLetters(raw, raw)
    boxes = letters.line_boxes(page, textpage)
    lines = page_text(raw).split("\n")
    return PageText(page, textpage, letters, line_spans(raw), lines, boxes)
