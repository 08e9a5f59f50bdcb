import pytest

from indexing.partition.texts.alphabets import (
    ARABIC,
    BALTIC,
    CENTRAL,
    CYRILLIC,
    GREEK,
    HEBREW,
    THAI,
    TURKISH,
    WESTERN,
    Language,
)

LANGUAGES = (
    *WESTERN,
    *CENTRAL,
    *TURKISH,
    *BALTIC,
    *CYRILLIC,
    *GREEK,
    *HEBREW,
    *ARABIC,
    *THAI,
)
ENGLISH = frozenset(
    b"the of and to a in is it on for at as an no do so by be or me not with".split()
)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.letters)
def test_a_letter_has_one_place_in_its_language(language: Language) -> None:
    assert len(set(language.letters)) == len(language.letters)
    assert not any(map(str.isascii, language.letters))


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda one: one.letters)
def test_words_are_small_letters_of_ascii_and_not_english(language: Language) -> None:
    assert all(word.isascii() and word.islower() for word in language.words)
    assert not language.words & ENGLISH
