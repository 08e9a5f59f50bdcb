"""Read and write the numbers of lists, as figures, letters or Roman numerals."""

from string import ascii_lowercase

MAX_ROMAN = 3999
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l")),
    *((40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)


def stated_number(value: str | None, otherwise: int) -> int:
    """Return the number that a document states, of five figures at most."""
    return int(value) if value and value.isdecimal() and len(value) < 6 else otherwise


def numeral(number: int, kind: str) -> str:
    """Write a number as lists do: `1`, `a`, `A`, `i` or `I`; "" where it cannot be."""
    match kind.lower():
        case "1":
            return str(number)
        case "a" if number > 0:
            text = in_letters(number, ascii_lowercase)
        case "i" if 0 < number <= MAX_ROMAN:
            text = _roman(number)
        case _:
            return ""
    return text if kind.islower() else text.upper()


def in_letters(number: int, letters: str) -> str:
    """Write a number from 1 on in letters, as columns of sheets are called: aa and ab follow z."""
    text = ""
    while number > 0:
        number, letter = divmod(number - 1, len(letters))
        text = letters[letter] + text
    return text


def _roman(number: int) -> str:
    text = ""
    for value, letters in _ROMAN:
        text += letters * (number // value)
        number %= value
    return text
