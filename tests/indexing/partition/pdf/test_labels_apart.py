"""PDFs that draw the labels of items apart from their texts, as WeasyPrint and browsers do."""

from collections.abc import Sequence
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_text_layer

LABEL, TEXT = 50, 70  # where they begin
ITEMS = ["The supplier delivers the works.", "Liability is limited.", "Notice is given in writing."]
ROWS = [700, 680, 660]

Drawn = tuple[float, float, str]
"""From where on which line what is drawn."""


def test_numbers_behind_all_texts_are_read_before_their_own(tmp_path: Path) -> None:
    path = draw(tmp_path, [*texts(), *labels("1.", "2.", "3.")])

    assert read(path) == [f"{n}. {item}" for n, item in enumerate(ITEMS, 1)]


def test_numbers_before_all_texts_are_read_before_their_own(tmp_path: Path) -> None:
    path = draw(tmp_path, [*labels("4.1", "4.2", "4.3"), *texts()])

    assert read(path) == [f"4.{n} {item}" for n, item in enumerate(ITEMS, 1)]


def test_bullets_and_letters_are_labels_too(tmp_path: Path) -> None:
    path = draw(tmp_path, [*texts(), *labels("•", "(b)", "iii.")])

    assert read(path) == [f"• {ITEMS[0]}", f"(b) {ITEMS[1]}", f"iii. {ITEMS[2]}"]


def test_a_label_of_a_further_list_stands_behind_that_of_the_first(tmp_path: Path) -> None:
    path = draw(tmp_path, [*texts(), *labels("a)", "b)", "c)"), (LABEL - 20, ROWS[0], "1.")])

    assert read(path)[0] == f"1. a) {ITEMS[0]}"


def test_a_label_stands_where_its_line_does(tmp_path: Path) -> None:
    path = draw(tmp_path, [*texts(), *labels("1.", "2.", "3.")])

    [page] = open_text_layer(path).pages
    boxes = [box for block in page.blocks for box in block.line_boxes if box]
    assert {round(box[0] * 595) for box in boxes} == {LABEL}


def test_figures_that_do_not_go_up_are_no_labels(tmp_path: Path) -> None:
    path = draw(tmp_path, [*texts(), *labels("59.17", "49.93", "1.2")])

    assert read(path) == [*ITEMS, "59.17", "49.93", "1.2"]


def test_a_number_far_from_a_text_stays(tmp_path: Path) -> None:
    path = draw(tmp_path, [*texts(), (LABEL - 45, ROWS[0], "7.")])

    assert read(path) == [*ITEMS, "7."]


def test_a_label_beside_the_middle_of_the_text_behind_it_stays_before_it(tmp_path: Path) -> None:
    path = draw(tmp_path, [(LABEL, ROWS[1], "2."), *texts()])

    assert read(path) == ["2.", *ITEMS]


def texts() -> list[Drawn]:
    return [(TEXT, row, item) for row, item in zip(ROWS, ITEMS, strict=True)]


def labels(*texts: str) -> list[Drawn]:
    return [(LABEL, row, text) for row, text in zip(ROWS, texts, strict=True)]


def draw(directory: Path, drawn: Sequence[Drawn]) -> Path:
    path = directory / "items.pdf"
    canvas = Canvas(str(path), pageCompression=0)
    canvas.setFont("Helvetica", 10)
    for left, line, text in drawn:
        canvas.drawString(left, line, text)
    canvas.save()
    return path


def read(path: Path) -> list[str]:
    [page] = open_text_layer(path).pages
    return [line for block in page.blocks for line in block.text.split("\n")]
