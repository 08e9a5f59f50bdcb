import asyncio
import contextlib
import multiprocessing.forkserver
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from indexing.partition.formats import DocumentFormat
from indexing.partition.processes.isolation import DocumentHead, ReadLimits, read_isolated
from indexing.partition.processes.ready_readers import (
    KEPT_SECONDS,
    MAX_DOCUMENTS,
    MAX_KEPT,
    ReadyReaders,
    ready_readers,
)
from indexing.partition.unreadable import GAVE_UP, DocumentUnreadable
from indexing.types import Page
from tests.conftest import FILES
from tests.indexing.partition.processes.reading import (
    LIMITS,
    pdf_of_text,
    read_all,
    until,
    without_seconds,
)
from tests.readers import readers


async def test_each_document_has_a_reader_of_its_own() -> None:
    readers = ready_readers()

    taken = [await readers.take() for _ in range(3)]

    assert len({reader.process.pid for reader in taken}) == 3
    for reader in taken:
        readers.end(reader)


async def test_the_next_reader_is_started_before_it_is_asked_for() -> None:
    readers = ready_readers()
    taken = await readers.take()

    await readers.prepare()
    waiting = pids() - {taken.process.pid}
    following = await readers.take()

    assert following.process.pid in waiting
    readers.end(taken)
    readers.end(following)


async def test_a_reader_that_was_killed_while_it_waited_is_passed_over() -> None:
    readers = ready_readers()
    killed = await the_one_that_waits(readers)

    killed.kill()
    await asyncio.to_thread(killed.wait, 10)
    taken = await asyncio.wait_for(readers.take(), timeout=10)

    assert taken.process.pid != killed.pid
    assert psutil.pid_exists(taken.process.pid or 0)
    readers.end(taken)


async def test_the_one_that_waits_ends_when_nobody_needs_it() -> None:
    readers = ReadyReaders()
    waiting = await the_one_that_waits(readers)

    readers.close()

    await asyncio.to_thread(waiting.wait, 10)


async def test_a_reader_that_somebody_waited_for_in_vain_is_kept_for_the_next() -> None:
    readers = ready_readers()
    waiting = await the_one_that_waits(readers)

    taking = asyncio.create_task(readers.take())
    await asyncio.sleep(0)
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    taken = {await readers.take(), await readers.take()}

    assert waiting.pid in {reader.process.pid for reader in taken}
    for reader in taken:
        readers.end(reader)


async def test_a_kept_reader_is_for_its_owner_alone() -> None:
    readers = ready_readers()
    reader = await readers.take()

    readers.keep(reader, "ke_one")

    assert readers.take_kept("ke_other") is None
    assert readers.take_kept("ke_one") is reader
    assert readers.take_kept("ke_one") is None
    readers.end(reader)


async def test_a_kept_reader_that_was_killed_is_not_given_to_anybody() -> None:
    readers = ready_readers()
    reader = await readers.take()
    process = psutil.Process(reader.process.pid)
    readers.keep(reader, "ke_one")

    process.kill()
    await asyncio.to_thread(process.wait, 10)

    assert readers.take_kept("ke_one") is None


async def test_the_oldest_of_too_many_kept_readers_is_ended() -> None:
    readers = ready_readers()
    taken = [await readers.take() for _ in range(MAX_KEPT + 1)]
    oldest = psutil.Process(taken[0].process.pid)

    for reader in taken:
        readers.keep(reader, "ke_one")

    await asyncio.to_thread(oldest.wait, 10)
    assert {readers.take_kept("ke_one") for _ in range(MAX_KEPT)} == set(taken[1:])
    for reader in taken[1:]:
        readers.end(reader)


async def test_the_reader_kept_last_is_taken_first_so_that_those_not_needed_end() -> None:
    readers = ready_readers()
    first, last = [await readers.take() for _ in range(2)]

    readers.keep(first, "ke_one")
    readers.keep(last, "ke_one")

    assert readers.take_kept("ke_one") is last
    assert readers.take_kept("ke_one") is first
    for reader in (first, last):
        readers.end(reader)


async def test_a_kept_reader_that_nobody_needs_is_ended() -> None:
    readers = ready_readers()
    reader = await readers.take()
    process = psutil.Process(reader.process.pid)

    readers.keep(reader, "ke_one")

    await asyncio.to_thread(process.wait, KEPT_SECONDS + 10)
    assert readers.take_kept("ke_one") is None


async def test_a_reader_that_has_read_much_is_ended() -> None:
    readers = ready_readers()
    reader = await readers.take()
    process = psutil.Process(reader.process.pid)

    for _ in range(MAX_DOCUMENTS - 1):
        readers.keep(reader, "ke_one")
        assert readers.take_kept("ke_one") is reader
    readers.keep(reader, "ke_one")

    assert readers.take_kept("ke_one") is None
    await asyncio.to_thread(process.wait, 10)


async def test_kept_readers_end_when_nobody_needs_them() -> None:
    readers = ReadyReaders()
    reader = await readers.take()
    process = psutil.Process(reader.process.pid)
    readers.keep(reader, "ke_one")

    readers.close()

    await asyncio.to_thread(process.wait, 10)


async def test_the_next_short_text_of_an_owner_is_read_by_the_same_reader(
    owned: ReadLimits,
) -> None:
    lease = FILES / "warehouse-lease.pdf"
    first = await read_all(lease, DocumentFormat.PDF, owned)
    (reader,) = readers()

    second = await read_all(lease, DocumentFormat.PDF, owned)

    assert readers() == [reader]
    assert without_seconds(second) == without_seconds(first)
    assert without_seconds(first) == without_seconds(await read_all(lease, DocumentFormat.PDF))


