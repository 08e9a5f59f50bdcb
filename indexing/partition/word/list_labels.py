"""Write the numbers of lists in Word documents in the numerals and letters of other scripts.

Formats: ECMA-376 part 1, 17.18.59 (ST_NumberFormat).
"""

import re

_HEBREW_ONES, _HEBREW_TENS = "אבגדהוזחט", "יכלמנסעפצ"
# Those that would be written with letters of the name of God.
_HEBREW_TURNED = {15: "טו", 16: "טז"}

# Each from one to ten, and what says that there is one ten.
_CHINESE = ("一二三四五六七八九十", "")
_COUNTING = {
    "chineseCounting": _CHINESE,
    "chineseCountingThousand": _CHINESE,
    "japaneseCounting": _CHINESE,
    "taiwaneseCounting": _CHINESE,
    "taiwaneseCountingThousand": _CHINESE,
    "koreanCounting": ("일이삼사오육칠팔구십", ""),
    # In contracts, where no stroke may be added to a number.
    "chineseLegalSimplified": ("壹贰叁肆伍陆柒捌玖拾", "壹"),
    "ideographLegalTraditional": ("壹貳參肆伍陸柒捌玖拾", "壹"),
    "japaneseLegal": ("壱弐参四伍六七八九拾", "壱"),
}
# Each begins again, doubled, behind its last.
_LETTERS = {
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
    "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
    "russianLower": "абвгдежзиклмнопрстуфхцчшщэюя",
    "russianUpper": "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЭЮЯ",
    "aiueo": "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ",
    "aiueoFullWidth": (
        "アイウエオカキクケコサシスセソタチツテトナニヌネノ"
        "ハヒフヘホマミムメモヤユヨラリルレロワヲン"
    ),
    "iroha": "ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽﾝ",
    "irohaFullWidth": (
        "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノ"
        "オクヤマケフコエテアサキユメミシヱヒモセスン"
    ),
    "ganada": "가나다라마바사아자차카타파하",
    "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת",
    "arabicAlpha": "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "arabicAbjad": "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
    "chicago": "*†‡§",
    "thaiLetters": "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
}
_DIGITS = {
    "decimalFullWidth": "０１２３４５６７８９",
    "decimalFullWidth2": "０１２３４５６７８９",
    "decimalHalfWidth": "0123456789",
    "japaneseDigitalTenThousand": "〇一二三四五六七八九",
    "koreanDigital": "영일이삼사오육칠팔구",
    "koreanDigital2": "零一二三四五六七八九",
    "taiwaneseDigital": "○一二三四五六七八九",
    "ideographDigital": "〇一二三四五六七八九",
    "hindiNumbers": "०१२३४५६७८९",
    "thaiNumbers": "๐๑๒๓๔๕๖๗๘๙",
}
_FIRST_ENCLOSED = {
    "decimalEnclosedFullstop": "⒈",
    "decimalEnclosedParen": "⑴",
    "decimalEnclosedCircleChinese": "①",
}
_LAST_ENCLOSED = 20
_IN_FIGURES = {"hex": "{:X}", "numberInDash": "- {} -"}

# Some of the numbers themselves, as a person would write them: `001, 002, 003, ...`
_PADDED = re.compile(r"0{1,9}1(?=, )")

MAX_TIMES = 30
"""As often a letter may stand: a long list would fill all memory with them."""


def in_script(value: int, number_format: str) -> str | None:
    """Write a number as the format says; None where it is of no other script, or of none known."""
    if value < 1:
        return None
    if letters := _LETTERS.get(number_format):
        return in_doubled_letters(value, letters)
    if digits := _DIGITS.get(number_format):
        return "".join(digits[int(digit)] for digit in str(value))
    if (first := _FIRST_ENCLOSED.get(number_format)) and value <= _LAST_ENCLOSED:
        return chr(ord(first) + value - 1)
    if (numerals := _COUNTING.get(number_format)) and value < 100:
        return _counted(value, *numerals)
    if padded := _PADDED.match(number_format):
        return str(value).zfill(len(padded[0]))
    if figures := _IN_FIGURES.get(number_format):
        return figures.format(value)
    return _in_hebrew(value) if number_format == "hebrew1" and value < 100 else None


def in_doubled_letters(value: int, letters: str) -> str | None:
    """Write a number from 1 on in letters, each of them doubled behind the last one, and so on."""
    times, at = divmod(value - 1, len(letters))
    return letters[at] * (times + 1) if times < MAX_TIMES else None


def _counted(value: int, numerals: str, one_ten: str) -> str:
    """Write a number as people count in Chinese and Japanese: twenty-three is two ten three."""
    tens, ones = divmod(value, 10)
    many = numerals[tens - 1] if tens > 1 else one_ten
    return (f"{many}{numerals[-1]}" if tens else "") + (numerals[ones - 1] if ones else "")


def _in_hebrew(value: int) -> str:
    tens, ones = divmod(value, 10)
    written = (_HEBREW_TENS[tens - 1] if tens else "") + (_HEBREW_ONES[ones - 1] if ones else "")
    return _HEBREW_TURNED.get(value, written)
