"""Copies of a whole database, by PostgreSQL's own pg_dump, pg_restore and psql."""

import asyncio
import os
import tempfile
from asyncio import StreamReader, StreamWriter
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import IO

from sqlalchemy.engine import make_url

from app.postgres_programs import find_programs
from config.errors import BackupFailed

_PIECE_BYTES = 1 << 20

# Who makes the database owns all in it; what others may do is set when the service migrates it. A
# comment on an extension takes more rights than that.
_RESTORE = ("--exit-on-error", "--no-owner", "--no-privileges", "--no-comments")

# Restored at once, the tables of thousands of engines would want more locks than a server has.
_AT_ONCE = "--transaction-size=200"

# pg_restore sets it always, and servers before 17 do not know it.
_UNKNOWN_SETTING = b"\nSET transaction_timeout = 0;\n"


async def dump(database_url: str, snapshot: str) -> AsyncGenerator[bytes, None]:
    """Yield a dump of the database as the exported snapshot shows it.

    The snapshot, and the tables in it, must live until the first piece is there.

    Raises:
        BackupFailed: pg_dump did not do it.
    """
    options = ("--format=custom", "--compress=gzip:1", f"--snapshot={snapshot}")
    async with _running("pg_dump", *options, database_url=database_url) as program:
        while piece := await program.output.read(_PIECE_BYTES):
            yield piece
        await program.end()


async def load_in_parts(database_url: str, pieces: Iterable[bytes]) -> None:
    """Restore a dump into an empty database of the same version of PostgreSQL.

    Raises:
        BackupFailed: pg_restore did not do it; the database may be half filled then.
    """
    options = (*_RESTORE, _AT_ONCE)
    async with _running("pg_restore", *options, database_url=database_url) as program:
        await _feed(program.input, pieces)
        await program.end()


async def load_as_one(database_url: str, pieces: Iterable[bytes]) -> None:
    """Restore a dump into an empty database, in one transaction.

    Raises:
        BackupFailed: pg_restore or psql did not do it; the database is as it was before.
    """
    options = ("--no-psqlrc", "--set=ON_ERROR_STOP=1", "--single-transaction", "--output=/dev/null")
    async with (
        _running("pg_restore", *_RESTORE, "--file=-") as source,
        _running("psql", *options, database_url=database_url) as target,
    ):
        feeding = asyncio.create_task(_feed(source.input, pieces))
        try:
            with suppress(ConnectionError):  # Where psql ends early, its message says why.
                await _pass_on(source.output, target.input)
                await feeding
                await source.end()
                # Only now: the end of its input is what lets psql commit.
                target.input.close()
            await target.end()
        finally:
            feeding.cancel()


@dataclass(frozen=True, slots=True)
class _Program:
    """A program of PostgreSQL at work."""

    process: Process
    errors: IO[bytes]

    @property
    def input(self) -> StreamWriter:
        assert self.process.stdin is not None
        return self.process.stdin

    @property
    def output(self) -> StreamReader:
        assert self.process.stdout is not None
        return self.process.stdout

    async def end(self) -> None:
        """Wait until it has ended; raise what it has said first, for the rest follows from it."""
        if await self.process.wait() != 0:
            self.errors.seek(0)
            lines = self.errors.read().decode(errors="replace").strip().splitlines()
            raise BackupFailed(f"The database: {lines[0] if lines else 'it ended unexpectedly'}")


@asynccontextmanager
async def _running(
    name: str, *options: str, database_url: str | None = None
) -> AsyncIterator[_Program]:
    """Run a program; it is killed where it has not ended by itself."""
    environment = dict(os.environ)
    if database_url is not None:
        url = make_url(database_url).set(drivername="postgresql")
        # A command line can be read by every user of the machine, so the password is not on it.
        address = url.set(password=None).render_as_string(hide_password=False)
        options = (f"--dbname={address}", *options)
        if url.password:
            environment["PGPASSWORD"] = str(url.password)
    with tempfile.TemporaryFile() as errors:
        process = await asyncio.create_subprocess_exec(
            find_programs() / name,
            *options,
            stdin=PIPE,
            stdout=PIPE,
            stderr=errors,
            env=environment,
            limit=_PIECE_BYTES,
        )
        try:
            yield _Program(process, errors)
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()


async def _feed(program: StreamWriter, pieces: Iterable[bytes]) -> None:
    try:
        with suppress(ConnectionError):  # Where it ends early, its message says why.
            for piece in pieces:
                program.write(piece)
                await program.drain()
    finally:
        program.close()


async def _pass_on(source: StreamReader, target: StreamWriter) -> None:
    """Hand a script on as it comes, but for the setting in its head."""
    head = await source.read(_PIECE_BYTES)
    target.write(head.replace(_UNKNOWN_SETTING, b"\n", 1))
    while piece := await source.read(_PIECE_BYTES):
        target.write(piece)
        await target.drain()
