import pytest

from indexing.partition.mail.body import says_more, unflowed
from indexing.partition.web.markup import html_blocks

PRICES = "<p>Prices<table><tr><th>Lamp<th>Price<tr><td>Deck<td>61</table>"
LAYOUT = "<table><tr><td>Dear Ana,<tr><td>it arrives on Thursday.</table>"


@pytest.mark.parametrize(
    ("page", "plain_text", "has_more"),
    [
        pytest.param(PRICES, "Prices\n\nLamp\n\nPrice\n\nDeck\n\n61", True, id="table"),
        pytest.param(LAYOUT, "Dear Ana,\nit arrives on Thursday.", False, id="the same"),
        pytest.param(f"<p>{'It arrives. ' * 20}", "No plain text.", True, id="a note in its place"),
        pytest.param(f"<p>{'火曜日に届きます。' * 20}", "なし", True, id="a note without blanks"),
        pytest.param("", "It arrives.", False, id="none"),
    ],
)
def test_a_page_is_read_where_it_says_more(page: str, plain_text: str, has_more: bool) -> None:
    assert says_more(html_blocks(page), plain_text) == has_more


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        pytest.param("It \narrives.\nBye", "It arrives.\nBye", id="wrapped"),
        pytest.param("> It \n> arrives \nsoon", "> It arrives \nsoon", id="quoted"),
        pytest.param(" From here\n >no mark", "From here\n>no mark", id="blank before a letter"),
        pytest.param("Bye \n-- \nAna", "Bye \n-- \nAna", id="signature"),
        pytest.param("", "", id="nothing"),
    ],
)
def test_wrapped_lines_are_put_together(text: str, whole: str) -> None:
    assert unflowed(text, drops_blank=False) == whole


def test_languages_without_blanks_get_none() -> None:
    assert unflowed("会議は \n火曜日。", drops_blank=True) == "会議は火曜日。"
