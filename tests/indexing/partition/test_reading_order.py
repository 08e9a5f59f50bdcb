import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.partition.reading_order import (
    has_letters_from_right,
    levels,
    reading_order,
    runs_from_right,
)
from tests.indexing.partition.from_right import arabic, hebrew


@pytest.mark.parametrize(
    ("seen", "written"),
    [
        pytest.param("fed cba", "abc def", id="words"),
        pytest.param(".fed ,cba", "abc, def.", id="punctuation"),
        pytest.param("fed ACME LTD cba", "abc ACME LTD def", id="a name of two words"),
        pytest.param(".ACME LTD cba", "abc ACME LTD.", id="a name at the end"),
        pytest.param("cba ACME (UK)", "ACME (UK) abc", id="a bracket within a name"),
        pytest.param("cba ACME", "ACME abc", id="a name at the beginning"),
        pytest.param("fed 12.5% cba", "abc 12.5% def", id="a number with its signs"),
        pytest.param("fed $1,050 cba", "abc $1,050 def", id="an amount"),
        pytest.param("fed 31/12/2023 cba", "abc 31/12/2023 def", id="a date"),
        pytest.param("fed 20 10 cba", "abc 10 20 def", id="two numbers"),
        pytest.param("fed INV-2024-001 cba", "abc INV-2024-001 def", id="an identifier"),
        pytest.param("fed IPHONE 15 PRO cba", "abc IPHONE 15 PRO def", id="a number in a name"),
        pytest.param("INV-2024- cba", "abc INV-2024-", id="an identifier broken by the line"),
        pytest.param("fed A@B.CO/X?Y=1 cba", "abc A@B.CO/X?Y=1 def", id="an address"),
    ],
)
def test_a_line_from_the_right_is_read_as_it_was_written(seen: str, written: str) -> None:
    assert _read(hebrew(seen), from_right=True) == hebrew(written)


@pytest.mark.parametrize(
    ("seen", "written"),
    [
        pytest.param("%12.5 cba", "abc 12.5%", id="a sign stands behind the number"),
        pytest.param("31-12-2023 cba", "abc 2023-12-31", id="hyphens part numbers"),
        pytest.param("31/12/2023 cba", "abc 31/12/2023", id="strokes do not"),
        pytest.param("fed A-1-2 cba", "abc A-1-2 def", id="an identifier"),
    ],
)
def test_numbers_among_arabic_letters_have_rules_of_their_own(seen: str, written: str) -> None:
    assert _read(arabic(seen), from_right=True) == arabic(written)


@pytest.mark.parametrize(
    ("seen", "written"),
    [
        pytest.param("THE fed cba CO", "THE abc def CO", id="a name of two words"),
        pytest.param("THE fed 12 cba CO", "THE abc 12 def CO", id="a number in a name"),
        pytest.param("THE fed ,cba 1.", "THE abc, def 1.", id="a list"),
        pytest.param("NO 12 LETTERS.", "NO 12 LETTERS.", id="none"),
    ],
)
def test_names_from_the_right_are_read_within_a_line_from_the_left(seen: str, written: str) -> None:
    assert _read(hebrew(seen), from_right=False) == hebrew(written)


def test_words_do_not_belong_together_across_a_wide_gap() -> None:
    seen = hebrew("INV-1  ACME LTD cba")

    assert _read(seen, from_right=True) == hebrew("abc INV-1  ACME LTD")
    assert _read(seen, [7], from_right=True) == hebrew("abc ACME LTD  INV-1")


@given(st.text("abאب12.,-%( ", max_size=20), st.booleans())
def test_no_letter_is_lost_or_read_twice(seen: str, from_right: bool) -> None:
    order = reading_order(levels(seen, from_right=from_right))

    assert sorted(order) == list(range(len(seen)))


@pytest.mark.parametrize("text", ["abc", "12 abc", "abcd ACME", "abcd LTD?"])
def test_a_text_runs_from_the_right_as_most_of_its_letters_do(text: str) -> None:
    assert runs_from_right(hebrew(text))


@pytest.mark.parametrize("text", ["", "12.5%", "THE LEASE", "abc ACME LTD"])
def test_other_texts_run_from_the_left(text: str) -> None:
    assert not runs_from_right(hebrew(text))


def test_texts_without_such_letters_are_told() -> None:
    assert not has_letters_from_right("Größe 12 €, 日本語")
    assert has_letters_from_right("Size א")
    assert has_letters_from_right("ﻻ")  # the shape of two letters


def _read(seen: str, gaps: list[int] | None = None, *, from_right: bool) -> str:
    return "".join(
        seen[at] for at in reading_order(levels(seen, gaps or [], from_right=from_right))
    )
