import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from quart import Quart, g
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from app.deleting import Deletion, delete_engine_with_everything, delete_with_everything
from app.models.account import Account
from app.models.data_source import DataSource, insert_data_source
from app.models.stream import delete_streams_of_engine, insert_stream
from app.models.unclaimed_file import delete_unclaimed
from app.reading import read_data_source
from app.services import Services
from config.errors import InvalidId, NotFound, ServiceError
from indexing.embedding import Vectors
from indexing.engine_index import EngineIndexes, Packed, Source
from indexing.lexical_tables import lock_segments
from indexing.types import Passage
from tests.client import Client
from tests.conftest import FILES

Delete = Callable[[Services, str], Awaitable[Deletion]]

HANDBOOK = FILES / "supplier-handbook.docx"


class HeldIndexes(EngineIndexes):
    """Stores chunks or vectors, and holds them back uncommitted until it is let go."""

    def __init__(self, services: Services, held: str) -> None:
        super().__init__(services.database.engine, services.embedder)
        self.held = held
        self.has_stored = asyncio.Event()
        self.go = asyncio.Event()

    async def pack(
        self, source: Source, passages: Sequence[tuple[Passage, Vectors | None]]
    ) -> Packed:
        await self._hold("words")
        return await super().pack(source, passages)

    async def insert(self, connection: AsyncConnection, engine_id: str, packed: Packed) -> None:
        await super().insert(connection, engine_id, packed)
        await self._hold("chunks")

    async def update_vectors(
        self,
        connection: AsyncConnection,
        engine_id: str,
        chunk_ids: Sequence[str],
        vectors: Vectors,
    ) -> None:
        await super().update_vectors(connection, engine_id, chunk_ids, vectors)
        await self._hold("vectors")

    async def _hold(self, what: str) -> None:
        if what == self.held:
            self.has_stored.set()
            await self.go.wait()


async def test_canonical_id_is_returned(app: Quart, client: Client, services: Services) -> None:
    engine_id = await client.create_engine()
    data_source = await client.add(engine_id, HANDBOOK)

    async with app.test_request_context("/"):
        g.account = Account(id=1, name="first")
        deleted = await delete_with_everything(services, f"dsc_{data_source['id'][3:]}")
        deleted_engine = await delete_engine_with_everything(services, f"ke_{engine_id[4:]}")

    assert (deleted, deleted_engine) == (Deletion(data_source["id"]), Deletion(engine_id))
    assert stored_files(services) == []


@pytest.mark.parametrize("held", ["chunks", "vectors"])
async def test_deletion_waits_for_a_reading_that_is_just_being_stored(
    client: Client, services: Services, held: str
) -> None:
    engine_id = await client.create_engine()
    data_source: Any = await (await client.upload(engine_id, HANDBOOK)).get_json()
    path = f"/api/v1/data-sources/{data_source['id']}"

    async with held_storing(services, data_source["id"], held):
        deletion = asyncio.create_task(client.call("DELETE", path))
        await until_blocked(services, deletion)

    assert (await deletion).status_code == 200
    for table in (f"data_{engine_id}", f"lexical_spans_{engine_id}", "data_source_page"):
        assert await count(services, table) == 0


async def test_deletion_does_not_wait_while_words_are_made_ready_to_be_stored(
    client: Client, services: Services
) -> None:
    engine_id = await client.create_engine()
    data_source: Any = await (await client.upload(engine_id, HANDBOOK)).get_json()

    async with held_storing(services, data_source["id"], "words"):
        deleted = await client.call("DELETE", f"/api/v1/data-sources/{data_source['id']}")

    assert deleted.status_code == 200
    assert await count(services, f"data_{engine_id}") == 0


@pytest.mark.parametrize("held", ["chunks", "vectors"])
async def test_deletion_of_an_engine_waits_for_a_reading_that_is_just_being_stored(
    client: Client, services: Services, held: str
) -> None:
    engine_id = await client.create_engine()
    data_source: Any = await (await client.upload(engine_id, HANDBOOK)).get_json()
    path = f"/api/v1/knowledge-engines/{engine_id}"

    async with held_storing(services, data_source["id"], held):
        deletion = asyncio.create_task(client.call("DELETE", path))
        await until_blocked(services, deletion)

    assert (await deletion).status_code == 200
    assert await count(services, "data_source_page") == 0
    assert await count(services, f"pg_tables WHERE tablename LIKE '%{engine_id}'") == 0


@pytest.mark.parametrize(
    ("table", "path"),
    [
        ("data_source", "data-sources/{data_source}"),
        ("knowledge_engine", "knowledge-engines/{engine}"),
    ],
)
async def test_what_is_just_being_deleted_is_not_deleted_again(
    client: Client, services: Services, table: str, path: str
) -> None:
    engine_id = await client.create_engine()
    data_source = await client.add(engine_id, HANDBOOK)
    path = f"/api/v1/{path.format(engine=engine_id, data_source=data_source['id'])}?receipt=true"

    deletion = await while_deleted(services, table, client.call("DELETE", path))

    assert deletion.result().status_code == 404
    assert await count(services, "audit_entry WHERE action LIKE '%.deleted'") == 0
    assert await count(services, "deletion_receipt") == 0


