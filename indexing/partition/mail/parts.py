"""Part a mail, and decode what its parts hold."""

import email
import email.message
import email.policy
from typing import BinaryIO

from indexing.partition.mail.body import unflowed
from indexing.partition.texts.stated_encoding import decode_stated
from indexing.partition.unreadable import DocumentUnreadable

# The library asks of each line whether it ends one of the parts around it.
MAX_DEPTH = 50
# The library goes through a header again for each of its pieces; what is beyond this is left out.
MAX_HEADER_CHARACTERS = 1 << 15


def mail_of(file: BinaryIO) -> email.message.Message:
    """Return the mail that the file is.

    Raises:
        DocumentUnreadable: its parts are nested too deeply.
    """
    return email.message_from_binary_file(file, _Part, policy=_ShortHeaders())


def children(part: email.message.Message) -> list[email.message.Message]:
    """Return the parts that a part has, none where it is a single one."""
    payload = part.get_payload()
    parts = payload if isinstance(payload, list) else []
    return [one for one in parts if isinstance(one, email.message.Message)]


def part_bytes(part: email.message.Message) -> bytes:
    """Return what a single part holds."""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def part_text(part: email.message.Message) -> str:
    """Return the same of a part that is text."""
    text = decode_stated(part_bytes(part), part.get_content_charset() or "")
    if part.get_content_type() == "text/plain" and _parameter(part, "format") == "flowed":
        return unflowed(text, drops_blank=_parameter(part, "delsp") == "yes")
    return text


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


def _parameter(part: email.message.Message, name: str) -> str:
    value = part.get_param(name)
    return value.lower() if isinstance(value, str) else ""
