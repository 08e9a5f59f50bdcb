"""Read a document in a process of its own, so that a poisoned file takes nothing else with it."""

import asyncio
import logging
import math
import signal
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from pathlib import Path

from indexing.partition.formats import DocumentFormat
from indexing.partition.processes.page_messages import (
    count_from,
    page_from_values,
    text_from,
    unpack_message,
)
from indexing.partition.processes.reader_process import (
    ALL_PAGES,
    LENGTH,
    PAGES_AT_ONCE,
    STOP,
    Looks,
    Order,
)
from indexing.partition.processes.ready_readers import Reader, ready_readers
from indexing.partition.reader import NEED_NO_PATH
from indexing.partition.unreadable import MAY_HELP, TOO_MUCH, DocumentUnreadable
from indexing.types import Page, ReadBy

MAX_MESSAGE_BYTES = 256 * 1024**2

MAX_TITLE_CHARACTERS = 200
MAX_REASON_CHARACTERS = 1_000
MAX_TRACE_CHARACTERS = 20_000
"""A hundred reasons may come of one document."""

MAX_SENT_BYTES = 16 * 1024**2
"""Of a document that is sent, which a reader holds in its memory."""

MAX_SHORT_PAGES = 200
"""Reading more takes so long that a new reader's start does not count, and leaves more behind."""

STOP_SECONDS = 0.1
"""So long a reader may take to stop; a page of text takes milliseconds."""

_NONSENSE = "the process that reads it was led astray"

logger = logging.getLogger(__name__)


class TimeIsOver(DocumentUnreadable):
    """It is the document that took too long: no page of it is to blame."""


@dataclass(frozen=True, slots=True)
class ReadLimits:
    """What reading one document may take."""

    wall_seconds: float  # of waiting for the reader; time the caller takes does not count
    cpu_seconds: int
    memory_bytes: int  # on top of what an idle reader has
    page_seconds: float = math.inf  # of waiting for one page, once the document is open
    # The same of a kept reader: a page that hangs hangs in the new one too, and costs both times.
    kept_page_seconds: float = 15.0
    # A small file may show the same text on any number of pages; `recovery` counts.
    pages: int = 100_000
    characters: int = 256_000_000
    # As many may read at once in this process, all documents together (`read_ahead`).
    readers: int = 1
    # So many pages of one a kept reader reads in step; a failure among them is found page by page.
    at_once: int = PAGES_AT_ONCE
    # Whose documents its reader may have read before, and read afterwards; "" for nobody's.
    owner: str = ""


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """What is known of a document before its pages are read."""

    title: str
    page_count: int


async def read_isolated(
    path: Path,
    file_format: DocumentFormat,
    limits: ReadLimits,
    *,
    pages: slice = ALL_PAGES,
    looks: Looks = Looks.FOR_WORDS,
) -> AsyncGenerator[DocumentHead | Page, None]:
    """Yield the head of the document, then its pages, as a child process reads them.

    Those are the pages from a position to another; by default all. They come without their figures,
    unless these are looked for.

    The child waits when nobody takes its pages (the socket between the two is full). When the
    caller stops early, it is killed, or told to stop if it may be of use: at once within
    `contextlib.aclosing`.

    With an owner, the child may be one that has read other documents of the same owner, and none of
    anybody else's. If it fails, that says nothing of this document yet, nor of which page: a new
    one reads on page by page, with limits of its own.

    Raises:
        DocumentUnreadable: the child failed, died or took too much; all before has been yielded.
    """
    is_sent = _may_be_sent(path, file_format, limits)
    order = Order(
        path,
        file_format,
        pages,
        looks,
        limits.cpu_seconds,
        limits.memory_bytes,
        limits.at_once,
        limits.wall_seconds,
        limits.page_seconds,
        is_sent,
    )
    readers = ready_readers()
    has_head, position = False, pages.start
    kept = readers.take_kept(limits.owner) if is_sent else None
    if kept is not None:
        page_seconds = min(limits.page_seconds, limits.kept_page_seconds)
        hurried = replace(limits, page_seconds=page_seconds)
        try:
            async with aclosing(_items(order, kept, hurried)) as items:
                async for item in items:
                    yield item
                    has_head = True
                    position += isinstance(item, Page)
            return
        except TimeIsOver:
            raise
        except DocumentUnreadable as error:
            logger.warning("A new reader goes on behind page %d of a document: %s", position, error)
        order = replace(order, pages=slice(position, pages.stop))
    async with aclosing(_items(order, await readers.take(), limits)) as items:
        async for item in items:
            if isinstance(item, Page) or not has_head:
                yield item


def _may_be_sent(path: Path, file_format: DocumentFormat, limits: ReadLimits) -> bool:
    """Tell whether a reader can do without the path, and so be one for several documents."""
    if not limits.owner or file_format not in NEED_NO_PATH:
        return False
    return path.stat().st_size <= MAX_SENT_BYTES


