import asyncio
import multiprocessing.forkserver

import psutil
import pytest

from indexing.partition.processes.ready_readers import (
    KEPT_SECONDS,
    MAX_DOCUMENTS,
    MAX_KEPT,
    ReadyReaders,
    ready_readers,
)


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


async def the_one_that_waits(readers: ReadyReaders) -> psutil.Process:
    """Return the process that the next document would be given."""
    await readers.prepare()
    return psutil.Process(readers._waiting[0].result().process.pid)


def pids() -> set[int]:
    """Return the children of this process's own fork server."""
    server = multiprocessing.forkserver._forkserver  # type: ignore[attr-defined]
    return {child.pid for child in psutil.Process(server._forkserver_pid).children()}
