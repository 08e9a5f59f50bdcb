"""PDFs whose lines are drawn in another order than they are read in."""

from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_text_layer

LEFT, RIGHT = 50, 300  # where columns begin
TEXT = [
    "The keeper of the lamp went down to the",
    "quay before the ships came in, and saw",
    "that the light of the mole had gone out",
    "during the storm of the night before. He",
    "took his boat and rowed across the dark",
    "water to the end of the harbour, where",
    "the waves were breaking over the stones.",
    "There he lit the lamp again and waited",
    "until the first of the ships had passed",
    "the mole and lay safely at the quay.",
]
OTHER = [line.replace("the", "a").replace("The", "A") for line in TEXT]

Drawn = tuple[float, float, str]
"""From where on which line what is drawn."""


def test_a_page_drawn_from_its_end_is_read_from_its_beginning(tmp_path: Path) -> None:
    path = draw(tmp_path, reversed(column(LEFT, TEXT)))

    assert read(path) == TEXT


def test_the_left_column_is_read_first(tmp_path: Path) -> None:
    path = draw(tmp_path, [*column(RIGHT, OTHER), *column(LEFT, TEXT)])

    assert read(path) == [*TEXT, *OTHER]


def test_lines_drawn_across_columns_are_read_column_by_column(tmp_path: Path) -> None:
    lines = chain(*zip(column(LEFT, TEXT), column(RIGHT, OTHER), strict=True))
    path = draw(tmp_path, [(LEFT, 800, "The title of both columns"), *lines])

    assert read(path) == ["The title of both columns", *TEXT, *OTHER]


def test_a_column_may_end_above_the_other_one(tmp_path: Path) -> None:
    lines = zip_longest(column(LEFT, TEXT), column(RIGHT, OTHER[:8]))
    path = draw(tmp_path, [one for one in chain(*lines) if one])

    assert read(path) == [*TEXT, *OTHER[:8]]


def test_a_word_broken_in_a_column_is_whole(tmp_path: Path) -> None:
    broken = [*TEXT[:4], "took his boat and rowed to the far har-", "bour of the mole", *TEXT[6:]]
    lines = chain(*zip(column(LEFT, broken), column(RIGHT, OTHER), strict=True))

    assert "took his boat and rowed to the far harbour of the mole" in read(draw(tmp_path, lines))


@pytest.mark.parametrize(
    "texts",
    [
        pytest.param([f"Lamp of the kind number {n} by hand" for n in range(10)], id="labels"),
        pytest.param([f"of {n}" for n in range(10)], id="short"),
    ],
)
def test_rows_of_a_table_stay_rows(tmp_path: Path, texts: Sequence[str]) -> None:
    lines = list(chain(*zip(column(LEFT, texts), column(RIGHT, OTHER), strict=True)))

    assert f"{texts[0]} {OTHER[0]}" in read(draw(tmp_path, lines))


def test_lines_with_rules_between_them_stay_in_the_order_of_the_file(tmp_path: Path) -> None:
    lines = list(chain(*zip(column(LEFT, TEXT), column(RIGHT, OTHER), strict=True)))
    path = draw(tmp_path, lines, rules=[at - 3 for _, at, _ in lines[::2]])

    assert TEXT[1] not in read(path)[1:2]


def column(left: float, lines: Sequence[str]) -> list[Drawn]:
    return [(left, 700 - 14 * number, line) for number, line in enumerate(lines)]


def draw(folder: Path, texts: Iterable[Drawn], rules: Iterable[float] = ()) -> Path:
    canvas = Canvas(str(folder / "order.pdf"))
    for left, at, text in texts:
        canvas.drawString(left, at, text)
    for at in rules:
        canvas.line(LEFT, at, 550, at)
    canvas.save()
    return folder / "order.pdf"


def read(path: Path) -> list[str]:
    (page,) = open_text_layer(path).pages
    return [line for block in page.blocks for line in block.text.split("\n")]
