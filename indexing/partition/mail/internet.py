"""Read mails as the Internet sends them (eml).

And web archives (MHTML, RFC 2557), which are mails but for their heads: browsers save pages so with
their pictures, and wikis export them so, as `.doc`, for Word.
"""

import email
import email.errors
import email.header
import email.message
import email.policy
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from indexing.partition.mail.attached_text import PLAIN, READ_KINDS, attached_kind, attached_text
from indexing.partition.mail.body import says_more, unflowed
from indexing.partition.mail.icalendar import CALENDARS, Event, read_events
from indexing.partition.mail.uuencoded import text_and_files
from indexing.partition.text import clean_line, document_title
from indexing.partition.texts.plain_text import split_paragraphs, unnumbered_pages
from indexing.partition.texts.stated_encoding import decode_stated
from indexing.partition.unreadable import DocumentUnreadable
from indexing.partition.web.markup import html_blocks, html_title
from indexing.types import NO_PAGE, Block, BlockKind, Document, Page

MAILS = ("message/rfc822", "message/global")
# What a mail server or program writes of the mail that a report is about (RFC 3464, RFC 8098).
NOTICES = ("message/delivery-status", "message/disposition-notification")
RETURNED_HEADS = "text/rfc822-headers"

HEADERS = ("From", "To", "Cc", "Date")
SENT = ("To", "Cc", "Bcc", "Received")
# No mail that a person reads has so many; the parts that follow are left out.
MAX_PARTS = 2000
# The library asks of each line whether it ends one of the parts around it.
MAX_DEPTH = 50
# The library goes through a header again for each of its pieces; what is beyond this is left out.
MAX_HEADER_CHARACTERS = 1 << 15

SEALS = ("application/pkcs7-mime", "application/x-pkcs7-mime")
SEALED = (
    "the text of the mail is encrypted or sealed (S/MIME, PGP) and was not read; "
    "save it as text in your mail program and upload that"
)


def open_eml(path: Path) -> Document:
    """Open the mail: its heads, its text, and the names of what is attached.

    Raises:
        DocumentUnreadable: its parts are nested too deeply.
    """
    with path.open("rb") as file:
        mail = email.message_from_binary_file(file, _Part, policy=_ShortHeaders())
    content = Content()
    subject = _header(mail, "Subject")
    if _is_web_archive(mail):
        pages = (part for part in _children(mail) if part.get_content_type() == "text/html")
        title = next((html_title(_part_text(page)) for page in pages), "") or subject
    else:
        title = subject
        content.blocks += _mail_heads(mail)
    _walk(mail, content)
    return Document(document_title(title), 0, content.pages())


def archive_blocks(archive: bytes) -> list[Block]:
    """Return the text of a web archive.

    Raises:
        DocumentUnreadable: its parts are nested too deeply.
    """
    content = Content()
    _walk(email.message_from_bytes(archive, _Part, policy=_ShortHeaders()), content)
    return content.blocks


class _ShortHeaders(email.policy.Compat32):
    """Reads headers as they stand, bare bytes too, and no further than anybody needs them."""

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[:MAX_HEADER_CHARACTERS]

    def header_fetch_parse(self, name: str, value: str) -> str:
        return decode_stated(value.encode("utf-8", "surrogateescape"), "")


class _Part(email.message.Message):
    """A mail or a part of one, which knows how deep it lies."""

    depth = 0

    def attach(self, payload: email.message.Message) -> None:  # type: ignore[override]
        if self.depth == MAX_DEPTH:
            raise DocumentUnreadable("the parts of the mail are nested too deeply")
        payload.depth = self.depth + 1  # type: ignore[attr-defined]
        super().attach(payload)


@dataclass(slots=True)
class Content:
    """What was found in a mail."""

    blocks: list[Block] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)  # their names
    attached: list[Block] = field(default_factory=list)  # the text of those that are text
    events: set[Event] = field(default_factory=set)
    said: set[str] = field(default_factory=set)  # lines and paragraphs, not of events
    heard: int = 0  # the number of blocks whose lines those are
    is_sealed: bool = False  # what it says is in a part that only its reader's key opens

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

    def pages(self) -> Iterator[Page]:
        """Yield the mail, and what is to be said of it."""
        names = ", ".join(self.attachments)
        named = [Block(BlockKind.TEXT, f"Attachments: {names}")] if names else []
        yield from unnumbered_pages(itertools.chain(self.blocks, named, self.attached))
        if self.is_sealed:
            yield Page(NO_PAGE, (), warning=SEALED)


def _is_web_archive(mail: email.message.Message) -> bool:
    # Browsers name themselves as the sender, without an address.
    is_mail = any(name in mail for name in SENT) or "@" in _header(mail, "From")
    return mail.get_content_type() == "multipart/related" and not is_mail


def _walk(mail: email.message.Message, content: Content) -> None:
    """Take the parts of a mail in their order, those of an attached mail behind it."""
    waiting: list[email.message.Message] = [mail]
    for _ in range(MAX_PARTS):
        if not waiting:
            return
        part = waiting.pop()
        kind = part.get_content_type()
        if kind in MAILS:
            attached = _children(part)
            content.attachments.append(_file_name(part) or "a mail")
            content.blocks += [head for one in attached for head in _mail_heads(one)]
            waiting += reversed(attached)
        elif kind in NOTICES:
            content.blocks += _notice(part)
        elif kind == "multipart/alternative":
            chosen = _best_alternative(_children(part))
            others = [one for one in _children(part) if one not in chosen]
            waiting += reversed([*chosen, *_kept(others)])
        elif part.is_multipart():
            content.is_sealed |= kind == "multipart/encrypted"
            waiting += reversed(_children(part))
        else:
            _take_part(part, kind, content)


