from indexing.ocr import Line
from indexing.types import Block, BlockKind
from indexing.visual_rows import middle, parts_of, placed, rows_of

LANTERN = Line("Storm lantern", 20, 100, 150, 120)
BRASS = Line("brass", 158, 101, 200, 121)
PRICE = Line("24.50", 400, 102, 450, 122)
TOTAL = Line("TOTAL", 20, 130, 70, 150)


def test_what_stands_at_the_same_height_is_a_row_from_the_left() -> None:
    assert rows_of([PRICE, TOTAL, LANTERN]) == [[LANTERN, PRICE], [TOTAL]]


def test_what_nearly_touches_is_one_line() -> None:
    ((joined, price),) = rows_of([LANTERN, PRICE, BRASS])

    assert joined.text == "Storm lantern brass"
    assert (joined.left, joined.top, joined.right, joined.bottom) == (20, 100, 200, 121)
    assert parts_of(joined) == (LANTERN, BRASS)
    assert price == PRICE


def test_figures_that_nearly_touch_are_two() -> None:
    total = Line("1,024.50", 458, 102, 550, 122)

    assert rows_of([PRICE, total]) == [[PRICE, total]]


def test_letters_that_were_found_one_by_one_in_even_steps_are_a_word() -> None:
    boxes = [Line(sign, 25 * n, 100, 25 * n + 15, 120) for n, sign in enumerate("DE893")]

    ((word,),) = rows_of(boxes)

    assert word.text == "DE893"


def test_letters_in_uneven_or_wide_steps_are_no_word() -> None:
    uneven = [Line(sign, 25 * n**1.3, 100, 25 * n**1.3 + 15, 120) for n, sign in enumerate("ABCDE")]
    wide = [Line(sign, 60 * n, 100, 60 * n + 15, 120) for n, sign in enumerate("10213")]

    assert rows_of(uneven)[0][-1].text.endswith("E")
    assert "ABCDE" not in {line.text for line in rows_of(uneven)[0]}
    assert rows_of(wide) == [wide]


def test_a_block_has_the_place_of_its_lines() -> None:
    block = Block(BlockKind.TEXT, "Storm lantern 24.50\nTOTAL")

    found = placed(block, [[[LANTERN, PRICE]], [[TOTAL]]])

    assert (found.left, found.top, found.right, found.bottom) == (20, 100, 450, 150)
    assert found.lines == ((20, 100, 450, 122), (20, 130, 70, 150))


def test_the_middle_of_a_row_is_that_of_its_lines() -> None:
    assert middle([LANTERN, PRICE]) == 111
