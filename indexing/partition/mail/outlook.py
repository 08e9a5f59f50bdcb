"""Read mails as Outlook keeps them (msg, [MS-OXMSG])."""

from pathlib import Path

import oxmsg
import oxmsg.domain.constants
from oxmsg.attachment import Attachment
from oxmsg.properties import Properties
from oxmsg.storage import Storage

from indexing.partition.mail.content import Content
from indexing.partition.mail.heads import decode_words, head_blocks
from indexing.partition.mail.outlook_appointment import appointment_heads, appointment_keys
from indexing.partition.mail.outlook_body import decode_page, outlook_body
from indexing.partition.mail.outlook_properties import lacks_text
from indexing.partition.mail.outlook_storages import storage_in
from indexing.partition.mail.outlook_strings import MAIL_WITHIN, with_unicode_strings
from indexing.partition.mail.parts import MAILS_TOO_DEEP
from indexing.partition.mail.shown_pictures import ShownPictures
from indexing.partition.text import clean_line, document_title
from indexing.partition.unreadable import DocumentUnreadable
from indexing.partition.web.pictures import is_picture
from indexing.partition.web.svg import no_mark
from indexing.types import Block, Document

MAX_DEPTH = 50
"""Mails lie within each other no deeper, as in eml."""

TEXT_IS_LOST = "the text of a mail is missing in the file; save the mail anew in its own program"

PARTS_ARE_LOST = "parts of the mail are missing in the file; upload an intact copy"

_HEADER_OF_MAIL = 32  # bytes before its properties
_HEADER_OF_MAIL_WITHIN = 24
_DISPLAY_NAME = 0x3001
_EXTENSION = 0x3703
_CONTENT_ID = 0x3712


def open_msg(path: Path, skip_pages: int = 0) -> Document:
    """Open the mail that Outlook saved: its heads, its text, and the names of what is attached.

    Mails that are attached are read with it.

    Raises:
        DocumentUnreadable: they are nested too deeply.
    """
    root, is_damaged = storage_in(path)
    content = Content(pictures=ShownPictures())
    if is_damaged:
        content.warn(PARTS_ARE_LOST)
    mail = oxmsg.Message(_readable(root, _HEADER_OF_MAIL, content))
    _take(mail, content, keys=appointment_keys(root), depth=0)
    return Document(document_title(mail.subject), 0, content.pages(skip_pages))


class _MailWithin(oxmsg.Message):
    """A mail that is attached to another."""

    @property
    def _properties(self) -> Properties:
        return Properties(self._storage, properties_header_offset=_HEADER_OF_MAIL_WITHIN)


def _take(mail: oxmsg.Message, content: Content, *, keys: dict[int, int], depth: int) -> None:
    if depth > MAX_DEPTH:
        raise DocumentUnreadable(MAILS_TOO_DEEP)
    content.begin_mail(head_blocks(mail.subject, _heads(mail) | appointment_heads(mail, keys)))
    for attachment in mail.attachments:
        _show(attachment, content)
    content.blocks += _body(mail, content)
    for attachment in mail.attachments:
        within = _mail_within(attachment, content)
        name = attachment.file_name or attachment.properties.str_prop_value(_DISPLAY_NAME)
        name = clean_line(name or ("a mail" if within else "without a name"))
        if within is not None:
            content.attachments.append(name)
            _take(within, content, keys=keys, depth=depth + 1)
        else:
            content.add_file(name, attachment.file_bytes or b"", attachment.mime_type or "")


def _heads(mail: oxmsg.Message) -> dict[str, str]:
    to = [f"{one.name} <{one.email_address}>" for one in mail.recipients]
    sent = mail.sent_date
    heads = {
        "From": mail.sender or "",
        "To": mail.message_headers.get("To") or ", ".join(to),
        "Cc": mail.message_headers.get("Cc") or "",
        "Date": mail.message_headers.get("Date") or (sent.isoformat(" ") if sent else ""),
    }
    # Outlook keeps the heads as they came over the Internet.
    return {name: decode_words(value) for name, value in heads.items()}


def _mail_within(attachment: Attachment, content: Content) -> _MailWithin | None:
    # The library knows of attached files alone.
    storage = attachment._storage
    storages = storage.storages if isinstance(storage, Storage) else ()
    within = next((one for one in storages if one.name == MAIL_WITHIN), None)
    if within is None:
        return None
    return _MailWithin(_readable(within, _HEADER_OF_MAIL_WITHIN, content))


def _readable(mail: Storage, header_size: int, content: Content) -> Storage:
    """Return the mail as the library can read it, and say so if its text is lost."""
    if lacks_text(mail, header_size):
        content.warn(TEXT_IS_LOST)
    return with_unicode_strings(mail, header_size)


def _show(attachment: Attachment, content: Content) -> None:
    """Let the text that follows show the picture that the attachment is, if it may."""
    name = attachment.properties.str_prop_value(_CONTENT_ID)
    ending = attachment.properties.str_prop_value(_EXTENSION) or attachment.file_name or ""
    if content.pictures and name and is_picture(f".{ending}"):
        content.pictures.add(f"cid:{name.strip('<>')}", lambda: attachment.file_bytes or b"")


def _body(mail: oxmsg.Message, content: Content) -> list[Block]:
    properties = mail.properties
    packed = properties.binary_prop_value(oxmsg.domain.constants.PID_RTF_COMPRESSED) or b""
    if page := properties.binary_prop_value(oxmsg.domain.constants.PID_HTML):
        page_text = decode_page(page, properties.body_encoding)
    else:
        page_text = properties.str_prop_value(oxmsg.domain.constants.PID_BODY_HTML) or ""
    mark = content.pictures.mark if content.pictures else no_mark
    try:
        return outlook_body(mail.body or "", page_text, packed, mark)
    except ValueError:
        content.warn(TEXT_IS_LOST)
        return []
