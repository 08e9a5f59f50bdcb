"""Read the parts of mails that are text, but neither plain nor to be asked for more."""

import re
from collections.abc import Callable, Iterable, Iterator

from indexing.partition.mail.content import text_blocks
from indexing.partition.mail.parts import Part, part_bytes, part_text
from indexing.partition.texts.rich_text import rtf_blocks
from indexing.partition.web.markup import html_blocks
from indexing.partition.web.svg import no_mark
from indexing.types import Block

PAGES = ("text/html", "application/xhtml+xml")
_RICH = ("text/rtf", "application/rtf", "application/x-rtf")
# What some programs wrote before there was HTML (RFC 1896), and before that (RFC 1341).
_ENRICHED, _ELDER = "text/enriched", "text/richtext"

_UNSHOWN = re.compile(r"<(param|comment)>[^<]*+</\1>", re.IGNORECASE)
_PIECE = re.compile(r"(?P<less><<)|<(?P<end>/?)(?P<name>[A-Za-z0-9-]{1,60})>|\n+|[^<\n]+|<")
_ELDER_MARKS = {"lt": "<", "nl": "\n", "paragraph": "\n\n", "np": "\n\n"}


def blocks_of_kind(part: Part, mark: Callable[[str], str] = no_mark) -> Iterable[Block]:
    """Return the text of a part by its kind, nothing of what is no text.

    Of kinds that nobody knows, text stands as it was sent. `mark` says what stands for a picture.
    """
    kind = part.get_content_type()
    if kind in PAGES:
        return html_blocks(part_text(part), mark)
    if kind in _RICH:
        return rtf_blocks(part_bytes(part))
    if kind in (_ENRICHED, _ELDER):
        return text_blocks(enriched_text(part_text(part), is_elder=kind == _ELDER))
    return text_blocks(part_text(part)) if kind.startswith("text/") else ()


def enriched_text(source: str, *, is_elder: bool = False) -> str:
    """Return enriched text without its marks, in the lines that they make."""
    lines = "\n".join(source.splitlines())
    return "".join(_shown(_UNSHOWN.sub("", lines), is_elder=is_elder))


def _shown(source: str, *, is_elder: bool) -> Iterator[str]:
    unfilled = 0  # how many marks are open within which lines end as they are written
    for piece in _PIECE.finditer(source):
        name = (piece["name"] or "").lower()
        if name == "nofill":
            unfilled = max(0, unfilled + (-1 if piece["end"] else 1))
        elif name:
            yield _ELDER_MARKS.get(name, "") if is_elder else ""
        elif piece["less"] and not is_elder:
            yield "<"
        elif piece[0].startswith("\n") and not unfilled:
            # A single line end is where the program has wrapped the line.
            yield " " if is_elder else piece[0][1:] or " "
        else:
            yield piece[0]
