"""What `ke restore` brings back, and what it refuses; the whole round is in test_backup.py."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from quart import Quart
from rich.progress import Progress

from app.application import create_app
from app.backup import back_up
from app.backup_file import DATABASE, MANIFEST
from app.database import Database
from app.file_store import FileStore
from app.jobs import JobQueue
from app.models.whole_database import has_tables
from app.restoring import restore
from app.services import Services
from app.upkeep import take_up
from config.errors import BackupFailed
from config.settings import Settings, VectorStoreName
from indexing.engine_index import EngineIndexes
from tests.app.test_backup_file import manifest_of, rewrite
from tests.client import Client
from tests.conftest import FILES
from tests.fakes import HashEmbedder
from tests.indexing.engines_in_stores import use_milvus
from tests.milvus_server import MilvusServer
from tests.s3_server import S3Server, s3_server

QUIET = Progress(disable=True)
QUERY = "When does the lease end?"


@pytest.fixture
def target(empty_database: Callable[[], str], tmp_path: Path) -> Settings:
    """An empty database, and a data directory that is not there yet."""
    return Settings(data_dir=tmp_path / "other", database_url=empty_database())


@pytest.fixture
async def backup(client: Client, engine: str, tmp_path: Path) -> Path:
    """A backup of an engine with a document."""
    return await backed_up(client, tmp_path)


async def test_restored_service_finds_the_same_with_the_same_key(
    client: Client, engine: str, backup: Path, target: Settings
) -> None:
    before = await found(client, engine)

    await restored(target, backup)

    async with serving(client, target) as other:
        assert await found(other, engine) == before != []


async def test_restored_service_takes_documents_and_deletions(
    client: Client, engine: str, backup: Path, target: Settings
) -> None:
    await restored(target, backup)

    async with serving(client, target) as other:
        added = await other.add(engine, FILES / "delivery.eml")
        deleted = await other.call("DELETE", f"/api/v1/data-sources/{added['id']}")
        assert (added["outcome"], deleted.status_code) == ("ok", 200)


async def test_bucket_gets_the_files_and_what_its_links_say_of_them(
    client: Client, engine: str, backup: Path, target: Settings
) -> None:
    with s3_server() as server:
        await restored(target.model_copy(update={"blob_url": server.url}), backup)

        (file,) = manifest_of(backup)["files"]
        assert server.keys() == [f"some/prefix/{file['key']}"]
        assert "warehouse-lease.pdf" in file["headers"]["Content-Disposition"]
        assert await stored(FileStore(server.url), file["key"]) == lease()


async def test_file_of_a_bucket_is_backed_up(
    client: Client, engine: str, tmp_path: Path, target: Settings
) -> None:
    with s3_server() as server:
        await fill_bucket(client, server)
        in_bucket = client.services.settings.model_copy(update={"blob_url": server.url})
        url = client.services.database.url
        await back_up(in_bucket, url, tmp_path / "backup.zip", QUIET)

    await restored(target, tmp_path / "backup.zip")

    (file,) = manifest_of(tmp_path / "backup.zip")["files"]
    assert await stored(FileStore(f"file://{target.data_dir}/files"), file["key"]) == lease()


async def test_document_in_work_is_taken_up_again(
    client: Client, tmp_path: Path, target: Settings
) -> None:
    engine = await client.create_engine()
    await client.upload(engine, FILES / "warehouse-lease.pdf")
    await begin_job_and_die(client.services.database)
    await restored(target, await backed_up(client, tmp_path))

    async with serving(client, target) as other:
        async with other.services.queue.opened():
            await take_up(other.services)

        assert await job_states(other.services.database) == ["todo"]


async def test_engine_that_lived_in_milvus_is_embedded_again_in_postgresql(
    client: Client, milvus: MilvusServer, tmp_path: Path, target: Settings
) -> None:
    use_milvus(client.services, milvus)
    client.services.settings.vector_store = VectorStoreName.MILVUS
    engine = await client.create_engine()
    await client.add(engine, FILES / "warehouse-lease.pdf")
    before = await found(client, engine)

    await restored(target, await backed_up(client, tmp_path))

    async with serving(client, target) as other:
        (lease,) = await other.get(f"/knowledge-engines/{engine}/data-sources")
        await other.read_all(engine)
        assert lease["status"] == "processing"
        assert await found(other, engine) == before != []
        assert not other.services.indexes.milvus.is_set


async def test_document_that_was_deleted_meanwhile_is_left_out(
    client: Client, engine: str, tmp_path: Path, target: Settings
) -> None:
    gone = await client.add(engine, FILES / "delivery.eml")
    await client.services.files.delete([f"{engine}/{gone['id']}"])

    await restored(target, await backed_up(client, tmp_path))

    async with serving(client, target) as other:
        assert await other.error("GET", f"/data-sources/{gone['id']}") == (
            404,
            "data source not found",
        )
        assert gone["id"] not in {one["data_source_id"] for one in await found(other, engine)}


async def test_database_that_is_not_empty_is_refused(
    client: Client, backup: Path, target: Settings
) -> None:
    url = client.services.database.url

    with pytest.raises(BackupFailed, match="The database is not empty"):
        await restored(target.model_copy(update={"database_url": url}), backup)

    assert not (target.data_dir / "files").exists()


async def test_store_with_other_files_is_refused_and_left_alone(
    backup: Path, target: Settings
) -> None:
    store = FileStore(f"file://{target.data_dir}/files")
    await store.save("kng_other/ds_other", FILES / "delivery.eml")

    with pytest.raises(BackupFailed, match="kng_other/ds_other is not of this backup"):
        await restored(target, backup)

    assert [key async for key in store.list_keys()] == ["kng_other/ds_other"]
    assert not await is_filled(target)


async def test_restore_that_died_among_the_files_is_repeated(
    client: Client, engine: str, backup: Path, target: Settings
) -> None:
    store = FileStore(f"file://{target.data_dir}/files")
    await store.save(manifest_of(backup)["files"][0]["key"], FILES / "delivery.eml")

    await restored(target, backup)

    assert await stored(store, manifest_of(backup)["files"][0]["key"]) == lease()


async def test_backup_of_a_newer_version_is_refused(backup: Path, target: Settings) -> None:
    manifest = manifest_of(backup) | {"schema_revision": "9999"}
    rewrite(backup, {MANIFEST: json.dumps(manifest).encode()})

    with pytest.raises(BackupFailed, match="newer than this one"):
        await restored(target, backup)

    assert not target.data_dir.exists()


async def test_damaged_backup_is_refused_before_anything_is_made(
    backup: Path, target: Settings
) -> None:
    rewrite(backup, {DATABASE: b"nonsense"})

    with pytest.raises(BackupFailed, match="damaged"):
        await restored(target, backup)

    assert not target.data_dir.exists()
    assert not await is_filled(target)


async def backed_up(client: Client, folder: Path) -> Path:
    path = folder / "backup.zip"
    await back_up(client.services.settings, client.services.database.url, path, QUIET)
    return path


async def restored(target: Settings, backup: Path) -> None:
    await asyncio.to_thread(restore, target, backup, QUIET)


@asynccontextmanager
async def serving(client: Client, target: Settings) -> AsyncIterator[Client]:
    """Serve what was restored; the client has the key that it had before."""
    database = Database(target.database_url, pool_size=5)
    services: Services = replace(
        client.services,
        settings=target,
        database=database,
        files=FileStore(f"file://{target.data_dir}/files"),
        queue=JobQueue(target.database_url),
        indexes=EngineIndexes(database.engine, HashEmbedder()),
    )
    other: Quart = create_app(services)
    try:
        yield Client(other, services, client.key)
    finally:
        await services.close()


async def found(client: Client, engine: str) -> list[dict[str, object]]:
    path = f"/knowledge-engines/{engine}/retrieve"
    chunks: list[dict[str, object]] = (await client.post(path, query=QUERY))["chunks"]
    return chunks


async def fill_bucket(client: Client, server: S3Server) -> None:
    store = FileStore(server.url)
    async for key in client.services.files.list_keys():
        path = client.services.settings.data_dir / "files" / key
        await store.save(key, path)


async def stored(store: FileStore, key: str) -> bytes | None:
    return await store.find(key)


def lease() -> bytes:
    return (FILES / "warehouse-lease.pdf").read_bytes()


async def is_filled(target: Settings) -> bool:
    database = Database(target.database_url, pool_size=1)
    async with database.reading() as session:
        filled = await has_tables(session)
    await database.close()
    return filled


async def begin_job_and_die(database: Database) -> None:
    """Leave a job as a worker does that was killed a minute ago."""
    async with database.engine.begin() as connection:
        await connection.exec_driver_sql(
            "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 min')"
        )
        await connection.exec_driver_sql(
            "UPDATE procrastinate_jobs SET status = 'doing',"
            " worker_id = (SELECT max(id) FROM procrastinate_workers)"
        )


async def job_states(database: Database) -> list[str]:
    async with database.engine.begin() as connection:
        rows = await connection.exec_driver_sql("SELECT status::text FROM procrastinate_jobs")
        return list(rows.scalars())
