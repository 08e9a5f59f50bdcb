"""Write the numbers of lists in OpenDocument, whose formats are also named by how they begin.

`甲, 乙, 丙, ...` and the like are names of LibreOffice, beside `1`, `a`, `A`, `i` and `I` of the
standard (OpenDocument 1.3 part 3, 19.506).
"""

import re
from collections.abc import Mapping
from string import ascii_lowercase, ascii_uppercase

from indexing.partition.numerals import in_letters, numeral
from indexing.partition.open_document.names import STYLE
from indexing.partition.word.list_labels import in_doubled_letters, in_script

_STANDARD = ("", "1", "a", "A", "i", "I")

# By what Word calls them.
_NAMED = {
    "一, 二, 三, ...": "chineseCounting",
    "甲, 乙, 丙, ...": "ideographTraditional",
    "子, 丑, 寅, ...": "ideographZodiac",
    "①, ②, ③, ...": "decimalEnclosedCircleChinese",
    "ア, イ, ウ, ...": "aiueoFullWidth",
    "イ, ロ, ハ, ...": "irohaFullWidth",
    "ｱ, ｲ, ｳ, ...": "aiueo",
    "ｲ, ﾛ, ﾊ, ...": "iroha",
    "가, 나, 다, ...": "ganada",
    "ㄱ, ㄴ, ㄷ, ...": "chosung",
    "א, י, ק, ...": "hebrew1",
    "א, ב, ג, ...": "hebrew2",
    "أ, ب, ت, ...": "arabicAlpha",
    "ا, ب, ج, ...": "arabicAbjad",
    "ก, ข, ค, ...": "thaiLetters",
}
# With what follows the last letter, which may be each of them doubled, and the language.
_CYRILLIC = re.compile(r"([Аа]), [Бб], \.\., [Аа]а, (?:[Аа]б|([Бб]б)), \.\.\. \((bg|ru|sr)\)")
_ALPHABETS = {
    "bg": "абвгдежзиклмнопрстуфхцчшщъюя",
    "ru": "абвгдежзиклмнопрстуфхцчшщыэюя",
    "sr": "абвгдђежзијклљмнњопрстћуфхцчџш",
}
_MOST_DIGITS = 5  # of a 1
_GREEK = ("Α, Β, ... (gr)", "α, β, ... (gr)")
_GREEK_ONES = ("", "α", "β", "γ", "δ", "ε", "στ", "ζ", "η", "θ")
_GREEK_TENS = ("", "ι", "κ", "λ", "μ", "ν", "ξ", "ο", "π")


def number_of_level(number: int, level: Mapping[str, str]) -> str:
    """Write a number as the level of a list says, "" where it shows none.

    In a format that is not known here it is written in figures, as LibreOffice does.
    """
    kind = level.get(f"{STYLE}num-format", "")
    if kind in ("a", "A") and level.get(f"{STYLE}num-letter-sync") == "true":
        kind = f"{kind}{kind}"
    if kind in _STANDARD:
        return numeral(number, kind)
    for write in (_in_script, _in_digits, _in_cyrillic, _in_greek):
        if number > 0 and (text := write(number, kind)):
            return text
    return str(number)


def _in_script(number: int, kind: str) -> str | None:
    if kind in ("aa", "AA"):
        return in_doubled_letters(number, ascii_lowercase if kind == "aa" else ascii_uppercase)
    return in_script(number, _NAMED.get(kind, ""))


def _in_digits(number: int, kind: str) -> str:
    """Write a number in the digits of any script, and as many of them, as the format begins with.

    Those of each script stand behind its zero.
    """
    first = kind.partition(",")[0]
    if not first.isdecimal() or len(first) > _MOST_DIGITS or int(first) != 1:
        return ""
    zero = ord(first[-1]) - 1
    return "".join(chr(zero + int(digit)) for digit in f"{number:0{len(first)}}")


def _in_cyrillic(number: int, kind: str) -> str:
    stated = _CYRILLIC.fullmatch(kind)
    if stated is None:
        return ""
    letters = _ALPHABETS[stated[3]]
    write = in_doubled_letters if stated[2] else in_letters
    text = write(number, letters) or ""
    return text if stated[1].islower() else text.capitalize()


def _in_greek(number: int, kind: str) -> str:
    if kind not in _GREEK or number >= 10 * len(_GREEK_TENS):
        return ""
    tens, ones = divmod(number, 10)
    text = _GREEK_TENS[tens] + _GREEK_ONES[ones]
    return text if kind == _GREEK[1] else text.upper()
