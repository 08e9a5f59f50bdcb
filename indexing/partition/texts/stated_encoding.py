"""Decode text that says in which encoding it is, as mails and web pages do."""

import re

from indexing.partition.texts.code_pages import guess_encoding
from indexing.partition.texts.encoding import text_codec

MAX_SAMPLE_BYTES = 1 << 16
BYTES_BEFORE = 1000  # the first one beyond ASCII, that are in the sample

# As every browser takes them: what is said to be the narrower one is often the wider.
_WIDER_CODECS = {
    "iso8859-1": "cp1252",
    "iso8859-8": "cp1255",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "tis-620": "cp874",
}
# Names that programs give, and Python does not know.
_OTHER_NAMES = {
    "iso-8859-8-i": "cp1255",
    "windows-874": "cp874",
    "windows-31j": "cp932",
    "windows-949": "cp949",
    "mac-roman": "mac_roman",
    "mac-cyrillic": "mac_cyrillic",
    "mac-ce": "mac_latin2",
    "mac-greek": "mac_greek",
    "mac-turkish": "mac_turkish",
}

DEFAULT_CODEC = "cp1252"
"""The codec of the name that programs give where nobody has told them another."""

# Letters beyond ASCII that stand together: in Western languages hardly ever so many.
_MANY_TOGETHER = re.compile(rb"[\xa1-\xff]{4,}")
_LEAST_DIFFERENT = 3  # of them; else they are a line, drawn with one sign

_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_JIS_CODEC = "iso2022_jp"
# A piece in the characters of Japan, within text of seven bits.
_JIS = re.compile(rb"\x1b\$[@B]([!-~]*)")
_KATAKANA = re.compile(rb"\x1b\(I([!-~]*)")
_SWITCH = re.compile(rb"\x1b\([BJ]")


def wider_codec(name: str) -> str:
    """Return the codec of text for the name of an encoding, "" where it names none."""
    plain = name.lower().removeprefix("x-")
    codec = text_codec(_OTHER_NAMES.get(plain, plain))
    return _WIDER_CODECS.get(codec, codec)


def decode_stated(content: bytes, name: str) -> str:
    """Decode as the text says, or, where that is no encoding or does not fit, as it reads best."""
    codec = fitting_codec(content, name)
    try:
        return content.decode(codec)
    except UnicodeError:
        return _decode_jis(content) if codec == _JIS_CODEC else content.decode(codec, "replace")


def fitting_codec(content: bytes, name: str) -> str:
    """Return the codec of the named encoding, or, where that does not fit, of how it reads best."""
    codec = wider_codec(name or "utf-8") or "utf-8"
    if codec.startswith("cp125") and not content.isascii():
        # Any bytes fit such a code page, but none of its texts is by chance good UTF-8.
        codec = _utf8_or(codec, content)
    if codec == DEFAULT_CODEC and is_hardly_western(content):
        return guess_encoding(_telling_part(content))
    try:
        content.decode(codec)
    except UnicodeError:
        # What is not of its seven bits is known all the same.
        return codec if codec == _JIS_CODEC else guess_encoding(_telling_part(content))
    return codec


def is_hardly_western(content: bytes) -> bool:
    """Tell whether most letters beyond ASCII stand together, as those of other alphabets do."""
    together = b"".join(
        letters
        for letters in _MANY_TOGETHER.findall(content)
        if len(set(letters)) >= _LEAST_DIFFERENT
    )
    return len(together) * 2 > len(_BEYOND_ASCII.findall(content))


def _telling_part(content: bytes) -> bytes:
    """Return what tells the encoding of a text that may be in ASCII alone for long."""
    first = _BEYOND_ASCII.search(content)
    start = max(0, first.start() - BYTES_BEFORE) if first else 0
    return content[start : start + MAX_SAMPLE_BYTES]


def _utf8_or(codec: str, content: bytes) -> str:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return codec
    return "utf-8"


def _decode_jis(content: bytes) -> str:
    """Decode Japanese of seven bits with the signs that Windows adds, as numbers in circles."""
    content = _JIS.sub(lambda piece: _shifted(piece[1]), content)
    content = _KATAKANA.sub(lambda piece: bytes(byte | 0x80 for byte in piece[1]), content)
    return _SWITCH.sub(b"", content).decode("cp932", "replace")


def _shifted(piece: bytes) -> bytes:
    """Write characters of two times seven bits as Shift JIS has them."""
    shifted = bytearray()
    for row, cell in zip(piece[::2], piece[1::2], strict=False):
        shifted.append((row - 0x21) // 2 + (0x81 if row < 0x5F else 0xC1))
        shifted.append(cell + (0x7E if row % 2 == 0 else 0x1F if cell < 0x60 else 0x20))
    return bytes(shifted)
