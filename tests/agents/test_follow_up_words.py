import re
from dataclasses import fields

import pytest

from agents.follow_up_words import FOLLOW_UP_WORDS, FollowUpWords, language_of_question
from agents.names import LANGUAGES


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("When does the lease end? and in 2023?", "english"),
        ("Wie hoch ist die Miete? und 2023?", "german"),
        ("Quel est le loyer ? et en 2023 ?", "french"),
        ("¿Cuál es la renta? ¿y en 2023?", "spanish"),
        ("Quanto è l’affitto? e nel 2023?", "italian"),
        ("2023?", "english"),
    ],
)
def test_language_is_that_of_most_small_words(text: str, language: str) -> None:
    assert language_of_question(text) == language


def test_every_language_has_its_words() -> None:
    assert tuple(FOLLOW_UP_WORDS) == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_expressions_hold(language: str) -> None:
    words = FOLLOW_UP_WORDS[language]
    texts = [getattr(words, field.name) for field in fields(FollowUpWords)]

    for text in texts:
        if isinstance(text, str):
            assert re.compile(text).match("") is None
