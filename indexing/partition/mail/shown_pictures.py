"""Keep the pictures that a mail, or a web page in an archive, shows in its text."""

import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field

from indexing.partition.office.pictures import Album
from indexing.partition.web.pictures import mark_enclosed, mark_of, page_album
from indexing.types import Block, BlockKind

MAX_ADDRESS = 2000
"""A longer one holds its picture itself."""

Content = Callable[[], bytes]


@dataclass(slots=True)
class ShownPictures:
    """The pictures of a mail, by what its text calls them, and where they stand in it."""

    album: Album = field(default_factory=page_album)
    _sent: dict[str, Content] = field(default_factory=dict)  # by their addresses
    _waiting: dict[str, Content] = field(default_factory=dict)  # those that no text has shown

    def add(self, address: str, content: Content) -> None:
        """Take a picture in, which the text that follows may show where it likes."""
        address = address or f"unnamed:{len(self._waiting)}"
        if address not in self._sent:
            self._sent[address] = self._waiting[address] = content

    def mark(self, address: str) -> str:
        """Return the mark for a picture that the text shows, "" for one that was not sent."""
        if address not in self._sent:
            address = urllib.parse.unquote(address) if len(address) < MAX_ADDRESS else address
        if content := self._sent.get(address):
            self._waiting.pop(address, None)
            return mark_of(self.album.add(content()), self.album)
        return mark_enclosed(self.album, address)

    def unplaced(self) -> list[Block]:
        """Return the pictures that no text has shown, and forget all.

        The next mail may call others by the same names.
        """
        marks = [self.mark(address) for address in list(self._waiting)]
        self._sent.clear()
        return [Block(BlockKind.TEXT, mark) for mark in marks if mark]
