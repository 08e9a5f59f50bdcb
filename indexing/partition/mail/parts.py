"""Part a mail, and decode what its parts hold."""

import email.errors
import email.message
import email.parser
import email.policy
import functools
import io
from collections.abc import Callable
from typing import BinaryIO

from indexing.partition.mail.body import unflowed
from indexing.partition.mail.transfer import decode_base64, decode_quoted_printable
from indexing.partition.texts.stated_encoding import decode_stated
from indexing.partition.unreadable import DocumentUnreadable

# The library asks of each line whether it ends one of the parts around it.
MAX_DEPTH = 50
TOO_DEEP = "the parts of the mail are nested too deeply; upload the innermost by themselves"
MAILS_TOO_DEEP = "mails within the mail are nested too deeply; upload the innermost by themselves"
# The library goes through a header again for each of its pieces; what is beyond this is left out.
MAX_HEADER_CHARACTERS = 1 << 15

_BASE64 = "base64"
_DECODERS: dict[str, Callable[[bytes], bytes]] = {
    _BASE64: decode_base64,
    "quoted-printable": decode_quoted_printable,
}
"""Of what the library decodes too, but only where it is as it should be."""


class Part(email.message.Message):
    """A mail or a part of one, which knows how deep it lies."""

    def __init__(self, policy: email.policy.Policy, depth: int = 0) -> None:
        super().__init__(policy)
        self.depth = depth

    def attach(self, payload: email.message.Message) -> None:  # type: ignore[override]
        if self.depth == MAX_DEPTH:
            raise DocumentUnreadable(TOO_DEEP)
        payload.depth = self.depth + 1  # type: ignore[attr-defined]
        super().attach(payload)

    @property
    def transfer_encoding(self) -> str:
        stated = self.get("Content-Transfer-Encoding", "")
        return stated.strip(' \t";').lower()

    @property
    def is_cut_off(self) -> bool:
        """Tell whether the line is missing that ends its parts."""
        missing = email.errors.CloseBoundaryNotFoundDefect
        return any(isinstance(defect, missing) for defect in self.defects)

    def sent(self) -> bytes:
        """Return what a single part holds as it was sent."""
        # The library hands it out in an encoding of text alone.
        payload = self._payload  # type: ignore[attr-defined]
        return payload.encode("ascii", "surrogateescape") if isinstance(payload, str) else b""


def mail_of(file: BinaryIO, depth: int = 0) -> Part:
    """Return the mail that the file is, which lies so deep within others.

    Raises:
        DocumentUnreadable: its parts are nested too deeply.
    """
    if depth > MAX_DEPTH:
        raise DocumentUnreadable(TOO_DEEP)
    parser = email.parser.BytesParser(functools.partial(Part, depth=depth), policy=_ShortHeaders())
    return parser.parse(file)  # type: ignore[return-value]  # of the class that was handed over


def mail_within(part: Part) -> list[Part]:
    """Return the mail that is attached as the part, if there is one.

    Raises:
        DocumentUnreadable: its parts are nested too deeply.
    """
    if part.get_content_maintype() != "message":
        return [mail_of(io.BytesIO(part_bytes(part)), part.depth + 1)]
    within = children(part)
    # It is not to be encoded as a whole; some servers do, and then it has no heads to be seen.
    if part.transfer_encoding != _BASE64 or any(one.keys() for one in within):
        return within
    return [mail_of(io.BytesIO(decode_base64(one.sent())), one.depth) for one in within]


def children(part: Part) -> list[Part]:
    """Return the parts that a part has, none where it is a single one."""
    # Of a single one the library would decode the text, though nobody wants it.
    payload = part.get_payload() if part.is_multipart() else []
    return [one for one in payload if isinstance(one, Part)]


def part_bytes(part: Part) -> bytes:
    """Return what a single part holds."""
    if decode := _DECODERS.get(part.transfer_encoding):
        return decode(part.sent())
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def part_text(part: Part) -> str:
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


def _parameter(part: Part, name: str) -> str:
    value = part.get_param(name)
    return value.lower() if isinstance(value, str) else ""
