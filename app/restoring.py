"""`ke restore`: bring the service of a backup to life in an empty place.

Whatever it dies of, nothing half is taken for a service, and the same command may be given again.
Files come first: without a database nobody claims them, and a later run finds that they are those
of the backup. An embedded database is made in a folder aside, and gets its place, by one renaming,
when all is done. In a database of one's own everything is made in one transaction.
"""

import asyncio
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil
from rich.progress import Progress

from app.backup_file import DATABASE, BackupReader, FileContent, Manifest, open_backup
from app.data_dir_lock import acquire
from app.database import Database, migrate, sqlalchemy_url
from app.database_copies import load_as_one, load_in_parts
from app.deleting import RUN_LOST_ITS_SOURCE
from app.embedded_postgres import EmbeddedPostgres
from app.file_store import FileStore
from app.models.data_source import DataSource, delete_data_source, update_to_embed_again
from app.models.knowledge_engine import select_engines_in_milvus, update_all_to_postgres
from app.models.stream import delete_streams_of_engine
from app.models.tool_run import forget_data_source
from app.models.unclaimed_vectors import delete_all_unclaimed_vectors
from app.models.whole_database import has_tables, update_statistics
from app.postgres_programs import find_postmaster, stop_server
from app.schema_revisions import schema_revisions
from app.services import open_file_store, open_services
from app.work_folder import work_folder
from config.errors import BackupFailed
from config.settings import Settings
from indexing.lexical_upgrade import upgrade_tables


def restore(settings: Settings, path: Path, progress: Progress) -> Manifest:
    """Restore a backup to the empty place that these settings name; return what was restored.

    Raises:
        BackupFailed: it is damaged or too new, or the place is not empty.
        DataDirInUse: a service runs there.
        FileStoreAway, OperationalError: the storage or the database cannot be reached.
    """
    with open_backup(path) as backup:
        _refuse_newer(backup)
        _check(backup, progress)
        settings.data_dir.mkdir(mode=0o711, parents=True, exist_ok=True)
        with acquire(settings.data_dir):
            if settings.database_url:
                url = sqlalchemy_url(settings.database_url)
                asyncio.run(_refuse_filled(url))
                _restore_to(settings, url, backup, progress)
            else:
                with _cluster_in_the_making(settings.data_dir) as url:
                    _restore_to(settings, url, backup, progress)
        return backup.manifest


def _refuse_newer(backup: BackupReader) -> None:
    if backup.manifest.schema_revision not in schema_revisions():
        raise BackupFailed(
            f"The backup was made by version {backup.manifest.service_version} of the service, "
            "which is newer than this one. Restore it with that version."
        )


def _check(backup: BackupReader, progress: Progress) -> None:
    step = progress.add_task("Checking", total=backup.manifest.total_bytes)
    for size in backup.check():
        progress.advance(step, size)


async def _refuse_filled(database_url: str) -> None:
    database = Database(database_url, pool_size=1)
    try:
        async with database.reading() as session:
            if await has_tables(session):
                raise BackupFailed(
                    "The database is not empty. If an earlier restore has filled it, drop it, "
                    "make it anew, and restore again."
                )
    finally:
        await database.close()


@contextmanager
def _cluster_in_the_making(data_dir: Path) -> Iterator[str]:
    """Yield the database of a server aside, which becomes the data directory's when all is well."""
    data_dir = data_dir.resolve()
    place, aside = data_dir / "postgres", data_dir / "restoring"
    if place.exists():
        raise BackupFailed(f"{data_dir} has a database already; restore to another directory.")
    _clear(aside)
    try:
        with EmbeddedPostgres.start(aside) as server:
            yield server.sqlalchemy_url
        (aside / "postgres").rename(place)
    finally:
        _clear(aside)


def _clear(aside: Path) -> None:
    """Remove what a restore has made aside, which may have died and left its server running."""
    if postmaster := find_postmaster(aside / "postgres"):
        stop_server(psutil.Process(postmaster.pid))
    if aside.exists():
        shutil.rmtree(aside)


def _restore_to(
    settings: Settings, database_url: str, backup: BackupReader, progress: Progress
) -> None:
    asyncio.run(_restore_files(settings, backup, progress))
    step = progress.add_task("Database", total=backup.manifest.database.size_bytes)

    def pieces() -> Iterator[bytes]:
        for piece in backup.pieces(DATABASE, backup.manifest.database):
            yield piece
            progress.advance(step, len(piece))

    load = load_as_one if settings.database_url else load_in_parts
    asyncio.run(load(database_url, pieces()))
    migrate(database_url)
    asyncio.run(_finish(settings, database_url, backup.manifest.missing))


async def _restore_files(settings: Settings, backup: BackupReader, progress: Progress) -> None:
    files, wanted = open_file_store(settings), backup.manifest.files
    await _refuse_foreign(files, wanted)
    settings.work_dir.mkdir(mode=0o700, exist_ok=True)
    step = progress.add_task("Files", total=sum(one.size_bytes for one in wanted))
    with work_folder(settings.work_dir, "restore-") as folder:
        copy = folder / "file"
        for one in wanted:
            with copy.open("wb") as output:
                for piece in backup.pieces(one.member, one):
                    output.write(piece)
            await files.save(one.key, copy, one.headers)
            progress.advance(step, one.size_bytes)


async def _refuse_foreign(files: FileStore, wanted: Sequence[FileContent]) -> None:
    """Make sure that the store holds nothing but what an earlier run has brought there."""
    ours = {one.key for one in wanted}
    async for key in files.list_keys():
        if key not in ours:
            raise BackupFailed(
                f"The file store is not empty: {key} is not of this backup. Restore to another."
            )


async def _finish(settings: Settings, database_url: str, missing: Sequence[str]) -> None:
    """Do what the next start would have to wait for, and finish the deletions that had begun."""
    database = Database(database_url, pool_size=1)
    try:
        await upgrade_tables(database.engine)
        await _leave_milvus(database)
        if missing:
            await _delete(settings, database_url, missing)
        async with database.transaction() as session:
            await update_statistics(session)
    finally:
        await database.close()


async def _leave_milvus(database: Database) -> None:
    """Let all engines live in PostgreSQL: no backup holds what was in Milvus.

    The workers embed the chunks that have no vector here. What the Milvus of the original holds, or
    is to delete, is no concern of this one.
    """
    async with database.transaction() as session:
        await update_to_embed_again(session, await select_engines_in_milvus(session))
        await update_all_to_postgres(session)
        await delete_all_unclaimed_vectors(session)


async def _delete(settings: Settings, database_url: str, data_source_ids: Sequence[str]) -> None:
    services = await asyncio.to_thread(open_services, settings, database_url)
    try:
        for data_source_id in data_source_ids:
            async with services.database.transaction() as session:
                data_source = await session.get_one(DataSource, data_source_id)
                engine_id = data_source.knowledge_engine_id
                await delete_data_source(session, data_source)
                await delete_streams_of_engine(session, engine_id)
                await forget_data_source(session, engine_id, data_source_id, RUN_LOST_ITS_SOURCE)
                connection = await session.connection()
                await services.indexes.delete(connection, engine_id, data_source_id)
    finally:
        await services.close()
