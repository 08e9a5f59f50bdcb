import pytest

from indexing.partition.pdf.tables.cells import Row, cell_text
from indexing.partition.pdf.tables.headings import columns_below, with_headings
from tests.indexing.partition.placed_words import line_of

SIDES = [(200.0, 220.0), (300.0, 320.0), (400.0, 420.0), (500.0, 520.0)]
PAIRS = [range(2), range(2, 4)]
NAMES = ["Sales", "Costs"]


@pytest.mark.parametrize(
    ("headings", "names"),
    [
        pytest.param(((247, "2023"), (447, "2024")), (), id="above the middle of as many columns"),
        pytest.param(((300, "2023"), (500, "2024")), NAMES * 2, id="above names that repeat"),
        pytest.param(((200, "2023"), (400, "2024")), NAMES * 2, id="on the left of these"),
    ],
)
def test_headings_are_over_several_columns(
    headings: tuple[tuple[float, str], ...], names: list[str]
) -> None:
    assert columns_below(_row(*headings), SIDES, names) == PAIRS


@pytest.mark.parametrize(
    ("words", "names"),
    [
        pytest.param(((200, "2023"), (400, "2024")), (), id="above the first of their columns"),
        pytest.param(((300, "Net"), (500, "Net")), NAMES * 2, id="the first lines of names"),
        pytest.param(((200, "a"), (300, "b"), (400, "c")), (), id="more than half as many"),
        pytest.param(((300, "2023"),), (), id="above one of four columns"),
        pytest.param((), (), id="none"),
    ],
)
def test_names_of_single_columns_are_no_headings(
    words: tuple[tuple[float, str], ...], names: list[str]
) -> None:
    assert not columns_below(_row(*words), SIDES, names)


@pytest.mark.parametrize(("text", "count"), [("Price in euros", 1), ("Net", 0)])
def test_what_is_above_the_name_in_the_middle_is_a_heading_if_it_is_longer(
    text: str, count: int
) -> None:
    heading = _row((310 - 2.5 * len(text), text))

    assert len(columns_below(heading, SIDES[:3], ["2021", "price", "2023"])) == count


def test_a_heading_is_joined_with_each_name_below_it() -> None:
    lines = [
        [[], *_row((247, "2023")), [], *_row((447, "2024")), []],
        _row((0, "Lamp"), (200, "Sold"), (300, "Lost"), (400, "Sold"), (500, "Lost")),
    ]

    header = with_headings(lines, [(0, 100), *SIDES])

    names = ["2023 Sold", "2023 Lost", "2024 Sold", "2024 Lost"]
    assert list(map(cell_text, header)) == ["Lamp", *names]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("In the year 2023", ["Place", *(f"In the year 2023 {name}" for name in "ABC")]),
        ("Net", ["Place", "A", "Net B", "C"]),
    ],
)
def test_a_heading_may_be_over_all_columns_but_the_first_ones(text: str, names: list[str]) -> None:
    lines = [
        [[], [], [], *_row((410 - 2.5 * len(text), text)), []],
        _row((0, "Lamp"), (190, "Place"), (300, "A"), (400, "B"), (500, "C")),
    ]

    header = with_headings(lines, [(0, 100), *SIDES])

    assert list(map(cell_text, header)) == ["Lamp", *names]


def test_what_is_in_line_with_one_name_of_two_is_the_first_line_of_it() -> None:
    lines = [
        [[], *_row((210, "July 2,")), []],
        _row((0, "Millions"), (225, "2023"), (265, "December 31, 2022")),
    ]

    header = with_headings(lines, [(0, 100), (180, 245), (250, 350)])

    assert list(map(cell_text, header)) == ["Millions", "July 2, 2023", "December 31, 2022"]


def test_a_heading_over_a_column_without_a_name_is_the_name_of_the_first() -> None:
    lines = [
        [[], *_row((247, "2023")), [], *_row((447, "2024")), []],
        [*_row((0, "Lamp"), (200, "Sold"), (300, "Lost"), (400, "Sold")), []],
    ]

    header = with_headings(lines, [(0, 100), *SIDES])

    assert list(map(cell_text, header)) == ["Lamp", "2023 Sold", "Lost", "2024 Sold", ""]


def _row(*words: tuple[float, str]) -> Row:
    return [[word] for word in line_of(0, *words)]
