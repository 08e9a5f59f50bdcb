"""Read English numbers in words."""

import re
from decimal import Decimal

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ADDED = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{word: number * 10 for number, word in enumerate(_TENS, start=2)},
}
_MULTIPLIED = {"hundred": 10**2, "thousand": 10**3, "million": 10**6, "billion": 10**9}

_WORD = "|".join(sorted({*_ADDED, *_MULTIPLIED}, key=len, reverse=True))
FIRST_NUMBER_WORD = rf"\b(?:{'|'.join(_ADDED)})\b"
NUMBER_WORDS = rf"\b(?:{'|'.join(_ADDED)})(?:(?:[\s-]{{1,2}}|[\s]and\s)(?:{_WORD}))*\b"
"""The pattern of a number in words, in small letters; it begins with none of the multiples."""


def read_number_words(words: str) -> Decimal | None:
    """Return the number that the words of a match of `NUMBER_WORDS` stand for, if they are one.

    "two three" are two numbers, so they are none.
    """
    total = group = 0
    room = 10**9  # what comes next must be below it
    for word in re.findall("[a-z]+", words):
        if word == "and":
            continue
        if word in _ADDED:
            if _ADDED[word] >= room:
                return None
            group += _ADDED[word]
            room = 10 if _ADDED[word] >= 20 else 1
        elif word == "hundred":
            group, room = group * 100, 100
        else:
            total, group, room = total + group * _MULTIPLIED[word], 0, _MULTIPLIED[word]
    return Decimal(total + group)
