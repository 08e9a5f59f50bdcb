import pytest

from indexing.near_duplicates import distinct_first
from indexing.types import Chunk

TEXT = (
    "The tenant pays the rent of the warehouse on the first day of each month to the account that "
    "the landlord names in writing and bears the costs of heating and of cleaning by himself"
)


@pytest.mark.parametrize(
    ("other", "repeats"),
    [
        pytest.param(TEXT, True, id="the same text"),
        pytest.param(TEXT.upper(), True, id="in capitals"),
        pytest.param(TEXT.replace(" ", "\n"), True, id="with other line ends"),
        pytest.param(TEXT.replace("warehouse", "depot"), True, id="with one word changed"),
        pytest.param(TEXT + " and of repairs", True, id="with a little more"),
        pytest.param(TEXT + " in 2024", False, id="with a number"),
        pytest.param(TEXT[: len(TEXT) // 2], False, id="half of it"),
        pytest.param("The gates close at ten.", False, id="another text"),
    ],
)
def test_what_repeats_a_better_chunk_gives_way(other: str, repeats: bool) -> None:
    found = distinct_first([chunk("a", TEXT), chunk("b", other), chunk("c", "Pets are let in.")], 2)

    assert [one.chunk_id for one in found] == (["a", "c"] if repeats else ["a", "b"])


@pytest.mark.parametrize(("shared", "repeats"), [(9, True), (8, False)])
def test_nine_of_ten_words_are_enough_whichever_comes_first(shared: int, repeats: bool) -> None:
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    long, short = chunk("a", " ".join(words)), chunk("b", " ".join(words[:shared]))
    other = chunk("c", "Pets are let in.")

    assert distinct_first([long, short, other], 2) == [long, other if repeats else short]
    assert distinct_first([short, long, other], 2) == [short, other if repeats else long]


def test_tables_of_different_years_are_no_copies() -> None:
    tables = [chunk(str(year), f"{TEXT} | {year}") for year in (2022, 2023, 2024)]

    assert distinct_first(tables, 3) == tables


def test_copies_fill_the_list_where_there_is_nothing_else() -> None:
    copies = [chunk(name, TEXT) for name in "abc"]

    assert distinct_first(copies, 3) == copies
    assert distinct_first(copies, 2) == copies[:2]


def chunk(chunk_id: str, content: str) -> Chunk:
    return Chunk(chunk_id, "ds", "lease.pdf", 1, content)
