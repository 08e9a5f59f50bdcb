import pytest

from extraction.types import FieldType
from extraction.values.urls import LONGEST_URL
from tests.extraction.values.fields import found, normalised


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("See https://a.example/b?c=d#e.", ["https://a.example/b?c=d#e"], id="https"),
        pytest.param("(http://a.com/b_(c))", ["http://a.com/b_(c)"], id="parentheses"),
        pytest.param("www.coolblue.nl, www.a.de", ["www.coolblue.nl", "www.a.de"], id="www"),
        pytest.param("Website:www.a.com", ["www.a.com"], id="colon"),
        pytest.param("shop.com/p?q=1; other.org", ["shop.com/p?q=1", "other.org"], id="bare"),
        pytest.param("me@shop.com", [], id="mail"),
        pytest.param("javascript:alert(1) data:text/html,x", [], id="scripts"),
        pytest.param("the end.Next sentence, index.html", [], id="words"),
        pytest.param("https:///nothing http://", [], id="no host"),
    ],
)
def test_addresses_are_found(text: str, expected: list[str]) -> None:
    assert [value for _, value in found(FieldType.URL, text)] == expected


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        pytest.param(" https://a.com/b. ", "https://a.com/b", id="trimmed"),
        pytest.param("<www.a.com>", "www.a.com", id="brackets"),
        pytest.param("HTTP://A.com", "HTTP://A.com", id="capitals"),
        pytest.param("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x", id="address"),
        pytest.param("javascript:alert(1)//www.a.com", None, id="script"),
        pytest.param("data:text/html,<script>", None, id="data"),
        pytest.param("ftp://a.com", None, id="ftp"),
        pytest.param("https://me:pw@a.com", None, id="password"),
        pytest.param("https://a.com:x/", None, id="port"),
        pytest.param("https://[a", None, id="broken"),
        pytest.param("https://a.com/b c", None, id="space"),
        pytest.param("nothing", None, id="word"),
        pytest.param("https://a.com/" + "x" * LONGEST_URL, None, id="too long"),
        pytest.param(5, None, id="number"),
    ],
)
def test_address_is_normalised(raw: object, expected: str | None) -> None:
    assert normalised(FieldType.URL, raw) == expected
