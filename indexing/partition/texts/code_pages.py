"""Guess in which encoding of old computers some bytes are text.

All of them are text in nearly every one, so what decides is how usual the letters are: those of a
language, the frequent ones among them, and which letters stand beside each other.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from indexing.partition.texts.alphabets import (
    ARABIC,
    BALTIC,
    CENTRAL,
    CYRILLIC,
    GREEK,
    HEBREW,
    THAI,
    TURKISH,
    UNMIXED,
    WESTERN,
    Language,
)
from indexing.partition.texts.east_asian import (
    LEAST_USUAL,
    LEAST_USUAL_OF_RARE,
    MOST_USUAL,
    best_east_asian,
)

UTF8_SHARE = 0.8
"""So many of the bytes are characters of UTF-8 in such a text, whatever was pasted into it."""

SURE = 0.85
"""With such a score the text is in a code page of one byte a letter, whatever else it could be."""

POOR = 0.7
"""With less it may be of East Asia, though not many of its characters are usual ones."""

CAPITAL = 0.9  # of what a small letter counts
WORDS = 0.5  # of a text that has no other words than frequent ones of the language
EVEN_RUNS = 0.9  # of the score of Thai, of which few texts have no word of an odd number
WORDS_BY_CHANCE = 3  # with fewer it may be a name that looks like one
TONES, TONES_ON_LATIN, TONES_ON_VOWELS = 0.2, 0.25, 0.95  # of the bytes beyond ASCII; of these
MIN_TONES = 4
RARE = 0.5  # so much less does the rarest letter count than the most frequent one

_HIGH_BYTES = bytes(range(0x80, 0x100))
_HIGH = re.compile(rb"[\x80-\xff]+")
_BESIDE_LATIN = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]+|(?<![\x80-\xff])[\x80-\xff]++(?=[A-Za-z])")
_BETWEEN_LETTERS = re.compile(rb"(?<=[A-Za-z])[\x80-\xff](?=[A-Za-z])")
_BEFORE_LETTERS = re.compile(rb"[\x80-\xff](?=[A-Za-z])")
_BEHIND_SMALL = re.compile(rb"(?<=[a-z])[\x80-\xff]")
_BEFORE_FIGURES = re.compile(rb"(?<![0-9A-Za-z\x80-\xff])[\x80-\xff](?= ?[0-9])")
_BEFORE_OTHERS = re.compile(rb"(?<![0-9A-Za-z\x80-\xff])[\x80-\xff](?=[\x80-\xff])")
_WORD = re.compile(rb"(?<![0-9A-Za-z_\x80-\xff])[A-Za-z]++(?![0-9_\x80-\xff])")
_EUROS = re.compile(
    rb"[0-9] ?\xa4(?![A-Za-z\x80-\xff])|(?<![A-Za-z\x80-\xff])\xa4 ?[0-9]"  # in ISO 8859-15
)
_UTF8_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)

_SINGLE_BYTE: dict[str, tuple[Language, ...]] = {
    "cp1254": TURKISH,
    "cp1252": WESTERN,
    "iso8859_15": WESTERN,
    "cp1250": CENTRAL,
    "cp1257": BALTIC,
    "cp1255": HEBREW,
    "cp1253": GREEK,
    "iso8859_7": GREEK,
    "cp1256": ARABIC,
    "iso8859_6": ARABIC,
    "cp1251": CYRILLIC,
    "koi8_u": CYRILLIC,
    "iso8859_2": CENTRAL,
    "iso8859_5": CYRILLIC,
    "mac_cyrillic": CYRILLIC,
    "mac_roman": WESTERN,
    "cp850": WESTERN,
    "cp852": CENTRAL,
    "cp866": CYRILLIC,
    "cp855": CYRILLIC,
    "cp874": THAI,
    "cp737": GREEK,
    "cp862": HEBREW,
    "cp857": TURKISH,
    "cp775": BALTIC,
    "cp720": ARABIC,
    "mac_latin2": CENTRAL,
    "mac_greek": GREEK,
    "cp860": WESTERN,
    "cp869": GREEK,
}
"""Encodings of one byte a letter, each before those that it is mistaken for."""

_LESS_USUAL = {
    **dict.fromkeys(("cp1250", "iso8859_15"), 0.99),
    **dict.fromkeys(("mac_roman", "mac_cyrillic", "cp850", "cp852", "cp855"), 0.98),
    **dict.fromkeys(("cp737", "cp720"), 0.97),
    **dict.fromkeys(("cp862", "mac_greek"), 0.96),
    **dict.fromkeys(("cp775", "cp857", "cp860", "cp869", "mac_latin2"), 0.9),
}
"""What a few letters leave open is decided by how many files there are."""

_THAI_MARK = re.compile("[ัิ-ฺ็-๎]")
_THAI_MARK_ON_A_LETTER = re.compile("(?<=[ก-ฮัิ-ฺ็-๎])[ัิ-ฺ็-๎]")

_GREEK_ACCENT = re.compile("[άέήίόύώΐΰΆΈΉΊΌΎΏ]")

# The signs that Windows writes in English, where they stand there. Elsewhere the same bytes are
# letters: "é" and "à" of DOS within words, "ź" and "Ł" of Central Europe before and behind letters.
_WINDOWS_SIGNS = re.compile(
    rb"(?>(?:[\x00-\x7f]++|[\x92\x97]"  # apostrophe and dash
    rb"|(?<![A-Za-z])[\x85\x91\x93-\x96\xa0\xab\xb0\xb2\xb7\xbb]"  # quotation marks, bullet, degree
    rb"|[\x80\x85\x91\x93-\x96\x99\xa0\xa3\xa7\xab\xae\xb0\xb2\xb7\xbb](?![A-Za-z])"
    rb"|(?<![A-Za-z])[\xa9\xb1\xbc-\xbe\xd7](?![A-Za-z])"  # copyright, fractions, times
    rb"|(?<=m)\xb3|\xb5(?=[AFVWgmls])"  # units
    rb"|(?<![A-Za-z])[\xd8\xf8](?= ?[0-9])|(?<=[0-9])[\xaa\xba])*)"  # diameter, 1º
)

# Lines of boxes and tables, which DOS draws with letters; a box of its own has corners as well.
_DRAWN_LINE = re.compile(rb"[\xc4\xcd]{6}|[\xc0\xc8\xc9\xda][\xc4\xcd]{3,}[\xbb\xbc\xbf\xd9]")
_DRAWN = re.compile(rb"[\xb0-\xb4\xb9-\xbc\xbf-\xc5\xc8-\xce\xd9-\xdc\xdf]+")
# Where single lines meet double ones; these bytes are letters in the code pages of Europe.
_CROSSING = re.compile(rb"[\xc4\xcd][\xb5-\xb8\xbd\xbe\xcf-\xd8]|[\xc6\xc7\xcf-\xd8][\xc4\xcd]")
_OF_DOS = ("cp850", "cp852", "cp866", "cp737", "cp857", "cp862", "cp775")
_WITH_CROSSINGS = ("cp850", "cp866", "cp737", "cp862")
"""Those of them that have such crossings; the first is told from an older one by these."""

# Marks of tones, each behind its vowel. In other code pages three of them are capitals.
_TONE = re.compile(rb"[\xcc\xd2\xde\xec\xf2]")
_TONE_ON_LATIN = re.compile(rb"(?<=[AEIOUYaeiouy])[\xcc\xd2\xde\xec\xf2]")
_TONE_ON_ACCENTED = re.compile(
    rb"(?<=[\xc2\xc3\xca\xd4\xd5\xdd\xe2\xe3\xea\xf4\xf5\xfd])[\xcc\xd2\xde\xec\xf2]"
)
_CAPITAL_TONE = re.compile(rb"(?<=[a-z\xe0-\xff])[\xcc\xd2\xde]")

_PUNCTUATION = "\xa0«»„“”‚‘’–—…•·€£§©®°²³½№"
_NEVER_WITHIN_WORDS = "«»„“”‚€£§©®°½№"
_POWERS = "²³"  # behind a unit
_DIAMETER = "Øø"  # before a figure it is no letter, in whatever language
_SIGN = 0.9  # of what the most frequent letter counts


@dataclass(frozen=True, slots=True)
class _Sample:
    """What is beyond ASCII in a text; each code page gives these bytes letters of its own."""

    runs: list[bytes]  # that stand together
    counts: Counter[int]
    pairs: Counter[tuple[int, int]]  # that follow each other
    between_letters: Counter[int]  # of ASCII, as those before one and behind a small one
    before_letters: Counter[int]
    behind_small: Counter[int]
    before_figures: Counter[int]
    before_others: Counter[int]  # at the beginning of a word
    words: Counter[bytes]  # of ASCII, in small letters
    beside_latin: float  # share of the runs
    long_runs: float  # share of them that are more than one byte

    @classmethod
    def of(cls, content: bytes) -> "_Sample":
        runs = _HIGH.findall(content)
        joined = b" ".join(runs)
        return cls(
            runs=runs,
            counts=Counter(joined.replace(b" ", b"")),
            pairs=Counter(pairwise(joined)),
            between_letters=_count(_BETWEEN_LETTERS, content),
            before_letters=_count(_BEFORE_LETTERS, content),
            behind_small=_count(_BEHIND_SMALL, content),
            before_figures=_count(_BEFORE_FIGURES, content),
            before_others=_count(_BEFORE_OTHERS, content),
            words=Counter(_WORD.findall(content.lower())),
            beside_latin=len(_BESIDE_LATIN.findall(content)) / max(1, len(runs)),
            long_runs=sum(len(run) > 1 for run in runs) / max(1, len(runs)),
        )

    def share_of_words(self, words: frozenset[bytes]) -> float:
        """Return how many of the words of ASCII are among these."""
        return sum(map(self.words.__getitem__, words)) / (self.words.total() + WORDS_BY_CHANCE)


def _count(place: re.Pattern[bytes], content: bytes) -> Counter[int]:
    return Counter(b"".join(place.findall(content)))


def guess_encoding(content: bytes) -> str:
    """Return the encoding in which the bytes, which are some text, read best."""
    sample = _Sample.of(content)
    good = len(b"".join(_UTF8_CHARACTER.findall(content)))
    if good >= UTF8_SHARE * sample.counts.total():
        return "utf-8"
    if _is_vietnamese(content, sample):
        return "cp1258"
    if _WINDOWS_SIGNS.fullmatch(content):
        return "cp1252"
    if _DRAWN_LINE.search(content):
        return _code_page_of_dos(content)
    wide, usual = best_east_asian(content)
    single = {name: _score(sample, name) for name in _SINGLE_BYTE}
    if not _EUROS.search(content):
        del single["iso8859_15"]
    best = max(single, key=lambda name: single[name])
    least = LEAST_USUAL if single[best] > POOR else LEAST_USUAL_OF_RARE
    if single[best] >= SURE:
        least = MOST_USUAL
    return wide if usual >= least else best


def _is_vietnamese(content: bytes, sample: _Sample) -> bool:
    """Tell whether marks of tones stand where these do, which no other text has."""
    tones, on_latin, on_accented, capitals = (
        len(one.findall(content))
        for one in (_TONE, _TONE_ON_LATIN, _TONE_ON_ACCENTED, _CAPITAL_TONE)
    )
    return (
        tones >= max(MIN_TONES, TONES * sample.counts.total())
        and on_latin >= TONES_ON_LATIN * tones
        and on_latin + on_accented >= TONES_ON_VOWELS * tones
        and capitals > 0
    )


def _code_page_of_dos(content: bytes) -> str:
    """Return the code page of a text with boxes, by what is left without these."""
    sample = _Sample.of(_DRAWN.sub(b" ", content))
    has_crossings = _CROSSING.search(content) is not None
    names = _WITH_CROSSINGS if has_crossings else _OF_DOS
    best = max(names, key=lambda name: _score(sample, name))
    return "cp437" if best == "cp850" and has_crossings else best


def _score(sample: _Sample, encoding: str) -> float:
    """Return how well the letters of one language account for the bytes beyond ASCII."""
    languages = _SINGLE_BYTE[encoding]
    letters = dict(enumerate(_HIGH_BYTES.decode(encoding, "replace"), start=_HIGH_BYTES[0]))
    diameters = {
        byte: count for byte, count in sample.before_figures.items() if letters[byte] in _DIAMETER
    }
    seen = [
        (letters[byte], count - diameters.get(byte, 0)) for byte, count in sample.counts.items()
    ]
    signs = sum(diameters.values()) + _signs(sample, letters)
    odd = _odd_capitals(sample, letters)
    total = max(1, sample.counts.total())
    score = (_SIGN * signs - odd) / total + max(
        sum(count * _weights(language.letters).get(one, 0.0) for one, count in seen) / total
        + WORDS * sample.share_of_words(language.words)
        for language in languages
    )
    if languages in UNMIXED:
        # Most of their words have several letters; "à" and "è" stand alone.
        score *= (1 - sample.beside_latin) * min(1, 2 * sample.long_runs)
    if languages is THAI:
        score *= _thai_share(sample.runs)
        if not any(len(run) % 2 for run in sample.runs):
            # Characters of two bytes have the same bytes.
            score *= EVEN_RUNS
    if languages is GREEK and not _has_accents("".join(one for one, _ in seen)):
        # Each of its words has an accent, and in others' letters the bytes of a few words fit too.
        score *= 0.95
    return score * _LESS_USUAL.get(encoding, 1)


def _signs(sample: _Sample, letters: dict[int, str]) -> int:
    """Return how many of the bytes are punctuation and signs, in a place where these stand."""
    signs = sum(count for byte, count in sample.counts.items() if letters[byte] in _PUNCTUATION)
    misplaced = (
        (sample.between_letters, _NEVER_WITHIN_WORDS),
        (sample.before_letters, _POWERS),
        (sample.before_others, "’"),  # an apostrophe stands behind letters
    )
    return signs - sum(
        count
        for counts, never in misplaced
        for byte, count in counts.items()
        if letters[byte] in never
    )


def _odd_capitals(sample: _Sample, letters: dict[int, str]) -> int:
    """Return how many capitals stand behind small letters: they are those of another code page."""
    behind_ascii = sum(
        count for byte, count in sample.behind_small.items() if letters[byte].isupper()
    )
    behind_others = sum(
        count
        for (one, other), count in sample.pairs.items()
        if letters.get(one, "").islower() and letters.get(other, "").isupper()
    )
    return behind_ascii + behind_others


@cache
def _weights(alphabet: str) -> dict[str, float]:
    """Return what each letter of an alphabet, the most frequent first, counts, up to 1."""
    weights = {one: 1 - RARE * at / len(alphabet) for at, one in enumerate(alphabet)}
    return {one.upper(): CAPITAL * weight for one, weight in weights.items()} | weights


def _has_accents(letters: str) -> bool:
    return letters.isupper() or _GREEK_ACCENT.search(letters) is not None


def _thai_share(runs: list[bytes]) -> float:
    """Return how many of the marks above and below letters have one; few do of other bytes."""
    text = b"".join(runs).decode("cp874", "replace")
    marks = len(_THAI_MARK.findall(text))
    return len(_THAI_MARK_ON_A_LETTER.findall(text)) / marks if marks else 0.0
