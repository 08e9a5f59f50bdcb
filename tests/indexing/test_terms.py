from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexing.stop_words import STOP_WORDS
from indexing.terms import LONGEST_TERM, query_terms, terms


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
        pytest.param("1,234.50", "1234.50 1234 50", id="English thousands"),
        pytest.param("1.234,50", "1234.50 1234 50", id="German thousands"),
        pytest.param("1,234,567", "1234567", id="millions"),
        pytest.param("1.234.567", "1234567", id="German millions"),
        pytest.param("1'234.50", "1234.50 1234 50", id="Swiss thousands"),
        pytest.param("1\u202f234,50", "1234.50 1234 50", id="French thousands"),
        pytest.param("1.234", "1.234 1234 1 234", id="a point that may be either"),
        pytest.param("12,5", "12.5 12 5", id="decimal comma"),
        pytest.param("12½ %", "12.5 12 5", id="fraction"),
        pytest.param("§ 4.2", "4.2 4 2", id="section sign"),
        pytest.param("revenue¹ 80 m²", "revenu 1 80 m2", id="footnote mark and unit"),
        pytest.param("C++ and C#", "c++ c c# c", id="programming languages"),
        pytest.param("Use .NET.", "use .net net", id="leading point"),
        pytest.param(
            "DE89 3704 0044 05",
            "de893704004405 de89 3704 0044 05",
            id="IBAN in groups",
        ),
        pytest.param("www.x.org/a?b=2", "www.x.org/a www x org b 2", id="web address"),
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


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        pytest.param("german", "Kündigung Kündigungen Kuendigung Kundigung", id="German umlauts"),
        pytest.param("german", "Straße Strasse STRASSEN", id="sharp s"),
        pytest.param("french", "résiliation Résiliations RESILIATION", id="French"),
        pytest.param("spanish", "rescisión rescision rescisiones", id="Spanish"),
        pytest.param("russian", "договор договорами Договоры", id="Russian"),
        pytest.param("russian", "новый новая новые", id="Russian short i"),
        pytest.param("greek", "μισθωτής μισθωτη ΜΙΣΘΩΤΗΣ", id="Greek final sigma"),
        pytest.param("turkish", "kiracı KİRACI kiracının", id="Turkish"),
        pytest.param("turkish", "İstanbul istanbul İSTANBUL", id="Turkish dotted capital"),
        pytest.param("turkish", "ısı ISI", id="Turkish dotless capital"),
        pytest.param("arabic", "المستأجر مستأجر للمستأجر", id="Arabic"),
        pytest.param("hindi", "किताब किताबें किताबों", id="Hindi"),
        pytest.param("serbian", "закупнина zakupnina закупнине", id="Serbian in both scripts"),
        pytest.param("polish", "czynsz czynszów", id="Polish"),
        pytest.param("other", "hợp hop", id="a language without stemmer"),
        pytest.param("german", "Café Cafe", id="an accent that is foreign to the language"),
        pytest.param("russian", "tenant tenants", id="English words in another script"),
    ],
)
def test_forms_of_a_word_have_one_stem(language: str, forms: str) -> None:
    assert len({tuple(terms(form, language)) for form in forms.split()}) == 1


@pytest.mark.parametrize("language", sorted(STOP_WORDS))
def test_stop_words_are_left_out(language: str) -> None:
    assert terms(" ".join(STOP_WORDS[language]), language) == []


def test_query_is_analysed_in_every_language() -> None:
    words = query_terms("die Mieten 2024-01", ["english", "german"])

    assert words == {
        ("die", None): 1,
        ("mieten", "miet"): 1,
        ("2024-01", "2024-01"): 1,
        ("2024", "2024"): 1,
        ("01", "01"): 1,
    }


def test_query_word_counts_as_often_as_it_is_said() -> None:
    assert query_terms("rent Rent the", ["english"]) == {("rent",): 2}


@settings(database=None)
@given(st.text() | st.text("IİıiTt012 .,-½²'’/@+#"))
def test_any_text_has_as_many_words_in_every_language(text: str) -> None:
    for language in ("english", "german", "turkish", "arabic", "other"):
        assert all(0 < len(term) <= LONGEST_TERM for term in terms(text, language))
    assert query_terms(text, ["english", "turkish", "german"]).total() >= 0


def test_threads_do_not_disturb_each_other() -> None:
    words = [f"{'bcdfgh'[number % 6]}{number * 'o'}unning" for number in range(50)] * 20

    with ThreadPoolExecutor(4) as threads:
        stems = list(threads.map(terms, words))

    assert stems == [[word.removesuffix("ning")] for word in words]


@pytest.mark.parametrize(
    ("word", "found"),
    [
        pytest.param("FY2017", {"fy", "2017"}, id="fiscal year"),
        pytest.param("2023Q4", {"2023", "q4"}, id="quarter behind"),
        pytest.param("Q22023", {"q2", "2023"}, id="quarter before"),
        pytest.param("FY21", {"2021"}, id="short fiscal year"),
        pytest.param("10Q2023Q1x9", set(), id="something else"),
        pytest.param("2023", {"2023"}, id="year alone"),
    ],
)
def test_year_that_is_glued_to_letters_is_found_by_itself(word: str, found: set[str]) -> None:
    assert set(terms(word)) == {word.lower(), *found}
