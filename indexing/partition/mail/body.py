"""Tell which form of a mail's text says more, and put lines together that a program has wrapped."""

from collections.abc import Iterable, Iterator, Sequence

from indexing.types import Block, BlockKind
from indexing.word_count import count_words

# Some programs send no plain text but a note that there is none, or the first lines.
MUCH_SHORTER = 0.5
SIGNATURE_MARK = "-- "


def says_more(page: Sequence[Block], plain_text: str) -> bool:
    """Tell whether the text as a page has what the plain text lacks: tables, or most of it."""
    # In plain text the cells of a table are lines below each other.
    has_table = any(block.kind is BlockKind.TABLE and block.header for block in page)
    return has_table or count_words(plain_text) < MUCH_SHORTER * words_in(page)


def words_in(blocks: Iterable[Block]) -> int:
    """Return how many words the blocks have."""
    return sum(count_words(f"{block.header} {block.text}") for block in blocks)


def unflowed(text: str, *, drops_blank: bool) -> str:
    """Return the text with whole lines (RFC 3676): of those wrapped, a blank is the last letter.

    With `drops_blank` it is no part of the text, as in languages that have none between words.
    """
    return "\n".join("".join(line) for line in _whole_lines(text, drops_blank))


def _whole_lines(text: str, drops_blank: bool) -> Iterator[list[str]]:
    whole: list[str] = []
    open_marks = ""  # the quotation marks of a line that goes on
    goes_on = False
    for line in text.splitlines():
        content = line.lstrip(">")
        marks = line[: len(line) - len(content)]
        # Before some letters a blank is set that is not of the text.
        content = content.removeprefix(" ")
        if not (goes_on and marks == open_marks and content != SIGNATURE_MARK):
            if whole:
                yield whole
            whole = [f"{marks} "] if marks else []
        goes_on, open_marks = content.endswith(" ") and content != SIGNATURE_MARK, marks
        whole.append(content[:-1] if goes_on and drops_blank else content)
    if whole:
        yield whole
