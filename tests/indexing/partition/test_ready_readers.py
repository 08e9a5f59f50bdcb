import asyncio
import multiprocessing.forkserver

import psutil
import pytest

from indexing.partition.ready_readers import ReadyReaders, ready_readers


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


async def the_one_that_waits(readers: ReadyReaders) -> psutil.Process:
    """Return the process that the next document would be given."""
    await readers.prepare()
    return psutil.Process(readers._waiting[0].result().process.pid)


def pids() -> set[int]:
    """Return the children of this process's own fork server."""
    server = multiprocessing.forkserver._forkserver  # type: ignore[attr-defined]
    return {child.pid for child in psutil.Process(server._forkserver_pid).children()}
