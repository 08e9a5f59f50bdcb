"""What reaches a terminal."""

import json

import pytest

from app.people.writing import place, printable, say_json
from knowledge_engine import StreamCitation


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("Grün\tund\nblau 中文", "Grün\tund\nblau 中文", id="text"),
        pytest.param("\x1b[2J\x1b]0;title\x07gone", "[2J]0;titlegone", id="escape sequences"),
        pytest.param("\x9b31mred", "31mred", id="the eight-bit introducer"),
        pytest.param("abc\rxyz\x08", "abcxyz", id="overwriting"),
        pytest.param("exe\u202efdp.", "exefdp.", id="turning the direction"),
    ],
)
def test_no_order_reaches_the_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown


def test_page_is_named_where_there_is_one() -> None:
    assert place("a.pdf", 3) == "a.pdf, page 3"
    assert place("a.csv", -1) == "a.csv"


def test_json_holds_all_letters(capsys: pytest.CaptureFixture[str]) -> None:
    say_json({"found": [StreamCitation(text="Grün", source="a", page=1)]})

    written = capsys.readouterr().out
    assert "Grün" in written
    assert json.loads(written) == {"found": [{"text": "Grün", "source": "a", "page": 1}]}
