import snowballstemmer

from indexing.language import DEFAULT_LANGUAGE
from indexing.stop_words import STOP_WORDS

VARIANTS = {"porter", "dutch_porter"}


def test_every_stemmer_has_its_stop_words() -> None:
    assert STOP_WORDS.keys() == set(snowballstemmer.algorithms()) - VARIANTS


def test_default_language_has_stop_words() -> None:
    assert "the" in STOP_WORDS[DEFAULT_LANGUAGE]


def test_words_stand_as_they_are_written_small() -> None:
    words = {word for one in STOP_WORDS.values() for word in one}

    assert {word for word in words if word != word.lower() or not word} == set()
