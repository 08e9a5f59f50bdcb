"""What was said before in a conversation, as far as the next question needs it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

MAX_TURNS = 6
MAX_CHARACTERS = 6000

# A question that begins like this, or holds such a word, leans on the one before it.
_LEANING_START = re.compile(r"\s*(and|but|so|what about|how about|why|also)\b", re.IGNORECASE)
_LEANING_WORD = re.compile(
    r"\b(it|its|they|them|their|he|him|his|she|her|this|that|these|those|there|same|former|latter)\b",
    re.IGNORECASE,
)
_SHORT_QUESTION_WORDS = 4


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of the conversation with the answer it was given."""

    query: str
    response: str


def latest_turns(turns: Sequence[Turn]) -> list[Turn]:
    """Return the latest turns that fit the prompt, oldest first."""
    kept: list[Turn] = []
    room = MAX_CHARACTERS
    for turn in reversed(turns[-MAX_TURNS:]):
        room -= len(turn.query) + len(turn.response)
        if room < 0:
            break
        kept.append(turn)
    return kept[::-1]


def search_query(question: str, turns: Sequence[Turn]) -> str:
    """Return what to search for: a question that leans on the one before is asked with it."""
    if not turns:
        return question
    leans = (
        _LEANING_START.match(question)
        or _LEANING_WORD.search(question)
        or len(question.split()) <= _SHORT_QUESTION_WORDS
    )
    return f"{turns[-1].query} {question}" if leans else question
