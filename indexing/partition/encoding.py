"""Find out in which encoding a file holds text, or that it holds none."""

import codecs
import re
from pathlib import Path

import charset_normalizer

SAMPLE_BYTES = 1 << 16
CHUNK_BYTES = 1 << 20
# Logs may hold a bell or an escape now and then; binary data is full of such bytes.
MAX_CONTROL_SHARE = 0.002
# Letters of one script share the first of the two bytes that UTF-16 writes of each.
MAX_UTF16_HIGH_BYTES = 0.8
# A code page that explains fewer of the letters than this is not the one.
MIN_COVERAGE = 0.9

_CONTROLS = bytes(n for n in range(32) if n not in b"\t\n\v\f\r\x1a\x1b") + b"\x7f"
_BAD_CHARACTER = re.compile("[\x00-\x08\x0e-\x19\x1c-\x1f\x7f\ufffd]")
# Not printable, but part of text: soft hyphens, joiners, marks of direction, zero-width spaces.
_INVISIBLE = "\xad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\ufeff\x1a"
# Their characters are too many to share a first byte. What stands between them has zeros too.
_EAST_ASIAN_TEXT = re.compile(
    "[\t\n\r -~\u2010-\u2027\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffee]+"
)
_HIGH = re.compile(rb"[\x80-\xff]+")
_BESIDE_LATIN = re.compile(rb"(?<=[A-Za-z])[\x80-\xff]+|(?<![\x80-\xff])[\x80-\xff]++(?=[A-Za-z])")
_UTF8_CHARACTER = re.compile(
    rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)

# Of names in the Internet and of Python's own use. The first two take for ever over a long text.
_NO_CHARSETS = {"punycode", "idna", "unicode-escape", "raw-unicode-escape", "undefined"}

_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",  # before UTF-16, whose mark it begins with
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# In a mail it stands before the body. What then switches to Hangul and back are controls.
_HANGUL_MARK = b"\x1b$)C"

_EAST_ASIAN = ["cp932", "euc_jp", "gb18030", "big5", "cp949"]

