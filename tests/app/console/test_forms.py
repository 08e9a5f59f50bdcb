import pytest

from app.console.forms import parse_name, parse_notes, storable
from config.errors import InvalidRequest, MalformedBody


def test_notes_are_an_object() -> None:
    assert parse_notes("") == {}
    assert parse_notes('{"year": 2024}') == {"year": 2024}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[1]", id="a-list"),
        pytest.param("1", id="a-number"),
        pytest.param("{", id="broken"),
        pytest.param("{'a': 1}", id="no-json"),
        pytest.param("9" * 5000, id="too-many-digits"),
        pytest.param("[" * 100_000, id="too-deep"),
    ],
)
def test_other_notes_are_refused(text: str) -> None:
    with pytest.raises(InvalidRequest):
        parse_notes(text)


def test_name_is_trimmed_and_has_its_limit() -> None:
    assert parse_name(f" {'é' * 50} ", 50) == "é" * 50
    with pytest.raises(InvalidRequest, match="at most 50 characters"):
        parse_name("é" * 51, 50)


def test_text_that_cannot_be_stored_is_refused() -> None:
    with pytest.raises(MalformedBody):
        storable({"name": "a\x00b"})
