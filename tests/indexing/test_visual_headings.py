import pytest

from indexing.ocr import Line
from indexing.visual_headings import joined_names
from indexing.visual_layer import arrange

NAMES = [("Port", 0), ("Oil", 200), ("Wicks", 300), ("Oil", 400), ("Wicks", 500)]


def line(text: str, left: float, top: float = 0) -> Line:
    return Line(text, left, top, left + 10 * len(text), top + 20)


@pytest.mark.parametrize(
    ("headings", "names", "joined"),
    [
        pytest.param(
            [("2022", 240), ("2023", 440)],
            NAMES,
            ["Port", "2022 Oil", "2022 Wicks", "2023 Oil", "2023 Wicks"],
            id="names repeat",
        ),
        pytest.param([("2022", 240), ("2022", 440)], NAMES, [], id="no headings"),
        pytest.param([("2022", 440), ("2023", 640)], NAMES, [], id="beside their columns"),
        pytest.param([("2022", 240), ("2023", 440)], [*NAMES[:4], ("Lamps", 500)], [], id="others"),
        pytest.param([("Sold", 300)], NAMES, [], id="one heading"),
    ],
)
def test_headings_are_joined_with_the_names_below_them_if_these_repeat(
    headings: list[tuple[str, float]], names: list[tuple[str, float]], joined: list[str]
) -> None:
    assert joined_names([line(*one) for one in headings], [line(*one) for one in names]) == joined


def test_a_table_of_a_picture_begins_with_its_headings() -> None:
    rows = [[("2022", 240), ("2023", 440)], NAMES]
    rows += [[(f"Port {n}", 0), *[(f"{n}7", left) for _, left in NAMES[1:]]] for n in range(1, 4)]
    lines = [line(*cell, 40 * number) for number, row in enumerate(rows) for cell in row]

    above = line("Sold in all ports, in litres and boxes", 0, -80)

    _, placed = arrange([above, *lines])

    assert placed.block.header == "Port | 2022 Oil | 2022 Wicks | 2023 Oil | 2023 Wicks"
    assert placed.block.text.startswith("Port 1 | 17 | 17 | 17 | 17")
    assert placed.top == 0
