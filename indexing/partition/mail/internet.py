"""Read mails as the Internet sends them (eml).

And web archives (MHTML, RFC 2557), which are mails but for their heads: browsers save pages so with
their pictures, and wikis export them so, as `.doc`, for Word.
"""

import io
import itertools
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from indexing.partition.mail.attached_text import PLAIN, READ_KINDS
from indexing.partition.mail.body import says_more
from indexing.partition.mail.boundaries import is_unparted, parted
from indexing.partition.mail.content import SEALED, SEALS, Content, text_blocks, warning_pages
from indexing.partition.mail.heads import file_name, header, mail_heads, notice
from indexing.partition.mail.icalendar import CALENDARS
from indexing.partition.mail.mailbox import is_mailbox, mails_in
from indexing.partition.mail.parts import (
    Part,
    children,
    mail_of,
    mail_within,
    part_bytes,
    part_text,
)
from indexing.partition.mail.sealed_text import without_sealed, without_signature
from indexing.partition.mail.shown_pictures import ShownPictures
from indexing.partition.mail.signed import signed_content
from indexing.partition.mail.text_kinds import PAGES, blocks_of_kind
from indexing.partition.mail.uuencoded import text_and_files
from indexing.partition.mail.winmail import WINMAIL_KINDS, add_winmail, is_winmail
from indexing.partition.mail.wrapping import unwrapped
from indexing.partition.text import clean_line, document_title
from indexing.partition.texts.plain_text import unnumbered_pages
from indexing.partition.unreadable import DocumentUnreadable
from indexing.partition.web.markup import html_blocks, html_title
from indexing.partition.web.svg import no_mark
from indexing.types import Block, Document, Page

UNKNOWN = "application/octet-stream"
MAILS = ("message/rfc822", "message/global")
# What a mail server or program writes of the mail that a report is about (RFC 3464, RFC 8098).
NOTICES = ("message/delivery-status", "message/disposition-notification")
RETURNED_HEADS = "text/rfc822-headers"
DRAWN = ("image/svg+xml", "image/svg")
SHOWING = ("multipart/alternative", "multipart/related")

SENT = ("To", "Cc", "Bcc", "Received")
# No mail that a person reads has so many; the parts that follow are left out.
MAX_PARTS = 2000
TOO_MANY_PARTS = f"the mail has more than {MAX_PARTS} parts, and the rest was not read"
CUT_OFF = "the mail is cut off: the end of its parts is missing; upload an intact copy"


def open_eml(path: Path, skip_pages: int = 0) -> Document:
    """Open the mail: its heads, its text, and the names of what is attached.

    Of a mailbox, all its mails one after the other.

    Raises:
        DocumentUnreadable: its parts are nested too deeply.
    """
    if is_mailbox(path):
        return Document("", 0, itertools.islice(_mailbox_pages(path), skip_pages, None))
    with path.open("rb") as file:
        mail = mail_of(unwrapped(file))
    content = Content(pictures=ShownPictures())
    subject = header(mail, "Subject")
    if _is_web_archive(mail):
        pages = (part for part in children(mail) if part.get_content_type() == "text/html")
        title = next((html_title(part_text(page)) for page in pages), "") or subject
    else:
        title = subject
        content.begin_mail(mail_heads(mail))
    _walk(mail, content)
    return Document(document_title(title), 0, content.pages(skip_pages))


def archive_blocks(archive: bytes) -> list[Block]:
    """Return the text of a web archive.

    Raises:
        DocumentUnreadable: its parts are nested too deeply.
    """
    content = Content()
    _walk(mail_of(io.BytesIO(archive)), content)
    return content.blocks


def _mailbox_pages(path: Path) -> Iterator[Page]:
    warnings: dict[str, None] = {}
    yield from unnumbered_pages(_mailbox_blocks(path, warnings))
    yield from warning_pages(warnings)


def _mailbox_blocks(path: Path, warnings: dict[str, None]) -> Iterator[Block]:
    """Yield what the mails say, and keep what is to be said of them."""
    for sent in mails_in(path):
        content = Content()
        try:
            mail = mail_of(io.BytesIO(sent))
            content.begin_mail(mail_heads(mail))
            _walk(mail, content)
        except DocumentUnreadable as error:
            content.warn(f"of a mail not all was read: {error}")
        yield from content.all_blocks()
        warnings |= dict.fromkeys(content.warnings)


def _is_web_archive(mail: Part) -> bool:
    # Browsers name themselves as the sender, without an address.
    is_mail = any(name in mail for name in SENT) or "@" in header(mail, "From")
    return mail.get_content_type() == "multipart/related" and not is_mail


def _walk(mail: Part, content: Content) -> None:
    """Take the parts of a mail in their order, those of an attached mail behind it."""
    if mail.is_cut_off:
        content.warn(CUT_OFF)
    waiting: list[Part] = [mail]
    for _ in range(MAX_PARTS):
        if not waiting:
            return
        part = waiting.pop()
        if part.get_content_type() in SHOWING:
            _show_pictures(part, content)
        waiting += reversed(_take(part, content))
    if waiting:
        content.warn(TOO_MANY_PARTS)


