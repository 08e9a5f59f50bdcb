"""`client.engines`: knowledge engines, the named collections of documents."""

from collections.abc import AsyncIterator, Iterator
from typing import Any, TypedDict, Unpack

from knowledge_engine.calls import Call, ListPage, listing, path, reading
from knowledge_engine.deletion_receipts import receipt_wanted
from knowledge_engine.models import DataSource, Deleted, KnowledgeEngine
from knowledge_engine.transport import AsyncTransport, Transport

_ENGINES = "knowledge-engines"


class EngineFields(TypedDict, total=False):
    """What can be said of an engine beside its name."""

    description: str
    notes: dict[str, Any]


class EngineChanges(EngineFields, total=False):
    """What can be changed of an engine; `notes` are replaced whole."""

    name: str


class Engines:
    """The knowledge engines of an account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, name: str, **fields: Unpack[EngineFields]) -> KnowledgeEngine:
        """Create an engine; its name has at most 50 characters."""
        return self._transport.send(_create(name, fields))

    def get(self, engine_id: str) -> KnowledgeEngine:
        """Return an engine."""
        return self._transport.send(_get(engine_id))

    def update(self, engine_id: str, **changes: Unpack[EngineChanges]) -> KnowledgeEngine:
        """Change an engine; what is left out stays as it is."""
        return self._transport.send(_update(engine_id, changes))

    def delete(self, engine_id: str, *, receipt: bool = False) -> Deleted:
        """Delete an engine with its data sources and workflows, if wanted with a receipt."""
        return self._transport.send(_delete(engine_id, receipt))

    def list(self, *, page_size: int = 100) -> Iterator[KnowledgeEngine]:
        """Yield the engines, oldest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size))

    def data_sources(self, engine_id: str, *, page_size: int = 100) -> Iterator[DataSource]:
        """Yield the data sources of an engine, oldest first."""
        return self._transport.items(_data_sources(engine_id, page_size))


class AsyncEngines:
    """The knowledge engines of an account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(self, name: str, **fields: Unpack[EngineFields]) -> KnowledgeEngine:
        """Create an engine; its name has at most 50 characters."""
        return await self._transport.send(_create(name, fields))

    async def get(self, engine_id: str) -> KnowledgeEngine:
        """Return an engine."""
        return await self._transport.send(_get(engine_id))

    async def update(self, engine_id: str, **changes: Unpack[EngineChanges]) -> KnowledgeEngine:
        """Change an engine; what is left out stays as it is."""
        return await self._transport.send(_update(engine_id, changes))

    async def delete(self, engine_id: str, *, receipt: bool = False) -> Deleted:
        """Delete an engine with its data sources and workflows, if wanted with a receipt."""
        return await self._transport.send(_delete(engine_id, receipt))

    def list(self, *, page_size: int = 100) -> AsyncIterator[KnowledgeEngine]:
        """Yield the engines, oldest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size))

    def data_sources(self, engine_id: str, *, page_size: int = 100) -> AsyncIterator[DataSource]:
        """Yield the data sources of an engine, oldest first."""
        return self._transport.items(_data_sources(engine_id, page_size))


def _create(name: str, fields: EngineFields) -> Call[KnowledgeEngine]:
    body = {"name": name, **fields}
    return Call("POST", path(_ENGINES), reading(KnowledgeEngine), is_repeatable=False, json=body)


def _get(engine_id: str) -> Call[KnowledgeEngine]:
    return Call("GET", path(_ENGINES, engine_id), reading(KnowledgeEngine))


def _update(engine_id: str, changes: EngineChanges) -> Call[KnowledgeEngine]:
    return Call("PUT", path(_ENGINES, engine_id), reading(KnowledgeEngine), json={**changes})


def _delete(engine_id: str, receipt: bool) -> Call[Deleted]:
    params = receipt_wanted(receipt)
    return Call("DELETE", path(_ENGINES, engine_id), reading(Deleted), params=params)


def _list(page_size: int) -> Call[ListPage[KnowledgeEngine]]:
    return listing(KnowledgeEngine, path(_ENGINES), page_size)


def _data_sources(engine_id: str, page_size: int) -> Call[ListPage[DataSource]]:
    return listing(DataSource, path(_ENGINES, engine_id, "data-sources"), page_size)