async def test_nobody_elses_document_is_read_by_that_reader(owned: ReadLimits) -> None:
    lease = FILES / "warehouse-lease.pdf"
    await read_all(lease, DocumentFormat.PDF, owned)
    (reader,) = readers()

    await read_all(lease, DocumentFormat.PDF, replace(owned, owner="ke_other"))

    assert len(readers()) == 2
    assert reader in readers()


async def test_a_reader_that_read_a_document_with_pictures_reads_no_other(
    owned: ReadLimits,
) -> None:
    await read_all(FILES / "delivery-note-scan.pdf", DocumentFormat.PDF, owned)

    await until(lambda: readers() == [])


async def test_a_reader_that_failed_reads_no_other(owned: ReadLimits) -> None:
    with pytest.raises(DocumentUnreadable, match=f"^{GAVE_UP}$"):
        await read_all(FILES / "plain-text.pdf", DocumentFormat.PDF, owned)

    await until(lambda: readers() == [])


@pytest.mark.parametrize("page_count", [1, 3], ids=["amid the text", "behind its last page"])
async def test_a_reader_that_is_told_to_stop_reads_the_next_text(
    owned: ReadLimits, tmp_path: Path, page_count: int
) -> None:
    text = pdf_of_text(tmp_path / "text.pdf", 150)
    lease = FILES / "warehouse-lease.pdf"
    await read_some(lease if page_count == 3 else text, owned, page_count)
    (reader,) = readers()

    found = await read_all(lease, DocumentFormat.PDF, owned)

    assert readers() == [reader]
    assert without_seconds(found) == without_seconds(await read_all(lease, DocumentFormat.PDF))


async def test_a_reader_that_does_not_stop_is_ended(owned: ReadLimits, tmp_path: Path) -> None:
    text = pdf_of_text(tmp_path / "text.pdf", 150)

    await read_some(text, owned, 1, lambda: readers()[0].suspend())

    await until(lambda: readers() == [])


@pytest.mark.parametrize("ended", [signal.SIGKILL, signal.SIGSTOP])
async def test_where_a_kept_reader_dies_or_hangs_a_new_one_goes_on(
    owned: ReadLimits, long_pdf: Path, ended: signal.Signals
) -> None:
    limits = replace(owned, page_seconds=60, kept_page_seconds=0.5)
    await read_all(FILES / "warehouse-lease.pdf", DocumentFormat.PDF, limits)
    (kept,) = readers()

    found = []
    async with (
        asyncio.timeout(30),
        contextlib.aclosing(read_isolated(long_pdf, DocumentFormat.PDF, limits)) as items,
    ):
        async for item in items:
            found.append(item)
            if len(found) == 2:
                kept.send_signal(ended)

    heads, pages = found[:1], found[1:]
    assert isinstance(heads[0], DocumentHead)
    assert [page.number for page in pages if isinstance(page, Page)] == list(range(1, 401))


async def test_a_deadline_holds_for_a_kept_reader_too(owned: ReadLimits, long_pdf: Path) -> None:
    await read_all(FILES / "warehouse-lease.pdf", DocumentFormat.PDF, owned)

    with pytest.raises(DocumentUnreadable, match=r"took longer than 0\.1 s"):
        await read_all(long_pdf, DocumentFormat.PDF, replace(owned, wall_seconds=0.1))

    await until(lambda: readers() == [])


async def test_a_kept_reader_gets_as_much_time_for_each_document(owned: ReadLimits) -> None:
    lease = FILES / "warehouse-lease.pdf"
    await read_all(lease, DocumentFormat.PDF, owned)
    (reader,) = readers()

    await read_all(lease, DocumentFormat.PDF, replace(owned, cpu_seconds=20))

    assert reader.rlimit(psutil.RLIMIT_CPU)[0] in (20, 21)


@pytest.fixture
async def owned() -> AsyncIterator[ReadLimits]:
    """Limits with an owner, whose readers are ended afterwards."""
    await until(lambda: readers() == [])
    yield replace(LIMITS, owner="ke_one")
    while (reader := ready_readers().take_kept("ke_one")) is not None:
        ready_readers().end(reader)
    while (reader := ready_readers().take_kept("ke_other")) is not None:
        ready_readers().end(reader)


@pytest.fixture(scope="module")
def long_pdf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A PDF with more text than fits between reader and caller."""
    return pdf_of_text(tmp_path_factory.mktemp("long") / "long.pdf", page_count=400)


async def read_some(
    path: Path, limits: ReadLimits, page_count: int, then: Callable[[], None] = lambda: None
) -> None:
    """Take so many pages of a document, and no more."""
    async with contextlib.aclosing(read_isolated(path, DocumentFormat.PDF, limits)) as items:
        async for item in items:
            if isinstance(item, Page) and item.number == page_count:
                then()
                return


async def the_one_that_waits(readers: ReadyReaders) -> psutil.Process:
    """Return the process that the next document would be given."""
    await readers.prepare()
    return psutil.Process(readers._waiting[0].result().process.pid)


def pids() -> set[int]:
    """Return the children of this process's own fork server."""
    server = multiprocessing.forkserver._forkserver  # type: ignore[attr-defined]
    return {child.pid for child in psutil.Process(server._forkserver_pid).children()}
