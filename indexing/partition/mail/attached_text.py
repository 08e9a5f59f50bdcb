"""Tell which of the files that are attached to a mail are text, and decode it."""

import io
from pathlib import PurePath

from indexing.partition.mail.icalendar import CALENDAR, CALENDARS
from indexing.partition.texts.encoding import encoding_of
from indexing.partition.texts.stated_encoding import decode_stated

PLAIN = "text/plain"
READ_KINDS = (PLAIN, *CALENDARS)
"""Media types of attachments that are read with their mail."""

# What programs say of a file whose kind they do not know.
_UNTOLD = ("", "application/octet-stream")
_BY_SUFFIX = {".txt": PLAIN, ".log": PLAIN, ".ics": CALENDAR}


def attached_kind(stated: str, name: str, content: bytes) -> str:
    """Return the media type that is stated; where it tells nothing, that of text with such a name.

    The name is believed only of what is text.
    """
    stated = stated.lower()
    named = _BY_SUFFIX.get(PurePath(name).suffix.lower(), "") if stated in _UNTOLD else ""
    return named if named and encoding_of(io.BytesIO(content)) else stated


def attached_text(content: bytes) -> str:
    """Decode a text of which nobody says in which encoding it is."""
    encoding = encoding_of(io.BytesIO(content))
    return content.decode(encoding, "replace") if encoding else decode_stated(content, "")
