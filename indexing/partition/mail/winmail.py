"""Read what Outlook has packed into a file of the mail (winmail.dat), its text above all."""

import datetime

from indexing.partition.mail.content import Content
from indexing.partition.mail.heads import head_blocks
from indexing.partition.mail.outlook_body import decode_page, outlook_body
from indexing.partition.mail.outlook_strings import code_page_name
from indexing.partition.mail.parts import MAILS_TOO_DEEP, MAX_DEPTH
from indexing.partition.mail.tnef import BODY, FILE, FILE_NAME, SIGNATURE, Packed, read_tnef
from indexing.partition.text import clean_line
from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import Block

WINMAIL_KINDS = ("application/ms-tnef", "application/vnd.ms-tnef")
DAMAGED = (
    "the text of the mail is in a file of Outlook's (winmail.dat) that is damaged, and was not "
    "read; save the mail as text in your mail program and upload that"
)

_SUBJECT, _SENT = 0x0037, 0x0039
_SENDER, _ADDRESS, _TO, _CC = 0x0C1A, 0x0C1F, 0x0E04, 0x0E03
_PAGE, _PAGE_CODE_PAGE, _RTF = 0x1013, 0x3FDE, 0x1009
_DISPLAY_NAME, _FILE_KIND = 0x3001, 0x370E

_EPOCH = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC)


def is_winmail(kind: str, content: bytes) -> bool:
    """Tell whether a file is such a one, whatever it is called."""
    return kind in WINMAIL_KINDS or content.startswith(SIGNATURE)


def add_winmail(content: Content, name: str, packed: bytes) -> None:
    """Add what is packed: the text unless the mail has said it, and what is attached.

    Raises:
        DocumentUnreadable: mails within are nested too deeply.
    """
    content.attachments.append(name or "winmail.dat")
    mail, files = read_tnef(packed)
    if packed.startswith(SIGNATURE) and (mail.properties or files):
        _add(content, packed, depth=0)
    elif not content.words_said():
        content.warn(DAMAGED)


def _add(content: Content, packed: bytes, *, depth: int) -> None:
    if depth > MAX_DEPTH:
        raise DocumentUnreadable(MAILS_TOO_DEEP)
    mail, files = read_tnef(packed)
    if depth:
        content.begin_mail(head_blocks(mail.text(_SUBJECT), _heads(mail)))
    try:
        # Beside it, the text may stand as it is, or be a note that it is in here.
        content.add_unless_said(_body(mail))
    except ValueError:
        content.warn(DAMAGED)
    for file in files:
        within = file.mail_within()
        name = clean_line(file.text(FILE_NAME) or file.text(_DISPLAY_NAME))
        if within:
            content.attachments.append(name or "a mail")
            _add(content, within, depth=depth + 1)
        else:
            content.add_file(name or "without a name", file.bytes_of(FILE), file.text(_FILE_KIND))


def _body(mail: Packed) -> list[Block]:
    """Return the text of the mail.

    Raises:
        ValueError: it is damaged.
    """
    stated = code_page_name(mail.number(_PAGE_CODE_PAGE)) or mail.code_page
    page = mail.text(_PAGE) or decode_page(mail.bytes_of(_PAGE), stated)
    return outlook_body(mail.text(BODY), page, mail.bytes_of(_RTF))


def _heads(mail: Packed) -> dict[str, str]:
    address = mail.text(_ADDRESS)
    sender = f"{mail.text(_SENDER)} <{address}>" if address else mail.text(_SENDER)
    to, cc = mail.text(_TO), mail.text(_CC)
    return {"From": sender.strip(), "To": to, "Cc": cc, "Date": _time(mail.number(_SENT))}


def _time(ticks: int) -> str:
    """Write a moment that is kept as tenths of microseconds."""
    try:
        moment = _EPOCH + datetime.timedelta(microseconds=ticks // 10)
    except OverflowError:  # Later than any year of ours.
        return ""
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC" if ticks else ""
