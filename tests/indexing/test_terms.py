from concurrent.futures import ThreadPoolExecutor

import pytest

from indexing.terms import LONGEST_TERM, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("The tenant's leases are running out", "tenant leas run out", id="English"),
        pytest.param("Café NAÏVE Straße Malmø Łódź", "cafe naiv strass malmo lodz", id="accents"),
        pytest.param("cafe\u0301", "cafe", id="accent apart from its letter"),
        pytest.param("Ωμέγα Ёлка", "ωμεγα елка", id="Greek and Cyrillic"),
        pytest.param("ﬁle \uff21\uff22", "file ab", id="ligatures and wide letters"),
        pytest.param("co\u00adoperate", "cooper", id="soft hyphen"),
        pytest.param("well-known and/or", "well known", id="plain words joined"),
        pytest.param("東京の天気", "東京 京の の天 天気", id="Japanese"),
        pytest.param("猫", "猫", id="one Han character"),
        pytest.param("한국어 문서", "한국 국어 문서", id="Korean"),
        pytest.param("ไทย", "ไท ทย", id="Thai"),
        pytest.param("हिन्दी किताब", "हिन्दी किताब", id="Devanagari keeps its vowels"),
        pytest.param("سَلَام", "سلام", id="Arabic without points"),
        pytest.param("第3.2章", "第 章 3.2 3 2", id="scripts without a space between"),
        pytest.param("INV-2024-001", "inv-2024-001 inv 2024 001", id="identifier"),
        pytest.param("4.2", "4.2 4 2", id="section"),
        pytest.param("1,234.50", "1234.50 1 234 50", id="English thousands"),
        pytest.param("1.234,50", "1234.50 1 234 50", id="German thousands"),
        pytest.param("1,234,567", "1234567 1 234 567", id="millions"),
        pytest.param("foo_bar", "foo_bar foo bar", id="underscore"),
        pytest.param("__init__", "init", id="underscores around"),
        pytest.param("a/b-12", "a/b-12 b 12", id="slash and hyphen"),
        pytest.param("non\u2011breaking-2", "non-breaking-2 non break 2", id="other hyphens"),
        pytest.param("Ask jo@x.org.", "ask jo@x.org jo x org", id="address before a full stop"),
        pytest.param("10:30", "10:30 10 30", id="time"),
        pytest.param("B2B", "b2b", id="letters and digits"),
        pytest.param("____ ... -", "", id="no words"),
        pytest.param("nul\0here", "nul here", id="NUL"),
        pytest.param("a\ud800x", "x", id="half a character"),
    ],
)
def test_terms(text: str, expected: str) -> None:
    assert sorted(terms(text)) == sorted(expected.split())


def test_numbers_match_however_they_are_written() -> None:
    assert set(terms("1,234.50")) & set(terms("1234.50")) >= {"1234.50"}


def test_a_term_is_there_as_often_as_it_occurs() -> None:
    assert terms("rent, rents and renting") == ["rent", "rent", "rent"]


def test_long_terms_are_bounded_and_still_differ() -> None:
    longest, cut, other = terms(" ".join(["x" * 64, "x" * 65, "x" * 66]))

    assert longest == "x" * 64
    assert len(cut) == len(other) == LONGEST_TERM
    assert cut != other


def test_long_identifiers_are_bounded() -> None:
    whole, *_ = terms("part-1/" * 20)

    assert len(whole) == LONGEST_TERM


def test_another_language_has_its_own_stems() -> None:
    assert terms("Kündigungen", language="german") == ["kundig"]


def test_threads_do_not_disturb_each_other() -> None:
    words = [f"{'bcdfgh'[number % 6]}{number * 'o'}unning" for number in range(50)] * 20

    with ThreadPoolExecutor(4) as threads:
        stems = list(threads.map(terms, words))

    assert stems == [[word.removesuffix("ning")] for word in words]
