import pytest

from indexing.partition.numerals import numeral


@pytest.mark.parametrize(
    ("number", "kind", "text"),
    [
        (14, "1", "14"),
        (3, "a", "c"),
        (27, "A", "AA"),
        (703, "a", "aaa"),
        (0, "a", ""),
        (1994, "I", "MCMXCIV"),
        (4, "i", "iv"),
        (0, "i", ""),
        (1, "", ""),
    ],
)
def test_numbers_are_written_as_lists_do(number: int, kind: str, text: str) -> None:
    assert numeral(number, kind) == text
