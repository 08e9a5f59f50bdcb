import io

import pytest

from indexing.partition.mail.parts import mail_of
from indexing.partition.mail.text_kinds import blocks_of_kind, enriched_text


@pytest.mark.parametrize(
    ("kind", "content", "said"),
    [
        pytest.param("text/html", "<p>Deck <b>lamps</b>", ["Deck lamps"], id="page"),
        pytest.param("application/xhtml+xml", "<p>Deck <b>lamps</b></p>", ["Deck lamps"], id="xml"),
        pytest.param("text/enriched", "<bold>Deck</bold>\nlamps", ["Deck lamps"], id="enriched"),
        pytest.param("text/richtext", "<bold>Deck<lt>1</bold><nl>a", ["Deck<1\na"], id="elder"),
        pytest.param("text/rtf", r"{\rtf1\ansi Deck \b lamps\b0\par}", ["Deck lamps"], id="rtf"),
        pytest.param("text/csv", "lamp,price\nDeck,61", ["lamp,price\nDeck,61"], id="table"),
        pytest.param("text/x-any", "Deck\n\n61", ["Deck", "61"], id="unknown text"),
        pytest.param("application/x-any", "Deck", [], id="no text"),
    ],
)
def test_text_is_read_by_its_kind(kind: str, content: str, said: list[str]) -> None:
    part = mail_of(io.BytesIO(f"Content-Type: {kind}\n\n{content}".encode()))

    assert [block.text for block in blocks_of_kind(part)] == said


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        pytest.param("of\nsteel\n\n\nand brass", "of steel\n\nand brass", id="wrapped lines"),
        pytest.param("<nofill>a\n  b</nofill>\nc", "a\n  b c", id="lines as they are"),
        pytest.param("a << b <<c>", "a < b <c>", id="less than"),
        pytest.param("<color><param>red</param>lamp</color>", "lamp", id="parameters"),
        pytest.param("a < b", "a < b", id="no mark"),
    ],
)
def test_enriched_text_is_read_as_it_is_shown(source: str, shown: str) -> None:
    assert enriched_text(source) == shown
