"""Choose among the forms in which Outlook keeps the text of a mail."""

import contextlib
from collections.abc import Callable

from indexing.partition.mail.body import says_more
from indexing.partition.mail.content import text_blocks
from indexing.partition.texts.code_pages import guess_encoding
from indexing.partition.texts.rich_text import decompress, page_in_rtf, rtf_blocks
from indexing.partition.texts.stated_encoding import MAX_SAMPLE_BYTES, decode_stated
from indexing.partition.web.markup import html_blocks
from indexing.partition.web.svg import no_mark
from indexing.types import Block


def outlook_body(
    plain_text: str, page_text: str, packed_rtf: bytes, mark: Callable[[str], str] = no_mark
) -> list[Block]:
    """Return the text in the form that says most; each may be empty.

    `mark` says what stands for a picture that it shows.

    Raises:
        ValueError: the only one is RTF that is not packed as Outlook packs it.
    """
    page_text = page_text or _page_in(packed_rtf)
    page = html_blocks(page_text)
    if page and (not plain_text.strip() or says_more(page, plain_text)):
        return html_blocks(page_text, mark)
    if plain_text.strip():
        return list(text_blocks(plain_text))
    return list(rtf_blocks(decompress(packed_rtf))) if packed_rtf else []


def decode_page(page: bytes, stated: str) -> str:
    """Decode the text as a page of HTML."""
    # Many say no code page, and then it is none of Windows'.
    is_utf8 = guess_encoding(page[:MAX_SAMPLE_BYTES]) == "utf-8"
    return decode_stated(page, "utf-8" if is_utf8 else stated)


def _page_in(packed_rtf: bytes) -> str:
    # Damaged, it matters only where there is no plain text.
    with contextlib.suppress(ValueError):
        return page_in_rtf(packed_rtf)
    return ""