async def _items(
    order: Order, reader: Reader, limits: ReadLimits
) -> AsyncGenerator[DocumentHead | Page, None]:
    """Yield what this reader sends, and keep it behind a short text; else it is ended."""
    readers = ready_readers()
    is_short, is_plain, is_kept = False, True, False
    try:
        order.send(reader.connection)
        # A second descriptor of the socket, because the streams close theirs.
        stream, writer = await asyncio.open_connection(sock=reader.connection.dup())
        items = _receive(stream, limits)
        try:
            async for item in items:
                if isinstance(item, DocumentHead):
                    is_short = item.page_count <= MAX_SHORT_PAGES
                is_plain = is_plain and _is_plain(item)
                yield item
            is_kept = order.is_sent and is_short and is_plain
        except GeneratorExit:
            is_kept = order.is_sent and is_short and is_plain and await _stops(writer, items)
            raise
        finally:
            writer.close()
    except (EOFError, ConnectionError) as error:
        exit_code = await readers.exit_code(reader)
        raise DocumentUnreadable(cause_of_death(exit_code, limits)) from error
    finally:
        if is_kept:
            readers.keep(reader, limits.owner)
        else:
            readers.end(reader)


async def _stops(
    writer: asyncio.StreamWriter, items: AsyncGenerator[DocumentHead | Page, None]
) -> bool:
    """Tell a reader that no more pages are wanted; return whether it stops, behind plain text."""
    writer.write(STOP)
    try:
        async with asyncio.timeout(STOP_SECONDS):
            return all([_is_plain(item) async for item in items])
    except (TimeoutError, EOFError, ConnectionError, DocumentUnreadable):
        return False


def _is_plain(item: DocumentHead | Page) -> bool:
    """Tell whether nothing but text was read, and without a fault."""
    if isinstance(item, DocumentHead):
        return True
    return item.read_by is ReadBy.TEXT and not item.warning


async def prepare_readers() -> None:
    """Load what the first document would have to wait for, some seconds."""
    await ready_readers().prepare()


async def _receive(
    stream: asyncio.StreamReader, limits: ReadLimits
) -> AsyncGenerator[DocumentHead | Page, None]:
    """Yield the head and the pages, and nothing else, whatever a captured reader may send."""
    seconds_left = limits.wall_seconds
    most_at_once = math.inf
    has_head = False
    while True:
        started = time.monotonic()
        allowed = min(seconds_left, most_at_once)
        try:
            async with asyncio.timeout(allowed):
                body = await _receive_body(stream)
        except TimeoutError as error:
            if seconds_left <= most_at_once:
                too_long = f"took longer than {limits.wall_seconds:g} s"
                raise TimeIsOver(f"{too_long}; {TOO_MUCH}") from error
            too_long = f"took longer than {most_at_once:g} s"
            raise DocumentUnreadable(f"{too_long}; {TOO_MUCH}") from error
        seconds_left -= time.monotonic() - started
        try:
            item = _item(body, has_head=has_head)
        except (ValueError, TypeError, KeyError) as error:
            # As text, because it may hold what was sent.
            logger.warning("A reader sent what has no sense: %.200r", str(error))
            raise DocumentUnreadable(_NONSENSE) from error
        if item is None:
            return
        if not has_head:
            has_head = True
            most_at_once = limits.page_seconds
        yield item


async def _receive_body(stream: asyncio.StreamReader) -> bytes:
    (length,) = LENGTH.unpack(await stream.readexactly(LENGTH.size))
    if length > MAX_MESSAGE_BYTES:
        too_much = f"one page holds more than {MAX_MESSAGE_BYTES >> 20} MB of text"
        raise DocumentUnreadable(f"{too_much}; {TOO_MUCH}")
    return await stream.readexactly(length)


def _item(body: bytes, *, has_head: bool) -> DocumentHead | Page | None:
    """Return the head, which comes first, or a page; None at the end.

    Raises:
        ValueError, TypeError, KeyError: the message is none, or none that may come here.
        DocumentUnreadable: the reader says so.
    """
    match unpack_message(body):
        case ["head", title, page_count] if not has_head:
            return DocumentHead(text_from(title)[:MAX_TITLE_CHARACTERS], count_from(page_count))
        case ["page", *values] if has_head:
            return page_from_values(values)
        case ["end"] if has_head:
            return None
        case ["error", text, str(trace)]:
            reason = text_from(text)[:MAX_REASON_CHARACTERS]
            logger.warning(
                "A document cannot be read: %s\n%s", reason, trace[-MAX_TRACE_CHARACTERS:]
            )
            raise DocumentUnreadable(reason)
        case _:
            raise ValueError("neither a head, nor a page, nor an end")


def cause_of_death(exit_code: int | None, limits: ReadLimits) -> str:
    """Say why a process ended that read a document, and told nothing."""
    if exit_code == -signal.SIGXCPU:
        return f"took longer than {limits.cpu_seconds} s of processor time; {TOO_MUCH}"
    if exit_code == -signal.SIGABRT:
        # So end libraries that are given no more memory.
        memory = f"most likely needed more than {limits.memory_bytes / 2**20:.0f} MB of memory"
        return f"{memory}; {TOO_MUCH}"
    if exit_code is not None and exit_code < 0:
        return f"the reader process died (signal {-exit_code}); {MAY_HELP}"
    return f"the reader process died (exit code {exit_code}); {MAY_HELP}"
