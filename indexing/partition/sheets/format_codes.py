"""What the code of a number format consists of: sections, and in each texts and places of digits.

ECMA-376 part 1, 18.8.31.
"""

import re
from collections.abc import Iterator

MAX_CODE_CHARACTERS = 255
"""What Excel takes; a longer one is not looked at."""

Token = re.Match[str]

_TOKEN = re.compile(
    r"""
    "(?P<quoted>[^"]*)"             # a text
    | \\(?P<escaped>.)              # a character of it
    | [_*].                         # room as wide as a character, or filled with it
    | \[\$(?P<currency>[^\]-]*)[^\]]*\]
    | \[(?P<bracket>[^\]]*)\]       # a colour, a condition or an elapsed time
    | (?P<places>general|[0#?.,]+)
    | (?P<literal>[^\w@/\\"\[])     # all but the letters of dates, texts and fractions
    """,
    re.VERBOSE | re.IGNORECASE | re.DOTALL,
)
_COLOUR = re.compile(r"black|blue|cyan|green|magenta|red|white|yellow|color\s*\d+", re.IGNORECASE)
_SECTION = re.compile(r'(?:"[^"]*"|\\.|[^;"\\])+')
_SECTION_OR_NONE = re.compile(r'(?:^|;)((?:"[^"]*"|\\.|[^;"\\])*)')
_OF_TEXTS = re.compile(r"(?:[_*].)*@(?:[_*].)*")

_LETTER_OF_DATES = re.compile(r"\"[^\"]*\"|[\\_*].|\[[^]]*\]|([dmyhs])", re.IGNORECASE)


def date_letters(code: str) -> set[str]:
    """Return the letters of a code that stand for parts of a date or a time."""
    if len(code) > MAX_CODE_CHARACTERS:
        return set()
    return {match[1].lower() for match in _LETTER_OF_DATES.finditer(code) if match[1]}


def sections(code: str) -> list[str]:
    """Return the sections of a code: for positive and negative numbers, and zero."""
    found = _SECTION.findall(code) if len(code) <= MAX_CODE_CHARACTERS else []
    return found[:-1] if found and _OF_TEXTS.fullmatch(found[-1]) else found


def all_sections(code: str) -> list[str]:
    """Return the sections of a code, those too that are empty and show nothing."""
    return _SECTION_OR_NONE.findall(code) if len(code) <= MAX_CODE_CHARACTERS else []


def tokens(section: str) -> Iterator[Token | None]:
    """Yield what a section consists of, without its colours; None ends what is no plain number."""
    at = 0
    while at < len(section):
        token = _TOKEN.match(section, at)
        if token is None:
            yield None
            return
        at = token.end()
        if token["bracket"] is None or not _COLOUR.fullmatch(token["bracket"]):
            yield token


def literal_text(token: Token) -> str:
    """Return the characters that a token shows as they are."""
    return token["quoted"] or token["currency"] or token["escaped"] or token["literal"] or ""