def _take_part(part: email.message.Message, kind: str, content: Content) -> None:
    name = _file_name(part)
    content.is_sealed |= kind in SEALS
    is_attached = part.get_content_disposition() == "attachment" or bool(name)
    if is_attached:
        content.attachments.append(name or "without a name")
        told = attached_kind(kind, name, _bytes(part))
        if told in READ_KINDS:
            is_stated = told == kind
            text = _part_text(part) if is_stated else attached_text(_bytes(part))
            content.add_attached(told, text)
    elif kind in CALENDARS:
        content.add_events(_part_text(part))
    elif kind == PLAIN:
        _take_text(_part_text(part), content)
    elif kind == "text/html":
        content.blocks += html_blocks(_part_text(part))
    elif kind == RETURNED_HEADS:
        returned = email.message_from_bytes(_bytes(part), _Part, policy=_ShortHeaders())
        content.blocks += _mail_heads(returned)


def _take_text(text: str, content: Content) -> None:
    """Take a plain text, and the files within it."""
    text, files = text_and_files(text)
    content.blocks += text_blocks(text)
    for name, file in files:
        content.attachments.append(clean_line(name))
        told = attached_kind("", name, file)
        if told in READ_KINDS:
            content.add_attached(told, attached_text(file))


def _children(part: email.message.Message) -> list[email.message.Message]:
    payload = part.get_payload()
    parts = payload if isinstance(payload, list) else []
    return [one for one in parts if isinstance(one, email.message.Message)]


def _best_alternative(parts: list[email.message.Message]) -> list[email.message.Message]:
    """Choose the plain text; the same in HTML where there is none, or that has more to say."""
    # A picture of the text may stand beside them.
    plain = [
        one for one in parts if one.get_content_type() == "text/plain" and _part_text(one).strip()
    ][:1]
    pages = [one for one in parts if _page(one) is not None][-1:]
    if not plain:
        return pages or [one for one in parts if one.get_content_type() != "text/plain"][-1:]
    page = _page(pages[0]) if pages else None
    has_more = page is not None and says_more(html_blocks(_part_text(page)), _part_text(plain[0]))
    return pages if has_more else plain


def _page(part: email.message.Message) -> email.message.Message | None:
    """Return the part itself or the first within that is a page of HTML."""
    found = itertools.islice(part.walk(), MAX_PARTS)
    return next((one for one in found if one.get_content_type() == "text/html"), None)


def _kept(others: list[email.message.Message]) -> Iterator[email.message.Message]:
    """Yield invitations, and what is attached, of the alternatives that are not read."""
    yield from (one for one in others if one.get_content_type() in CALENDARS)
    yield from itertools.chain.from_iterable(map(_attached, others))


def _attached(part: email.message.Message) -> Iterator[email.message.Message]:
    """Yield what is attached within an alternative that is not read, as some programs send it."""
    for one in _children(part):
        # What is shown in its place, and is not sent as an attachment, may be one all the same.
        is_named = bool(_file_name(one)) and one.get_content_maintype() != "image"
        if one.get_content_disposition() == "attachment" or is_named:
            yield one
        else:
            yield from _attached(one)


def _bytes(part: email.message.Message) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _part_text(part: email.message.Message) -> str:
    text = decode_stated(_bytes(part), part.get_content_charset() or "")
    if part.get_content_type() == "text/plain" and _parameter(part, "format") == "flowed":
        return unflowed(text, drops_blank=_parameter(part, "delsp") == "yes")
    return text


def _parameter(part: email.message.Message, name: str) -> str:
    value = part.get_param(name)
    return value.lower() if isinstance(value, str) else ""


def _mail_heads(mail: email.message.Message) -> list[Block]:
    return head_blocks(_header(mail, "Subject"), {name: _header(mail, name) for name in HEADERS})


def head_blocks(subject: str, heads: dict[str, str]) -> list[Block]:
    """Return the subject as a heading, and the other heads, a line each."""
    lines = [f"{name}: {clean_line(value)}" for name, value in heads.items() if value]
    blocks = [
        Block(BlockKind.HEADING, clean_line(subject)),
        Block(BlockKind.TEXT, "\n".join(lines)),
    ]
    return [block for block in blocks if block.text]


def _notice(part: email.message.Message) -> list[Block]:
    """Return what is said of each recipient, and before them of all, as lines."""
    groups = (
        "\n".join(clean_line(f"{name}: {decode_words(value)}") for name, value in group.items())
        for group in _children(part)
    )
    return [Block(BlockKind.TEXT, lines) for lines in groups if lines]


def _header(mail: email.message.Message, name: str) -> str:
    """Return a header as a person reads it; several of a name are one list."""
    return ", ".join(decode_words(value) for value in mail.get_all(name, []))


def decode_words(value: str) -> str:
    """Decode what a header holds beyond ASCII, be it encoded as it should or as it stands."""
    try:
        words = email.header.decode_header(value)
    except email.errors.HeaderParseError:
        return clean_line(str(value))
    return clean_line(
        "".join(
            decode_stated(word, charset or "") if isinstance(word, bytes) else word
            for word, charset in words
        )
    )


def _file_name(part: email.message.Message) -> str:
    """Return the name an attachment has; it is only shown."""
    try:
        return decode_words(part.get_filename() or "")
    except (LookupError, ValueError):
        return "with an unreadable name"


def text_blocks(text: str) -> Iterable[Block]:
    """Return the paragraphs of a plain text."""
    return split_paragraphs(text.splitlines(keepends=True))
