"""Gather what is found in a mail."""

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from indexing.partition.mail.attached_text import READ_KINDS, attached_kind, attached_text
from indexing.partition.mail.body import MUCH_SHORTER, words_in
from indexing.partition.mail.icalendar import CALENDARS, Event, read_events
from indexing.partition.mail.shown_pictures import ShownPictures
from indexing.partition.text import clean_line
from indexing.partition.texts.plain_text import split_paragraphs, unnumbered_pages
from indexing.types import NO_PAGE, Block, BlockKind, Page

SEALS = ("application/pkcs7-mime", "application/x-pkcs7-mime")
SEALED = (
    "the text of the mail is encrypted or sealed (S/MIME, PGP) and was not read; "
    "save it as text in your mail program and upload that"
)


@dataclass(slots=True)
class Content:
    """What was found in a mail."""

    blocks: list[Block] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)  # their names
    attached: list[Block] = field(default_factory=list)  # the text of those that are text
    events: set[Event] = field(default_factory=set)
    said: set[str] = field(default_factory=set)  # lines and paragraphs, not of events
    heard: int = 0  # the number of blocks whose lines those are
    begin: int = 0  # the number of blocks before the text of the mail that is read
    warnings: list[str] = field(default_factory=list)
    pictures: ShownPictures | None = None  # None where they are not read

    def begin_mail(self, heads: list[Block]) -> None:
        """Add the heads of a mail, whose text follows."""
        self._end_text()
        self.blocks += heads
        self.begin = len(self.blocks)

    def words_said(self) -> int:
        """Return how many words the text of the mail has so far."""
        return words_in(self.blocks[self.begin :])

    def add_unless_said(self, text: list[Block]) -> None:
        """Add the text of the mail in another form, if most of it is missing so far."""
        if self.words_said() < MUCH_SHORTER * words_in(text):
            self.blocks += text

    def warn(self, warning: str) -> None:
        """Keep what is to be said of the mail, once."""
        if warning not in self.warnings:
            self.warnings.append(warning)

    def add_file(self, name: str, content: bytes, stated: str = "") -> None:
        """Name an attachment, and add what it says if it is of a kind that is read."""
        self.attachments.append(name)
        kind = attached_kind(stated, name, content)
        if kind in SEALS:
            self.warn(SEALED)
        if kind in READ_KINDS and content:
            self.add_attached(kind, attached_text(content))

    def add_attached(self, kind: str, text: str) -> None:
        """Add what the attachment says that was named last, of a kind that is read."""
        if kind in CALENDARS:
            self.add_events(text)
            return
        heading = Block(BlockKind.HEADING, f"Attachment: {self.attachments[-1]}")
        self.attached += [heading, *text_blocks(text)]

    def add_events(self, calendar: str) -> None:
        """Add the events of a calendar, of each what the mail has not said."""
        for block in self.blocks[self.heard :]:
            self.said.update(map(clean_line, [block.text, *block.text.splitlines()]))
        for event in read_events(calendar):
            # Programs send an invitation twice, within the mail and as a file.
            if event not in self.events:
                self.events.add(event)
                self.blocks += self._unsaid(event)
        self.heard = len(self.blocks)

    def _unsaid(self, event: Event) -> Iterator[Block]:
        if event.summary and event.summary not in self.said:
            yield Block(BlockKind.HEADING, event.summary)
        if event.lines:
            yield Block(BlockKind.TEXT, event.lines)
        lines = event.description.splitlines(keepends=True)
        yield from split_paragraphs(one for one in lines if clean_line(one) not in self.said)

    def _end_text(self) -> None:
        """Add the pictures that the text of a mail has not said where to show."""
        if self.pictures:
            self.blocks += self.pictures.unplaced()

    def all_blocks(self) -> Iterator[Block]:
        """Return the mail, and behind it what is attached."""
        self._end_text()
        names = ", ".join(self.attachments)
        named = [Block(BlockKind.TEXT, f"Attachments: {names}")] if names else []
        return itertools.chain(self.blocks, named, self.attached)

    def pages(self, skip_pages: int = 0) -> Iterator[Page]:
        """Return all that, and what is to be said of it."""
        pages = itertools.chain(unnumbered_pages(self.all_blocks()), warning_pages(self.warnings))
        return self.pictures.album.pages(pages, skip_pages) if self.pictures else pages


def warning_pages(warnings: Iterable[str]) -> Iterator[Page]:
    """Yield what is to be said of a document as a whole."""
    return (Page(NO_PAGE, (), warning=warning) for warning in warnings)


def text_blocks(text: str) -> Iterable[Block]:
    """Return the paragraphs of a plain text."""
    return split_paragraphs(text.splitlines(keepends=True))
