"""Clean text of what no reader, search or database can use."""

import itertools
import re
import unicodedata

# PostgreSQL refuses NUL and lone surrogates; the other control characters carry no words.
_UNUSABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# What colours and moves the letters in a terminal (ECMA-48), its titles and links, its letter sets.
_TERMINAL = re.compile(r"\x1b(?:\[[0-?]*+[ -/]*+[@-~]|\][^\x07\x1b\n]*+(?:\x07|\x1b\\)|\([0-9AB])")
# What is printed over itself to be bold, or over a line to be underlined, as pages of manuals are.
_UNDERLINED = re.compile("(?<=[^_\n])\x08_")
_STRUCK_OVER = re.compile("[^\n\x08]\x08")
_LINE_ENDS = re.compile("[\r\x0b\x0c\x85\u2028\u2029]")
_ODD_SPACE = re.compile("[\t\u1680\u2000-\u200a\u202f\u205f\u3000]")
_PRINTABLE_ASCII = b"\n" + bytes(range(0x20, 0x7F))
_LIGATURE = re.compile("[ﬀ-ﬄ]")
_LIGATURES = dict(zip("ﬀﬁﬂﬃﬄ", ("ff", "fi", "fl", "ffi", "ffl"), strict=True))
_SPACES = re.compile("  +")
_ASCII = bytes(range(0x80))
# Behind Latin, Greek, Cyrillic and Armenian; but for the signs of all scripts, which are dashes,
# quotation marks, currencies, lines.
_OTHER_SCRIPT = re.compile("[\u0590-\u1fff\u2e80-\U0010ffff]")
_NOT_A_TITLE = re.compile(
    r"Microsoft \w+ - .*|(Word|PowerPoint) (Document|Presentation)"
    r"|(Document|Presentation|Slide) ?\d*|untitled.*|\(?(anonymous|unspecified)\)?|(https?|file):.*"
    r"|.*\.\w{2,5}|[^\s]*[\\/][^\s]*",
    re.IGNORECASE,
)


def clean_text(text: str) -> str:
    """Return the same words with plain spaces, plain line ends and nothing invisible."""
    text = text.replace("\r\n", "\n").replace("\xa0", " ")
    if not _is_printable(text):
        # One kind of character at a time: that is faster than a choice between several.
        text = _LINE_ENDS.sub("\n", text)
        text = _UNUSABLE.sub("", text.replace("\xad", ""))
        text = _ODD_SPACE.sub(" ", text)
    if not text.isascii() and any(map(text.__contains__, _LIGATURES)):
        text = _LIGATURE.sub(lambda match: _LIGATURES[match[0]], text)
    return _SPACES.sub(" ", text) if "  " in text else text


def _is_printable(text: str) -> bool:
    """Tell whether all but the ends of lines can be printed, as most text can be.

    Each letter is looked up, but for those of ASCII: without them it takes a third of the time.
    """
    others = text.encode("utf-8", "surrogatepass").translate(None, _PRINTABLE_ASCII)
    return others.decode("utf-8", "surrogatepass").isprintable()


def may_have_other_scripts(text: str) -> bool:
    """Tell whether the text may have letters of other scripts than those of Europe.

    That no letter of a page is one, is known in a tenth of the time that a search takes.
    """
    return not text.isascii() and _OTHER_SCRIPT.search(beyond_ascii(text)) is not None


def beyond_ascii(text: str) -> str:
    """Return the characters of a text that ASCII has not: few are left of most to look at."""
    others = text.encode("utf-8", "surrogatepass").translate(None, _ASCII)
    return others.decode("utf-8", "surrogatepass")


def without_terminal_codes(text: str) -> str:
    """Return the text as a terminal or a printer shows it, of what was written for one."""
    text = _TERMINAL.sub("", text)
    return _STRUCK_OVER.sub("", _UNDERLINED.sub("", text)) if "\x08" in text else text


def clean_line(text: str) -> str:
    """Return the text on one line, as a cell of a table has to be."""
    return " ".join(clean_text(text).split())


def document_title(value: str) -> str:
    """Return the title if a person wrote it; programs put file and serial numbers there."""
    title = clean_line(value)
    # Where a character is a syllable or a word, three are a title as well: 見積書.
    weights = [2 if unicodedata.east_asian_width(one) == "W" else 1 for one in title]
    letters = sum(itertools.compress(weights, map(str.isalpha, title)))
    is_title = sum(weights) >= 4 and len(title) <= 200 and letters > sum(weights) / 2
    return title if is_title and not _NOT_A_TITLE.fullmatch(title) else ""
