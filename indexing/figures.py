"""Put what a vision model says of a page's figures among the words of the page."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace

from indexing.partition.processes.isolation import DocumentHead
from indexing.partition.text import clean_text
from indexing.types import Block, BlockKind, Figure, Page, ReadBy

MAX_AT_ONCE = 4
MAX_FAILURES = 3
"""A model that failed this often in a document is not asked again for it: each failure may have
taken minutes."""

MAX_DESCRIPTION_CHARACTERS = 2000
MAX_HEADING_CHARACTERS = 200
MAX_TEXT_BEFORE = 500
MAX_TEXT_BEHIND = 800

Describe = Callable[[bytes, str], Awaitable[str]]
"""Is given a JPEG picture and the words around it; raises DescriptionFailed."""


class DescriptionFailed(Exception):
    """A figure was not described; the message says why, for the one who uploaded the document."""


class FigureDescriber:
    """Describes the figures of one document, page after page."""

    def __init__(self, describe: Describe) -> None:
        self._describe = describe
        self._at_once = asyncio.Semaphore(MAX_AT_ONCE)
        self._failures: list[str] = []

    async def describe(self, page: Page) -> Page:
        """Return the page with a text for each of its figures, and without the figures.

        Where the model fails, the page keeps what was recognised in the figure, and says so.
        """
        if not page.figures:
            return page
        described = await asyncio.gather(*(self._text_of(page, one) for one in page.figures))
        texts = [text for text in described if isinstance(text, str)]
        failures = [str(text) for text in described if isinstance(text, DescriptionFailed)]
        blocks = _with_descriptions(
            page.blocks,
            [
                (figure.position, text)
                for figure, text in zip(page.figures, described, strict=True)
                if isinstance(text, str) and text
            ],
        )
        return replace(
            page,
            blocks=blocks,
            figures=(),
            read_by=ReadBy.VISION if any(texts) else page.read_by,
            warning="; ".join(filter(None, [page.warning, _warning(page.number, failures)])),
        )

    async def _text_of(self, page: Page, figure: Figure) -> str | DescriptionFailed:
        async with self._at_once:
            if len(self._failures) >= MAX_FAILURES:
                return DescriptionFailed(self._failures[-1])
            try:
                said = await self._describe(figure.image, words_around(page, figure))
            except DescriptionFailed as error:
                self._failures.append(str(error))
                return error
        return clean_text(said).strip()[:MAX_DESCRIPTION_CHARACTERS].rstrip()


async def described(
    document: AsyncGenerator[DocumentHead | Page, None], describe: Describe
) -> AsyncGenerator[DocumentHead | Page, None]:
    """Yield what a reader of one document yields, the figures of its pages put into words."""
    figures = FigureDescriber(describe)
    async with aclosing(document):
        async for item in document:
            yield await figures.describe(item) if isinstance(item, Page) else item


def words_around(page: Page, figure: Figure) -> str:
    """Return the heading over a figure, the end of the text before it and the words behind it.

    What was recognised in the figure, and its caption, stand right there.
    """
    before, behind = page.blocks[: figure.position], page.blocks[figure.position :]
    headings = [block.text for block in before if block.kind is BlockKind.HEADING]
    text_before = "\n".join(_text(block) for block in before if block.kind is not BlockKind.HEADING)
    text_behind = "\n".join(map(_text, behind))
    parts = [
        headings[-1][:MAX_HEADING_CHARACTERS] if headings else "",
        text_before[-MAX_TEXT_BEFORE:],
        text_behind[:MAX_TEXT_BEHIND],
    ]
    return "\n".join(filter(None, parts))


def _with_descriptions(
    blocks: Sequence[Block], descriptions: Sequence[tuple[int, str]]
) -> tuple[Block, ...]:
    together: list[Block] = []
    for at in range(len(blocks) + 1):
        together += [
            Block(BlockKind.TEXT, f"Figure: {text}")
            for position, text in descriptions
            if min(position, len(blocks)) == at
        ]
        together += blocks[at : at + 1]
    return tuple(together)


def _warning(page_number: int, failures: Sequence[str]) -> str:
    if not failures:
        return ""
    what = "the figure" if len(failures) == 1 else f"{len(failures)} figures"
    was = "was" if len(failures) == 1 else "were"
    return f"{what} on page {page_number} {was} not described: {failures[-1]}"


def _text(block: Block) -> str:
    return f"{block.header}\n{block.text}".strip()
