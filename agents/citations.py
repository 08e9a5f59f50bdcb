"""Citations in a streamed answer: no key is split, invented, or numbered out of order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from indexing.types import Chunk

_KEY = re.compile(r"<source_id=(\d{1,6})>")
# The end of a text that may yet become a key.
_UNFINISHED_KEY = re.compile(
    r"<(?:s|so|sou|sour|sourc|source|source_|source_i|source_id|source_id=\d{0,6})?$"
)


@dataclass(frozen=True, slots=True)
class Citation:
    """A passage that the answer cites, by the number the answer uses."""

    number: int
    chunk: Chunk

    @property
    def key(self) -> str:
        """The form in which the answer's text names it."""
        return f"<source_id={self.number}>"


class CitationStream:
    """Passes a model's words on, its keys renumbered in order of first use.

    A key that names no passage is left out. What goes out is, put together, the whole answer.
    """

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = chunks
        self._numbers: dict[int, int] = {}  # the model's number → ours
        self._held = ""

    @property
    def citations(self) -> list[Citation]:
        """The passages cited so far, in order of first use."""
        return [
            Citation(number, self._chunks[named - 1]) for named, number in self._numbers.items()
        ]

    def feed(self, delta: str) -> str:
        """Return what can go out now that the model has said this."""
        text = self._held + delta
        unfinished = _UNFINISHED_KEY.search(text)
        end = unfinished.start() if unfinished else len(text)
        self._held = text[end:]
        return _KEY.sub(self._renumber, text[:end])

    def close(self) -> str:
        """Return what was held back and turned out to be no key."""
        rest, self._held = self._held, ""
        return rest

    def _renumber(self, match: re.Match[str]) -> str:
        named = int(match[1])
        if not 1 <= named <= len(self._chunks):
            return ""
        number = self._numbers.setdefault(named, len(self._numbers) + 1)
        return f"<source_id={number}>"
