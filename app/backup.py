"""`ke backup`: one file with the database and the stored files as they were at one moment.

The moment is a snapshot of the database: pg_dump writes what it shows, and then every file is
copied that its rows name. A file is always stored before its row, so at that moment all of them are
there. One that is gone when its turn comes was deleted meanwhile, with its data source; the
manifest says so, and restoring finishes that deletion.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rich.progress import Progress, TaskID

from app.backup_file import DATABASE, BackupWriter, FileContent, Manifest, member_of, new_backup
from app.data_dir_lock import DataDirInUse
from app.database import Database, sqlalchemy_url
from app.database_copies import dump
from app.embedded_postgres import EmbeddedPostgres
from app.file_store import FileStore
from app.key_commands import running_database
from app.links import file_headers
from app.models.data_source import DataSource
from app.models.whole_database import (
    count_rows,
    export_snapshot,
    lock_engines,
    select_revision,
    select_stored_files,
)
from app.services import open_file_store
from config.errors import BackupFailed
from config.settings import Settings


@dataclass(frozen=True, slots=True)
class _Moment:
    """What the snapshot shows, besides what pg_dump writes of it."""

    created_at: datetime
    schema_revision: str
    counts: dict[str, int]
    data_sources: list[DataSource]


@contextmanager
def database_as_it_is(settings: Settings) -> Iterator[str]:
    """Yield the running service's database, or start the embedded one for this moment.

    It is not brought up to date: a backup before an upgrade is to show what was before.

    Raises:
        BackupFailed: there is no database.
    """
    if settings.database_url:
        yield sqlalchemy_url(settings.database_url)
        return
    if not (settings.data_dir / "postgres").exists():
        raise BackupFailed(f"There is no database in {settings.data_dir}.")
    try:
        server = EmbeddedPostgres.start(settings.data_dir)
    except DataDirInUse:
        yield running_database(settings)
        return
    with server:
        yield server.sqlalchemy_url


async def back_up(
    settings: Settings, database_url: str, path: Path, progress: Progress
) -> Manifest:
    """Write a backup of the database and the files of these settings; return what it holds.

    Raises:
        BackupFailed: the name is taken, or pg_dump failed.
        FileStoreAway: the storage cannot be reached.
    """
    database, files = Database(database_url, pool_size=1), open_file_store(settings)
    try:
        with new_backup(path) as writer:
            return await _write(writer, database, files, progress)
    finally:
        await database.close()


async def _write(
    writer: BackupWriter, database: Database, files: FileStore, progress: Progress
) -> Manifest:
    step = progress.add_task("Database", total=None)
    async with _dumped(database) as (moment, pieces):
        content = await writer.add(DATABASE, _shown(pieces, progress, step))
    total = sum(one.size_bytes for one in moment.data_sources)
    step = progress.add_task("Files", total=total)
    copied, missing = [], []
    for data_source in moment.data_sources:
        try:
            pieces = await files.read(data_source.blob_key, 0, data_source.size_bytes)
        except FileNotFoundError:
            missing.append(data_source.id)
            continue
        key, headers = data_source.blob_key, file_headers(data_source)
        copy = await writer.add(member_of(key), _shown(pieces, progress, step))
        copied.append(FileContent(**copy.model_dump(), key=key, headers=headers))
    manifest = Manifest(
        created_at=moment.created_at,
        schema_revision=moment.schema_revision,
        counts=moment.counts,
        database=content,
        files=copied,
        missing=missing,
    )
    writer.finish(manifest)
    return manifest


@asynccontextmanager
async def _dumped(database: Database) -> AsyncIterator[tuple[_Moment, AsyncIterator[bytes]]]:
    """Yield a moment of the database, and the dump that shows the same."""
    async with AsyncExitStack() as stack:
        async with database.transaction() as session:
            await session.connection(execution_options={"isolation_level": "REPEATABLE READ"})
            await lock_engines(session)
            pieces = dump(database.url, await export_snapshot(session))
            await stack.enter_async_context(aclosing(pieces))
            moment = _Moment(
                created_at=datetime.now(UTC),
                schema_revision=await select_revision(session),
                counts=await count_rows(session),
                data_sources=await select_stored_files(session),
            )
            first = await anext(pieces)
        # By now pg_dump has the snapshot, and locks of its own on the tables of all engines.
        yield moment, _with_first(first, pieces)


async def _with_first(first: bytes, others: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    yield first
    async for piece in others:
        yield piece


async def _shown(
    pieces: AsyncIterator[bytes], progress: Progress, step: TaskID
) -> AsyncIterator[bytes]:
    async for piece in pieces:
        yield piece
        progress.advance(step, len(piece))
