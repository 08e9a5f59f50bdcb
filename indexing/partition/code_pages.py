"""Guess in which encoding of old computers some bytes are text.

All of them are text in nearly every one, so what decides is how usual the letters are: those of a
language, the frequent ones among them, and which letters stand beside each other.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

UTF8_SHARE = 0.8
"""So many of the bytes are characters of UTF-8 in such a text, whatever was pasted into it."""

SURE = 0.85
"""With such a score the text is in a code page of one byte a letter, whatever else it could be."""

POOR = 0.7
"""With less it may be of East Asia, though hardly any of its characters are usual ones."""

CAPITAL = 0.9  # of what a small letter counts
RARE = 0.5  # so much less does the rarest letter count than the most frequent one
ODD_RUNS = 0.1  # in Thai more of the words have an odd number of letters

MAX_BROKEN = 0.01  # of the characters of East Asia, as bytes that fit to no other
LEAST_KANA = 0.2  # of the same, in Japanese
LEAST_HANGUL = 0.2  # those of `_HANGUL`, in Korean
LEAST_FREQUENT = 0.1  # those of `_SIMPLIFIED` or `_TRADITIONAL`, in Chinese

_HIGH_BYTES = bytes(range(0x80, 0x100))
_HIGH = re.compile(rb"[\x80-\xff]+")
_BESIDE_LATIN = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]+|(?<![\x80-\xff])[\x80-\xff]++(?=[A-Za-z])")
_BETWEEN_LETTERS = re.compile(rb"(?<=[A-Za-z])[\x80-\xff](?=[A-Za-z])")
_BEHIND_SMALL = re.compile(rb"(?<=[a-z])[\x80-\xff]")
_BEFORE_FIGURES = re.compile(rb"(?<![0-9A-Za-z\x80-\xff])[\x80-\xff](?= ?[0-9])")
_UTF8_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)

_WIDE = re.compile("[^\x00-\x7f]")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fc\u3001\u3002]")
_HANGUL = re.compile("[이다는에가을의고하지로기은한도사시리를대서인자스어나아그일해정부수있전제]")
_SIMPLIFIED = re.compile(
    "[的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里，。]"
)
_TRADITIONAL = re.compile(
    "[的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡，。]"
)
_EAST_ASIAN = {
    "cp932": (_KANA, LEAST_KANA),
    "euc_jp": (_KANA, LEAST_KANA),
    "cp949": (_HANGUL, LEAST_HANGUL),
    "gb18030": (_SIMPLIFIED, LEAST_FREQUENT),
    "big5": (_TRADITIONAL, LEAST_FREQUENT),
}

# Of each language the letters beyond ASCII, the most frequent ones first.
_WESTERN = (
    "üäöß",
    "éèàêçôùîûâëïœæü",
    "óíáñéúü¿¡ºª",
    "ãçáéíóêõâúàôü",
    "éóíàèúçòïü",
    "èàòùìé",
    "åäøöæéü",
    "øåæéòôó",
    "äöå",
    "áðíþéóöúæý",
    "ëéïèöüáóíúä",
)
_CENTRAL = ("łęąśżóćńź", "íáéěřčžýšůúťďňó", "áíéčžýšúľťôňďäóĺŕ", "áéőöíóüúű", "ăîâșțşţ", "čšžćđ")
_TURKISH = ("ıüşğçöİâîû",)
_BALTIC = ("āīēšūžņķļģč", "ėšųžūąįčę", "äõüöšž")
_CYRILLIC = (
    "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё",
    "оаніиетвркслудмпзьябгйчхцжїюєшщфґ",
    "аоиентрсвлкдпмъузгбячщцжхюйшфь",
    "аоиенрстујкмвдлпзгбчшцжћњхљђфџ",
)
_GREEK = ("αοιετσνηυρπκμλςίόάέωήδγύώχθφβξζψϊΐϋΰ",)
_HEBREW_POINTS = "".join(map(chr, (*range(0x5B0, 0x5BD), 0x5C1, 0x5C2)))
_HEBREW = ("יוהלארמתבשנחםדעקפטצןגסזכךףץ" + _HEBREW_POINTS,)
_ARABIC = ("الينمرتوبدعسفهكقحةجشأصىخطضذءزثئغظؤإآ،؟",)
_THAI = ("ารนก่อเ้งมยลวัีดทิสตะปบคหแจุพำชขใไ็์ืูโึผศณซถภธษญฟฐฉฝฆฏฬฎฌฑฒฤฯๆ๊๋ฮฃฅฺฦ฿ํ๎๐๑๒๓๔๕๖๗๘๙ๅ",)
_UNMIXED = {_CYRILLIC, _GREEK, _HEBREW, _ARABIC, _THAI}
"""Scripts whose words hold no Latin letters."""

_SINGLE_BYTE: dict[str, tuple[str, ...]] = {
    "cp1254": _TURKISH,
    "cp1252": _WESTERN,
    "cp1250": _CENTRAL,
    "cp1257": _BALTIC,
    "cp1255": _HEBREW,
    "cp1253": _GREEK,
    "iso8859_7": _GREEK,
    "cp1256": _ARABIC,
    "iso8859_6": _ARABIC,
    "cp1251": _CYRILLIC,
    "koi8_u": _CYRILLIC,
    "iso8859_2": _CENTRAL,
    "iso8859_5": _CYRILLIC,
    "mac_cyrillic": _CYRILLIC,
    "mac_roman": _WESTERN,
    "cp850": _WESTERN,
    "cp852": _CENTRAL,
    "cp866": _CYRILLIC,
    "cp855": _CYRILLIC,
    "cp874": _THAI,
}
"""Encodings of one byte a letter, each before those that it is mistaken for."""

_LESS_USUAL = {
    "cp1250": 0.99,
    **dict.fromkeys(("mac_roman", "mac_cyrillic", "cp850", "cp852", "cp855"), 0.98),
}
"""What a few letters leave open is decided by how many files there are."""

_THAI_MARK = re.compile("[ัิ-ฺ็-๎]")
_THAI_MARK_ON_A_LETTER = re.compile("(?<=[ก-ฮัิ-ฺ็-๎])[ัิ-ฺ็-๎]")

_GREEK_ACCENT = re.compile("[άέήίόύώΐΰΆΈΉΊΌΎΏ]")

# The signs that Windows writes in English, where they stand there. Elsewhere the same bytes are
# letters: "é" and "à" of DOS within words, "ź" and "Ł" of Central Europe before and behind letters.
_WINDOWS_SIGNS = re.compile(
    rb"(?:[\x00-\x7f]++|[\x92\x97]"  # apostrophe and dash
    rb"|(?<![A-Za-z])[\x85\x91\x93-\x96\xa0\xab\xb0\xb2\xb7\xbb]"  # quotation marks, bullet, degree
    rb"|[\x80\x85\x91\x93-\x96\x99\xa0\xa3\xa7\xab\xae\xb0\xb2\xb7\xbb](?![A-Za-z])"
    rb"|(?<![A-Za-z])[\xa9\xb1\xbc-\xbe\xd7](?![A-Za-z])"  # copyright, fractions, times
    rb"|(?<=m)\xb3|\xb5(?=[AFVWgmls])"  # units
    rb"|(?<![A-Za-z])[\xd8\xf8](?= ?[0-9])|(?<=[0-9])[\xaa\xba])*+"  # diameter, 1º
)

_PUNCTUATION = "\xa0«»„“”‚‘’–—…•·€£§©®°²³½№"
_NEVER_WITHIN_WORDS = "«»„“”‚€£§©®°²³½№"
_DIAMETER = "Øø"  # before a figure it is no letter, in whatever language
_SIGN = 0.9  # of what the most frequent letter counts


@dataclass(frozen=True, slots=True)
class _Sample:
    """What is beyond ASCII in a text; each code page gives these bytes letters of its own."""

    runs: list[bytes]  # that stand together
    counts: Counter[int]
    pairs: Counter[tuple[int, int]]  # that follow each other
    between_letters: Counter[int]  # of ASCII, as those behind a small one
    behind_small: Counter[int]
    before_figures: Counter[int]
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
            behind_small=_count(_BEHIND_SMALL, content),
            before_figures=_count(_BEFORE_FIGURES, content),
            beside_latin=len(_BESIDE_LATIN.findall(content)) / max(1, len(runs)),
            long_runs=sum(len(run) > 1 for run in runs) / max(1, len(runs)),
        )


def _count(place: re.Pattern[bytes], content: bytes) -> Counter[int]:
    return Counter(b"".join(place.findall(content)))


def guess_encoding(content: bytes) -> str:
    """Return the encoding in which the bytes, which are some text, read best."""
    sample = _Sample.of(content)
    good = len(b"".join(_UTF8_CHARACTER.findall(content)))
    if good >= UTF8_SHARE * sample.counts.total():
        return "utf-8"
    if _WINDOWS_SIGNS.fullmatch(content):
        return "cp1252"
    wide = {name: _east_asian_share(content, name) for name in _EAST_ASIAN}
    best_wide = max(wide, key=lambda name: wide[name])
    single = {name: _score(sample, name) for name in _SINGLE_BYTE}
    best = max(single, key=lambda name: single[name])
    if wide[best_wide] >= 1 and single[best] < SURE:
        return best_wide
    return best if single[best] > POOR or not wide[best_wide] else best_wide


def _east_asian_share(content: bytes, encoding: str) -> float:
    """Return how many of the wide characters are usual ones, as a share of what is to be so."""
    usual, least = _EAST_ASIAN[encoding]
    # The last character may be cut in two.
    text = content.decode(encoding, "replace").removesuffix("\ufffd")
    wide = len(_WIDE.findall(text))
    if text.count("\ufffd") > MAX_BROKEN * wide:
        return 0.0
    return len(usual.findall(text)) / (least * max(1, wide))


def _score(sample: _Sample, encoding: str) -> float:
    """Return how well the letters of one language account for the bytes beyond ASCII."""
    alphabets = _SINGLE_BYTE[encoding]
    letters = dict(enumerate(_HIGH_BYTES.decode(encoding, "replace"), start=_HIGH_BYTES[0]))
    diameters = {
        byte: count for byte, count in sample.before_figures.items() if letters[byte] in _DIAMETER
    }
    seen = [
        (letters[byte], count - diameters.get(byte, 0)) for byte, count in sample.counts.items()
    ]
    signs = sum(diameters.values()) + _signs(sample, letters)
    best = max(
        sum(count * weights.get(one, 0.0) for one, count in seen)
        for weights in map(_weights, alphabets)
    )
    odd = _odd_capitals(sample, letters)
    score = (best + _SIGN * signs - odd) / max(1, sample.counts.total())
    if alphabets in _UNMIXED:
        # Most of their words have several letters; "à" and "è" stand alone.
        score *= (1 - sample.beside_latin) * min(1, 2 * sample.long_runs)
    if alphabets is _THAI:
        score *= _thai_share(sample.runs)
    if alphabets is _GREEK and not _has_accents("".join(one for one, _ in seen)):
        # Each of its words has an accent, and in others' letters the bytes of a few words fit too.
        score *= 0.95
    return score * _LESS_USUAL.get(encoding, 1)


def _signs(sample: _Sample, letters: dict[int, str]) -> int:
    """Return how many of the bytes are punctuation and signs, in a place where these stand."""
    signs = sum(count for byte, count in sample.counts.items() if letters[byte] in _PUNCTUATION)
    within_words = sum(
        count
        for byte, count in sample.between_letters.items()
        if letters[byte] in _NEVER_WITHIN_WORDS
    )
    return signs - within_words


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
    """Return how many of the marks above and below letters have one; 0 for East Asian text."""
    # That is of the same bytes, but nearly always of two for a character.
    if sum(len(run) % 2 for run in runs) <= ODD_RUNS * len(runs):
        return 0.0
    text = b"".join(runs).decode("cp874", "replace")
    marks = len(_THAI_MARK.findall(text))
    return len(_THAI_MARK_ON_A_LETTER.findall(text)) / marks if marks else 0.0