_WESTERN = (
    "äöüß",
    "àâæçéèêëîïôœùûü",
    "áéíóúüñ¿¡ºª",
    "ãõáâàéêíóôúüç",
    "àèéìòù",
    "åäöæøéü",
    "áðéíóúýþæö",
    "äëéèïöüáóíú",
)
_CENTRAL = ("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţșț", "čćđšž")
_TURKISH = ("çğıöşüâîûİ",)
_BALTIC = ("āčēģīķļņšūž", "ąčęėįšųūž", "äöõüšž")
_CYRILLIC = ("абвгдежзийклмнопрстуфхцчшщъыьэюяё", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя")
_GREEK = ("αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋ",)
_HEBREW = ("אבגדהוזחטיךכלםמןנסעףפץצקרשת",)
_ARABIC = ("ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىي،؟",)
_THAI = ("กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮะัาำิีึืฺุู฿เแโใไๅๆ็่้๊๋์ํ๎๐๑๒๓๔๕๖๗๘๙ฤฦฯ",)
_UNMIXED = {_CYRILLIC, _GREEK, _HEBREW, _ARABIC, _THAI}
"""Scripts whose words hold no Latin letters."""

_SINGLE_BYTE: dict[str, tuple[str, ...]] = {
    "cp1254": _TURKISH,
    "cp1252": _WESTERN,
    "cp1250": _CENTRAL,
    "cp1257": _BALTIC,
    "cp1255": _HEBREW,
    "cp1253": _GREEK,
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
    "cp874": _THAI,
}
"""Encodings of one byte a letter, each before those that it is mistaken for."""

_THAI_MARK = re.compile("[ัิ-ฺ็-๎]")
_THAI_MARK_ON_A_LETTER = re.compile("(?<=[ก-ฮัิ-ฺ็-๎])[ัิ-ฺ็-๎]")

_GREEK_ACCENT = re.compile("[άέήίόύώΐΰΆΈΉΊΌΎΏ]")

_PUNCTUATION = "\xa0«»„“”‚‘’–—…•·€£§©®°²³½№"


def text_encoding(path: Path) -> str | None:
    """Return the encoding of a text file, None for a file that is not text.

    A text of millions of good UTF-8 letters and a few bad bytes is still UTF-8, so the text is
    to be decoded with `errors="replace"`.
    """
    with path.open("rb") as file:
        start = file.read(SAMPLE_BYTES)
        if marked := _encoding_of_mark(start):
            return marked if _is_text(start.decode(marked, "replace")) else None
        file.seek(0)
        size = controls = 0
        doubtful = b""
        decoder = codecs.getincrementaldecoder("utf-8")()
        while chunk := file.read(CHUNK_BYTES):
            size += len(chunk)
            controls += len(chunk) - len(chunk.translate(None, _CONTROLS))
            if b"\0" in chunk or controls > max(2, MAX_CONTROL_SHARE * size):
                return None
            doubtful = doubtful or _first_doubt(decoder, chunk)
    if b"\x1b$" in start:
        return "iso2022_jp"
    return guess_encoding(doubtful) if doubtful else "utf-8"


def text_codec(name: str) -> str:
    """Return what Python calls the encoding that a document says it is in, "" for none of text."""
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        return ""
    return codec.name if codec._is_text_encoding and codec.name not in _NO_CHARSETS else ""


def guess_encoding(sample: bytes) -> str:
    """Return the encoding in which the bytes, which are some text, read best."""
    good = len(b"".join(_UTF8_CHARACTER.findall(sample)))
    high = sum(map(len, _HIGH.findall(sample)))
    if good >= 0.9 * high:
        return "utf-8"
    guess = charset_normalizer.from_bytes(sample, cp_isolation=_EAST_ASIAN).best()
    coverage = {name: _coverage(sample, name) for name in _SINGLE_BYTE}
    best = max(coverage, key=lambda name: coverage[name])
    return best if guess is None or coverage[best] > MIN_COVERAGE else guess.encoding


def _encoding_of_mark(start: bytes) -> str | None:
    for mark, encoding in _MARKS.items():
        if start.startswith(mark):
            return encoding
    if _HANGUL_MARK in start:
        return "iso2022_kr"
    # Some programs write UTF-16 without its mark; of text in it at least the line ends have zeros.
    return _unmarked_utf16(start) if b"\0" in start else None


def _unmarked_utf16(start: bytes) -> str | None:
    half = len(start) // 2
    if half <= 8:
        return None
    # The last character may be cut in two.
    whole = start[: 2 * half - 2]
    evens, odds = (len(set(start[n::2])) for n in (0, 1))
    if min(evens, odds) <= MAX_UTF16_HIGH_BYTES * max(evens, odds):
        encoding = "utf-16-be" if evens < odds else "utf-16-le"
        text = whole.decode(encoding, "replace")
        if all(one.isprintable() or one.isspace() or one in _INVISIBLE for one in text):
            return encoding
    for order in ("utf-16-le", "utf-16-be"):
        if _EAST_ASIAN_TEXT.fullmatch(whole.decode(order, "replace")):
            return order
    return None


def _is_text(text: str) -> bool:
    bad = len(_BAD_CHARACTER.findall(text))
    return bad <= max(2, MAX_CONTROL_SHARE * len(text)) and "\0" not in text


def _first_doubt(decoder: codecs.IncrementalDecoder, chunk: bytes) -> bytes:
    """Return the part of the chunk from a little before the first byte that is not UTF-8."""
    try:
        decoder.decode(chunk)
    except UnicodeDecodeError as error:
        decoder.reset()
        # Positions count from what was left over of the chunk before.
        return chunk[max(0, error.start - 1000) :][:SAMPLE_BYTES]
    return b""


def _coverage(sample: bytes, encoding: str) -> float:
    """Return how well the letters of one language account for the bytes beyond ASCII."""
    alphabets = _SINGLE_BYTE[encoding]
    runs = _HIGH.findall(sample)
    text = b"".join(runs).decode(encoding, "replace")
    common = sum(character in _PUNCTUATION for character in text)
    best = max(
        sum(1.0 if one in letters else 0.9 if one.lower() in letters else 0.0 for one in text)
        for letters in alphabets
    )
    coverage = (best + 0.9 * common) / max(1, len(text))
    if alphabets in _UNMIXED:
        coverage *= 1 - len(_BESIDE_LATIN.findall(sample)) / max(1, len(runs))
    if alphabets is _THAI:
        coverage *= _thai_share(runs, text)
    if alphabets is _GREEK and not text.isupper() and not _GREEK_ACCENT.search(text):
        # Each of its words has an accent, and in others' letters the bytes of a few words fit too.
        coverage *= 0.95
    return coverage


def _thai_share(runs: list[bytes], text: str) -> float:
    """Return how many of the marks above and below letters have one; 0 for East Asian text."""
    # That is of the same bytes, but always of two for a character.
    if all(len(run) % 2 == 0 for run in runs):
        return 0.0
    marks = len(_THAI_MARK.findall(text))
    return len(_THAI_MARK_ON_A_LETTER.findall(text)) / marks if marks else 0.0