def _take(part: Part, content: Content) -> list[Part]:
    """Take what a part says by itself, and return the parts that it has."""
    if is_unparted(part):
        part = parted(part)
    kind = part.get_content_type()
    if kind in MAILS or _is_mail_file(part, kind):
        attached = mail_within(part)
        content.attachments.append(file_name(part) or "a mail")
        content.begin_mail([head for one in attached for head in mail_heads(one)])
        return attached
    if kind in NOTICES:
        content.blocks += notice(part)
        return []
    if kind == "multipart/alternative":
        chosen = _best_alternative(children(part))
        others = [one for one in children(part) if one not in chosen]
        return [*chosen, *_kept(others)]
    if kind == "multipart/encrypted":
        content.warn(SEALED)
    if kind in SEALS and (signed := _signed_mail(part)) is not None:
        return [signed]
    if not part.is_multipart():
        _take_part(part, kind, content)
    return [*_without_sheets(part)] if kind == "multipart/related" else children(part)


def _is_mail_file(part: Part, kind: str) -> bool:
    """Tell whether a mail is attached as a file of no stated kind, as gateways send it on."""
    return kind == UNKNOWN and file_name(part).lower().endswith(".eml")


def _signed_mail(part: Part) -> Part | None:
    """Return the mail that the part is the signature around, None if it is that of a file."""
    content = signed_content(part_bytes(part))
    mail = None if content is None else mail_of(io.BytesIO(content), part.depth)
    return mail if mail is not None and "Content-Type" in mail else None


def _without_sheets(page: Part) -> Iterator[Part]:
    """Yield the parts of a page without what it is only set with, as style sheets."""
    for n, one in enumerate(children(page)):
        kind = one.get_content_type()
        is_set_with = kind.startswith("text/") and kind not in (PLAIN, *PAGES, *CALENDARS)
        if n == 0 or not is_set_with or _is_attached(one):
            yield one


def _is_attached(part: Part) -> bool:
    return part.get_content_disposition() == "attachment" or bool(file_name(part))


def _take_part(part: Part, kind: str, content: Content) -> None:
    if kind in SEALS:
        content.warn(SEALED)
    if kind in WINMAIL_KINDS or _is_attached(part):
        _take_file(part, kind, content)
    elif kind in CALENDARS:
        content.add_events(part_text(part))
    elif kind == PLAIN:
        _take_text(part_text(part), content)
    elif kind == RETURNED_HEADS:
        returned = mail_of(io.BytesIO(part_bytes(part)))
        content.blocks += mail_heads(returned)
    else:
        mark = content.pictures.mark if content.pictures else no_mark
        content.blocks += blocks_of_kind(part, mark)
    if _is_shown(part):
        _show(part, content)


def _show_pictures(part: Part, content: Content) -> None:
    """Let the text within the part, whichever is read, show the pictures that are sent with it."""
    for one in itertools.islice(part.walk(), MAX_PARTS):
        if _is_shown(one) and _address(one):
            _show(one, content)


def _is_shown(part: Part) -> bool:
    """Tell whether a part is a picture that stands in the text, and is not only sent with it."""
    is_named = "Content-ID" in part or part.get_content_disposition() != "attachment"
    kind = part.get_content_type()
    return is_named and kind.startswith("image/") and kind not in DRAWN


def _show(picture: Part, content: Content) -> None:
    if content.pictures:
        content.pictures.add(_address(picture), partial(part_bytes, picture))


def _address(picture: Part) -> str:
    """Return by what address a text shows the picture, "" if by none."""
    name = str(picture.get("Content-ID", "")).strip().strip("<>")
    return f"cid:{name}" if name else str(picture.get("Content-Location", "")).strip()


def _take_file(part: Part, kind: str, content: Content) -> None:
    name, file = file_name(part), part_bytes(part)
    if is_winmail(kind, file):
        add_winmail(content, name, file)
    elif kind in READ_KINDS:
        content.attachments.append(name or "without a name")
        content.add_attached(kind, part_text(part))
    else:
        content.add_file(name or "without a name", file, kind)


def _take_text(text: str, content: Content) -> None:
    """Take a plain text, and the files within it."""
    text, files = text_and_files(without_signature(text))
    if (read := without_sealed(text)) != text:
        content.warn(SEALED)
    content.blocks += text_blocks(read)
    for name, file in files:
        content.add_file(clean_line(name), file)


def _best_alternative(parts: list[Part]) -> list[Part]:
    """Choose the plain text; the same in HTML where there is none, or that has more to say."""
    # A picture of the text may stand beside them.
    plain = [one for one in parts if one.get_content_type() == PLAIN and part_text(one).strip()][:1]
    pages = [one for one in parts if _page(one) is not None][-1:]
    if not plain:
        others = [one for one in parts if one.get_content_type() not in (PLAIN, *CALENDARS)]
        return pages or others[-1:]
    page = _page(pages[0]) if pages else None
    has_more = page is not None and says_more(html_blocks(part_text(page)), part_text(plain[0]))
    return pages if has_more else plain


def _page(part: Part) -> Part | None:
    """Return the part itself or the first within that is a page of HTML."""
    found = itertools.islice(part.walk(), MAX_PARTS)
    return next((one for one in found if one.get_content_type() in PAGES), None)


def _kept(others: list[Part]) -> Iterator[Part]:
    """Yield invitations, and what is attached or packed, of the alternatives that are not read."""
    kept = (*CALENDARS, *WINMAIL_KINDS)
    yield from (one for one in others if one.get_content_type() in kept)
    yield from itertools.chain.from_iterable(map(_attached, others))


def _attached(part: Part) -> Iterator[Part]:
    """Yield what is attached within an alternative that is not read, as some programs send it."""
    for one in children(part):
        # What is shown in its place, and is not sent as an attachment, may be one all the same.
        is_named = bool(file_name(one)) and one.get_content_maintype() != "image"
        if one.get_content_disposition() == "attachment" or is_named:
            yield one
        else:
            yield from _attached(one)
