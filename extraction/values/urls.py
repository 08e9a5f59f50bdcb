"""Find addresses of web pages."""

import re
from urllib.parse import urlsplit

from extraction.types import Found, Habit, RequestedField

LONGEST_URL = 2_000
"""Characters."""

_TOP_LEVELS = (
    "com|org|net|edu|gov|int|info|biz|io|ai|app|dev|eu|co|us|uk|de|at|ch|fr|be|nl|lu|es|pt|it|ie|dk|"
    "se|no|fi|is|pl|cz|sk|hu|ro|bg|gr|tr|ru|ua|ca|mx|br|ar|cl|au|nz|in|jp|cn|hk|sg|my|id|th|vn|kr|za"
)
_HOST = r"(?:[^\W_](?:[\w-]*[^\W_])?\.)+"
_URL = re.compile(
    rf"(?:(?<![a-z])https?://[^\s<>\"'`|{{}}\\^]+"
    rf"|(?<![\w@./:-]){_HOST}(?:{_TOP_LEVELS})(?![\w@-]|\.\w)(?::\d+)?(?:[/?#][^\s<>\"'`|{{}}\\^]*)?"
    rf"|(?<![\w@./-])www\.{_HOST}[^\W\d_]{{2,}}(?::\d+)?(?:[/?#][^\s<>\"'`|{{}}\\^]*)?)",
    re.IGNORECASE,
)
_HOST_NAME = re.compile(r"(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W\d_][\w-]*|localhost|\d+(?:\.\d+){3}")
_BEHIND = ".,;:!?'\"”“’»*_"
_PAIRS = {")": "(", "]": "["}


def find(text: str, field: RequestedField, habit: Habit) -> list[Found]:
    """Return the addresses of a text, with http or without; punctuation behind is not theirs."""
    matches = ((match.start(), _without_tail(match.group())) for match in _URL.finditer(text))
    return [Found(start, start + len(url), url) for start, url in matches if _is_url(url)]


def normalise(raw: object, field: RequestedField, habit: Habit) -> str | None:
    """Return the address as it is written, if it is one that a browser may be sent to."""
    if not isinstance(raw, str):
        return None
    url = _without_tail(raw.strip().strip("<>"))
    return url if _is_url(url) else None


def _without_tail(url: str) -> str:
    while url and (url[-1] in _BEHIND or _is_unopened(url)):
        url = url[:-1]
    return url


def _is_unopened(url: str) -> bool:
    opening = _PAIRS.get(url[-1])
    return opening is not None and url.count(opening) < url.count(url[-1])


def _is_url(url: str) -> bool:
    if len(url) > LONGEST_URL or not url.isprintable() or re.search(r"[\s<>\"\\]", url):
        return False
    try:
        parts = urlsplit(url if "://" in url else f"https://{url}")
        parts.port  # noqa: B018  # raises where it is no number
    except ValueError:
        return False
    is_web = parts.scheme.lower() in ("http", "https") and "@" not in parts.netloc
    return is_web and bool(_HOST_NAME.fullmatch(parts.hostname or ""))
