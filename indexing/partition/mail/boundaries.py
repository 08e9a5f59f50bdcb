"""Part mails whose heads do not say where their parts end, or say it wrongly.

What programs and gateways spoil on the way: the line between the parts is another than the heads
name, they name none, or all parts are encoded as one, which the standard forbids (RFC 2045, 6.4).
"""

import io
import re

from indexing.partition.mail.parts import Part, mail_of, part_bytes

# A line as it stands between parts, with the first head of the next one below it. A quotation mark
# or a backslash would mean something in the head that names it.
_BETWEEN_PARTS = re.compile(
    rb"^--([!#-\[\]-~](?:[ !#-\[\]-~]{0,68}[!#-\[\]-~])?)[ \t]*\r?\n(?=content-)",
    re.IGNORECASE | re.MULTILINE,
)
_TEXT = b"Content-Type: text/plain\n\n"


def is_unparted(part: Part) -> bool:
    """Tell whether the part should have others, of which none were found."""
    return part.get_content_maintype() == "multipart" and not part.is_multipart()


def parted(part: Part) -> Part:
    """Return the part with those that it should have, or as the text that it is.

    Raises:
        DocumentUnreadable: its parts are nested too deeply.
    """
    content = part_bytes(part)
    if between := _BETWEEN_PARTS.search(content):
        head = f'Content-Type: {part.get_content_type()}; boundary="{between[1].decode()}"\n\n'
        found = mail_of(io.BytesIO(head.encode("ascii", "replace") + content), part.depth)
        if found.is_multipart():
            return found
    return mail_of(io.BytesIO(_TEXT + content), part.depth)
