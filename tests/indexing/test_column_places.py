from indexing.column_places import column_of, column_spans, parted
from indexing.ocr import Line
from indexing.visual_rows import Row, rows_of

HEIGHT = 20


def test_figures_that_end_below_each_other_in_two_places_are_two_columns_however_near() -> None:
    rows = _rows(
        ("1 May", 60), ("Rent", 200), ("850.00", 300), ("150.00", 500),
        ("2 May", 60), ("Salary", 200), ("2,100.00", 388), ("2,250.00", 500),
        ("3 May", 60), ("Oil", 200), ("40.00", 302), ("2,210.00", 500),
        ("4 May", 60), ("Sale", 200), ("8,061.00", 389), ("2,271.00", 500),
    )  # fmt: skip

    assert _texts(rows)[1:3] == [
        ["2 May", "Salary", "", "2,100.00", "2,250.00"],
        ["3 May", "Oil", "40.00", "", "2,210.00"],
    ]


def test_a_column_that_few_rows_fill_is_one_if_its_cells_end_below_each_other() -> None:
    rows = _rows(
        ("EUR", 60), ("Note", 340), ("2016", 400), ("2015", 500),
        ("Sales", 60), ("27", 341), ("512", 400), ("498", 500),
        ("Wages", 60), ("204", 400), ("198", 500),
        ("Rents", 60), ("10", 340), ("585", 400), ("577", 500),
        ("Rates", 60), ("31", 400), ("30", 500),
        ("Taxes", 60), ("16", 400), ("15", 500),
        ("Loans", 60), ("77", 400), ("78", 500),
    )  # fmt: skip

    assert _texts(rows)[:3] == [
        ["EUR", "Note", "2016", "2015"],
        ["Sales", "27", "512", "498"],
        ["Wages", "", "204", "198"],
    ]


def test_a_column_that_few_rows_fill_is_one_though_labels_have_no_name_beside_its_own() -> None:
    rows = _rows(
        ("Note", 340), ("2016", 400), ("2015", 500),
        ("Sales", 60), ("27", 341), ("512", 400), ("498", 500),
        ("Wages", 60), ("204", 400), ("198", 500),
        ("Rents", 60), ("10", 340), ("585", 400), ("577", 500),
        ("Rates", 60), ("31", 400), ("30", 500),
    )  # fmt: skip

    assert _texts(rows)[:3] == [
        ["", "Note", "2016", "2015"],
        ["Sales", "27", "512", "498"],
        ["Wages", "", "204", "198"],
    ]


def test_numbers_close_before_texts_that_begin_below_each_other_are_a_column() -> None:
    names = ("Lantern", "Deck lamp", "Rope", "Oil can")
    lines = [Line("Item", 60, 0, 100, HEIGHT)]
    for number, name in enumerate(names, start=1):
        lines.append(_line(str(number), 50, 40 * number))
        lines.append(Line(name, 60, 40 * number, 60 + 10 * len(name), 40 * number + HEIGHT))
    # One of them was read together with the text.
    lines[-2:] = [Line("4 Oil can", 40, 160, 130, 160 + HEIGHT)]
    for row in range(5):
        lines += [_line("12", 300, 40 * row), _line("96", 400, 40 * row)]

    assert [texts[:2] for texts in _texts(rows_of(lines))] == [
        ["", "Item"], ["1", "Lantern"], ["2", "Deck lamp"], ["3", "Rope"], ["4", "Oil can"],
    ]  # fmt: skip


def test_a_number_close_before_a_text_stands_in_its_column_below_a_wider_name() -> None:
    rows = _rows(
        ("Number of the box", 180), ("Contents", 280), ("Pieces", 500),
        ("1", 180), ("Housing", 270), ("24", 500),
        ("2 Mains cable", 300), ("120", 500),
        ("3", 180), ("Manual", 260), ("120", 500),
        ("4", 180), ("Padding", 270), ("15", 500),
    )  # fmt: skip

    assert _texts(rows)[2] == ["2", "Mains cable", "120"]


def test_names_that_hide_the_columns_below_stand_in_them() -> None:
    names = (("Date", 40), ("Withdrawals", 290), ("Deposits", 388), ("Balance", 470))
    rows = _rows(
        *names,
        ("1 May", 50), ("850.00", 310), ("150.00", 500),
        ("2 May", 50), ("1.00", 400), ("2,250.00", 500),
        ("3 May", 50), ("40.00", 310), ("2,210.00", 500),
        ("4 May", 50), ("61.00", 400), ("2,271.00", 500),
    )  # fmt: skip

    assert _texts(rows)[:3] == [
        [name for name, _ in names],
        ["1 May", "850.00", "", "150.00"],
        ["2 May", "", "1.00", "2,250.00"],
    ]


def _rows(*cells: tuple[str, float]) -> list[Row]:
    """Return the rows of texts that end at these places; each begins left of the one before."""
    lines: list[Line] = []
    top = 0.0
    for text, right in cells:
        if lines and right < lines[-1].right:
            top += 40
        lines.append(_line(text, right, top))
    return rows_of(lines)


def _line(text: str, right: float, top: float) -> Line:
    return Line(text, right - 10 * len(text), top, right, top + HEIGHT)


def _texts(rows: list[Row]) -> list[list[str]]:
    spans = column_spans(rows) or []
    texts = [[""] * len(spans) for _ in rows]
    for number, row in enumerate(rows):
        for cell in parted(row, spans):
            texts[number][column_of(cell, spans)] += cell.text
    return texts
