import pytest

from extraction.types import FieldType
from extraction.values.texts import LONGEST_TEXT
from tests.extraction.values.fields import found, normalised


def test_lines_are_found() -> None:
    assert found(FieldType.TEXT, " one line \n\n\tanother\n") == [
        ("one line", "one line"),
        ("another", "another"),
    ]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("  two\n lines ", "two lines", id="spaces"),
        pytest.param(5, "5", id="number"),
        pytest.param("a\x00b", "a b", id="control"),
        pytest.param("a\ud800b", "ab", id="half of a pair"),
        pytest.param("N/A", None, id="not there"),
        pytest.param("  ", None, id="empty"),
        pytest.param(True, None, id="bool"),
        pytest.param(["a"], None, id="list"),
    ],
)
def test_text_is_normalised(raw: object, expected: str | None) -> None:
    assert normalised(FieldType.TEXT, raw) == expected


def test_long_text_ends_between_words() -> None:
    text = normalised(FieldType.TEXT, "word " * LONGEST_TEXT)

    assert isinstance(text, str)
    assert LONGEST_TEXT - 5 <= len(text) <= LONGEST_TEXT
    assert text.endswith("word")


def test_long_word_is_cut() -> None:
    assert normalised(FieldType.TEXT, "x" * (LONGEST_TEXT + 5)) == "x" * LONGEST_TEXT


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param("  two\n lines ", "  two\n lines ", id="kept"),
        pytest.param("N/A", "N/A", id="any words"),
        pytest.param(" \n", None, id="blank"),
        pytest.param("a\x00b", None, id="cannot be stored"),
        pytest.param("a\ud800", None, id="half of a pair"),
        pytest.param(5, None, id="number"),
    ],
)
def test_verbatim_is_kept_or_dropped(raw: object, expected: str | None) -> None:
    assert normalised(FieldType.VERBATIM, raw) == expected
