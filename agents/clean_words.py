"""Model output as text that can be sent and stored: what is no character is taken out."""

import re

_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")


class WordCleaner:
    """Takes NUL and lone halves of surrogate pairs out of words as they come.

    PostgreSQL stores neither, and UTF-8 cannot write the second. A pair whose halves come in two
    words is put together.
    """

    def __init__(self) -> None:
        self._first_half = ""

    def feed(self, word: str) -> str:
        """Return what can go out; a first half waits for the next word."""
        if not self._first_half and not _NO_CHARACTER.search(word):
            return word
        text = self._first_half + word
        self._first_half = text[-1] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return clean(text.removesuffix(self._first_half))


def clean(text: str) -> str:
    """Put the halves of surrogate pairs together, and leave out lone ones and NUL."""
    pairs = text.encode("utf-16-le", "surrogatepass")
    return pairs.decode("utf-16-le", "ignore").replace("\0", "")
