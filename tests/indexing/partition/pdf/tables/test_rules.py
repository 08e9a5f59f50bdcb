from pathlib import Path

import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.pictures import drawn_objects
from indexing.partition.pdf.tables.rules import MAX_RULES, Rule, Rules, find_rules, side_by_side


def test_rules_are_told_from_the_upper_left(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "rules.pdf"), pagesize=(300, 200))
    canvas.setLineWidth(0.1)
    canvas.line(50, 150, 250, 150)
    canvas.line(50, 20, 50, 150)
    canvas.save()

    rules = _rules(tmp_path / "rules.pdf")

    assert [list(map(round, rule)) for rule in rules.across] == [[50, 50, 250]]
    assert [list(map(round, rule)) for rule in rules.down] == [[50, 50, 180]]


@pytest.mark.parametrize(
    ("width", "count"),
    [pytest.param(60, 2, id="a cell"), pytest.param(10, 0, id="a sign of currency")],
)
def test_a_coloured_cell_has_a_rule_above_and_below_it(
    tmp_path: Path, width: int, count: int
) -> None:
    canvas = Canvas(str(tmp_path / "fill.pdf"), pagesize=(300, 200))
    canvas.rect(50, 100, width, 20, stroke=0, fill=1)
    canvas.save()

    assert len(_rules(tmp_path / "fill.pdf").around_fills) == count


def test_a_page_with_more_lines_than_tables_have_has_no_rules(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "drawing.pdf"), pagesize=(300, 2 * MAX_RULES + 20))
    for number in range(MAX_RULES + 1):
        canvas.line(50, 2 * number, 250, 2 * number)
    canvas.save()

    assert _rules(tmp_path / "drawing.pdf") == Rules([], [], [])


def test_rules_that_each_cell_draws_anew_count_once(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "cells.pdf"), pagesize=(300, 1100))
    for number in range(MAX_RULES + 1):
        canvas.line(50, 20 + number % 500 * 2, 250, 20 + number % 500 * 2)
    canvas.save()

    assert len(_rules(tmp_path / "cells.pdf").across) == 500


def test_rules_are_seen_that_are_drawn_between_many_words(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "dense.pdf"), pagesize=(300, 200))
    for number in range(1000):
        canvas.line(50, 20 + number % 60 * 2, 250, 20 + number % 60 * 2)
        canvas.drawString(50 + number % 20 * 10, 180, "7")
        if number == 500:
            canvas.line(50, 150, 250, 150)
    canvas.save()

    assert max(rule.at for rule in _rules(tmp_path / "dense.pdf").across) == pytest.approx(
        180, abs=1
    )
    assert min(rule.at for rule in _rules(tmp_path / "dense.pdf").across) == pytest.approx(
        50, abs=1
    )


def test_rules_of_a_line_that_touch_each_other_are_together() -> None:
    rules = [Rule(100, 150, 250), Rule(101, 50, 149), Rule(100, 300, 400), Rule(140, 50, 250)]

    assert side_by_side(rules) == [
        [Rule(100, 50, 149), Rule(100, 150, 250)],
        [Rule(100, 300, 400)],
        [Rule(140, 50, 250)],
    ]


def _rules(path: Path) -> Rules:
    with pypdfium2.PdfDocument(path) as pdf:
        page = pdf[0]
        return find_rules(page, page.get_size(), drawn_objects(page))
