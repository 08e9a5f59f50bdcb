"""Read the heads of mails as a person reads them."""

import email.errors
import email.header

from indexing.partition.mail.parts import Part, children
from indexing.partition.text import clean_line
from indexing.partition.texts.stated_encoding import decode_stated
from indexing.types import Block, BlockKind

HEADERS = ("From", "To", "Cc", "Date")


def mail_heads(mail: Part) -> list[Block]:
    return head_blocks(header(mail, "Subject"), {name: header(mail, name) for name in HEADERS})


def head_blocks(subject: str, heads: dict[str, str]) -> list[Block]:
    """Return the subject as a heading, and the other heads, a line each."""
    lines = [f"{name}: {clean_line(value)}" for name, value in heads.items() if value]
    blocks = [
        Block(BlockKind.HEADING, clean_line(subject)),
        Block(BlockKind.TEXT, "\n".join(lines)),
    ]
    return [block for block in blocks if block.text]


def notice(part: Part) -> list[Block]:
    """Return what is said of each recipient, and before them of all, as lines."""
    groups = (
        "\n".join(clean_line(f"{name}: {decode_words(value)}") for name, value in group.items())
        for group in children(part)
    )
    return [Block(BlockKind.TEXT, lines) for lines in groups if lines]


def header(mail: Part, name: str) -> str:
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


def file_name(part: Part) -> str:
    """Return the name an attachment has; it is only shown."""
    try:
        return decode_words(part.get_filename() or "")
    except (LookupError, ValueError):
        return "with an unreadable name"
