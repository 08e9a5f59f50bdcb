import re
import unicodedata

import pytest

from agents import question_words

TABLES = [name for name, table in vars(question_words).items() if name.isupper() and "en" in table]


@pytest.mark.parametrize("name", TABLES)
def test_words_are_small_and_without_accents(name: str) -> None:
    for language, words in getattr(question_words, name).items():
        # What a backslash stands before is no letter.
        letters = re.sub(r"\\.", "", words)
        assert letters == letters.casefold(), language
        assert not re.search("[\u0300-\u036f]", unicodedata.normalize("NFKD", letters)), language


@pytest.mark.parametrize("name", TABLES)
def test_each_word_is_an_expression_by_itself(name: str) -> None:
    for words in getattr(question_words, name).values():
        for word in words.split():
            re.compile(word)


def test_words_that_are_looked_for_together_share_their_languages() -> None:
    pairs = [("AND", "QUESTION"), ("CHANGING", "FROM"), ("AND", "SHARING")]
    languages = {name: set(getattr(question_words, name)) for name in TABLES}

    assert all({"en", "de", "fr", "es"} <= languages[a] & languages[b] for a, b in pairs)


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        pytest.param("how to add up", True, id="word of two"),
        pytest.param("we paddle", False, id="inside another word"),
        pytest.param("请比较", True, id="no blanks between words"),
    ],
)
def test_word_stands_by_itself_where_words_are_spaced(text: str, matches: bool) -> None:
    table = {"en": "add add_up", "zh": "比较"}

    assert bool(re.search(question_words.any_of(table), text)) is matches


def test_pair_is_of_one_language() -> None:
    pair = question_words.pair_of({"en": "and", "de": "und"}, {"en": "who", "de": "wer"})

    assert re.search(pair, "and who")
    assert re.search(pair, "und wer")
    assert not re.search(pair, "und who")