async def test_deletion_that_waits_for_another_keeps_nothing_from_it(
    client: Client, services: Services
) -> None:
    engine_id = await client.create_engine()
    data_source = await client.add(engine_id, HANDBOOK)
    path = f"/api/v1/data-sources/{data_source['id']}"
    async with services.database.transaction() as session:
        await insert_stream(session, "strm_1", 1, engine_id)

    async with services.database.transaction() as other:
        await lock_segments(await other.connection(), engine_id)
        deletion = asyncio.create_task(client.call("DELETE", path))
        await until_blocked(services, deletion)
        await delete_streams_of_engine(other, engine_id)

    assert (await deletion).status_code == 200


async def test_data_source_whose_engine_is_just_being_deleted_is_not_found(
    client: Client, services: Services
) -> None:
    engine_id = await client.create_engine()
    data_source = await client.add(engine_id, HANDBOOK)
    path = f"/api/v1/data-sources/{data_source['id']}"

    async with services.database.transaction() as session:
        connection = await session.connection()
        await connection.execute(text("DELETE FROM knowledge_engine"))
        await services.indexes.drop(connection, engine_id)
        deletion = asyncio.create_task(client.call("DELETE", path))
        await until_blocked(services, deletion)

    assert (await deletion).status_code == 404
    assert await count(services, "audit_entry WHERE action = 'data_source.deleted'") == 0


async def test_deletion_of_an_engine_takes_along_the_file_of_an_upload_that_is_being_stored(
    client: Client, services: Services
) -> None:
    engine_id = await client.create_engine()
    key = f"{engine_id}/ds_late"
    await services.files.save(key, HANDBOOK)
    path = f"/api/v1/knowledge-engines/{engine_id}"

    async with services.database.transaction() as session:
        await insert_data_source(session, late_upload(engine_id, key))
        await delete_unclaimed(session, [key])
        deletion = asyncio.create_task(client.call("DELETE", path))
        await until_blocked(services, deletion)

    assert (await deletion).status_code == 200
    assert stored_files(services) == []
    assert await count(services, "data_source") == 0


@pytest.mark.parametrize(
    ("delete", "given_id", "error"),
    [
        pytest.param(delete_with_everything, "ds_0123456789", NotFound, id="data source"),
        pytest.param(delete_with_everything, "nonsense", InvalidId, id="bad data source"),
        pytest.param(delete_engine_with_everything, "ke_0123456789", NotFound, id="engine"),
        pytest.param(delete_engine_with_everything, "nonsense", InvalidId, id="bad engine"),
    ],
)
async def test_what_is_not_there_cannot_be_deleted(
    app: Quart, services: Services, delete: Delete, given_id: str, error: type[ServiceError]
) -> None:
    async with app.test_request_context("/"):
        g.account = Account(id=1, name="first")

        with pytest.raises(error):
            await delete(services, given_id)


@asynccontextmanager
async def held_storing(services: Services, data_source_id: str, what: str) -> AsyncIterator[None]:
    """Read a data source, and hold it with its chunks, or vectors, stored but not committed."""
    services.indexes = held = HeldIndexes(services, what)
    reading = asyncio.create_task(read_data_source(services, data_source_id))
    await asyncio.wait_for(held.has_stored.wait(), timeout=30)
    yield
    held.go.set()
    await reading


async def until_blocked(services: Services, task: "asyncio.Task[Any]") -> None:
    """Wait until somebody waits for a lock of the database's, as the task has to."""
    waits = "pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    while not task.done() and await count(services, waits) == 0:
        pass


async def while_deleted(
    services: Services, table: str, call: Coroutine[Any, Any, Any]
) -> "asyncio.Task[Any]":
    """Make a call while another transaction deletes all rows of a table; return it when done."""
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(f"DELETE FROM {table}"))
        task = asyncio.create_task(call)
        await until_blocked(services, task)
    await asyncio.wait([task])
    return task


def late_upload(engine_id: str, key: str) -> DataSource:
    return DataSource(
        id="ds_late",
        account_id=1,
        knowledge_engine_id=engine_id,
        name="Handbook",
        file_name=HANDBOOK.name,
        file_format="docx",
        size_bytes=1,
        sha256="",
        blob_key=key,
    )


def stored_files(services: Services) -> list[Path]:
    return [path for path in services.settings.data_dir.rglob("*") if path.is_file()]


async def count(services: Services, table: str) -> int:
    async with services.database.engine.connect() as connection:
        found = await connection.execute(text(f"SELECT count(*) FROM {table}"))
        return int(found.scalar_one())
