from datetime import UTC, datetime

import pytest

from app.console.template_words import answer, citation_number, moment, size, usd, without_keys


@pytest.mark.parametrize(
    ("size_bytes", "written"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (4891, "4.9 kB"),
        (123_456, "123 kB"),
        (7_250_000, "7.2 MB"),
        (2_000_000_000_000, "2000 GB"),
    ],
)
def test_size_is_written_as_people_do(size_bytes: int, written: str) -> None:
    assert size(size_bytes) == written


def test_moment_can_be_put_into_local_time() -> None:
    written = moment(datetime(2024, 3, 31, 12, 5, tzinfo=UTC))

    assert written == '<time datetime="2024-03-31T12:05:00+00:00">2024-03-31 12:05 UTC</time>'


@pytest.mark.parametrize(
    ("price", "written"),
    [(None, "not known"), (0.0, "$0.00"), (0.0123, "$0.0123"), (12.3, "$12.30")],
)
def test_price_is_written(price: float | None, written: str) -> None:
    assert usd(price) == written


def test_citation_keys_become_buttons() -> None:
    written = answer("It ends in *March* <source_id=1>, or <source_id=12>.")

    assert written.startswith("<p>It ends in <em>March</em> <button")
    assert 'data-cite="1" aria-label="Source 1">1</button>, or <button' in written
    assert "source_id" not in written


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<b onclick=x>b</b>",
        "![x](http://elsewhere.example/x.png)",
        "[x](javascript:alert(1))",
        "<http://elsewhere.example>",
        "[x]: http://elsewhere.example\n\n[x]",
        '```" onclick="x\n<source_id=1>\n```',
        "&#60;script&#62;",
        "`<source_id=1 onclick=x>`",
    ],
)
def test_nothing_of_an_answer_becomes_a_tag_or_an_address(text: str) -> None:
    written = answer(text)

    for tag in ("<script", "<b ", "<img", "<a ", "<pre"):
        assert tag not in written
    assert "href" not in written
    assert "src=" not in written


def test_light_markdown_is_kept() -> None:
    assert "<li>one</li>" in answer("- one\n- two")
    assert "<td>1</td>" in answer("| a |\n|---|\n| 1 |")


def test_keys_are_left_out_of_a_sentence() -> None:
    assert without_keys("It ends in March <source_id=1>") == "It ends in March"


def test_number_of_a_citation_is_that_of_its_key() -> None:
    assert citation_number({"citation_key": "<source_id=7>"}) == 7
