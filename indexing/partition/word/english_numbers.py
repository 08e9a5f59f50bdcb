"""Write the numbers of lists in English words, as in `Article One` and `First Schedule`."""

_ONES = (
    *("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {
    **{"one": "first", "two": "second", "three": "third", "five": "fifth"},
    **{"eight": "eighth", "nine": "ninth", "twelve": "twelfth"},
}

LAST = 99
"""Higher numbers are written in figures: no list in words is so long."""


def cardinal(number: int) -> str:
    """Write a number from 1 on as Word does: `Twenty-one`."""
    return "-".join(_words(number)).capitalize()


def ordinal(number: int) -> str:
    """Write the place in a row from 1 on as Word does: `Twenty-first`."""
    *before, last = _words(number)
    usual = f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"
    return "-".join([*before, _ORDINALS.get(last, usual)]).capitalize()


def _words(number: int) -> list[str]:
    if number <= len(_ONES):
        return [_ONES[number - 1]]
    tens, ones = divmod(number, 10)
    return [_TENS[tens - 2], *([_ONES[ones - 1]] if ones else [])]
