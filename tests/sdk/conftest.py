"""A real service, and both clients of the SDK behind one face."""

import asyncio
import inspect
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from knowledge_engine import AsyncClient, Client
from tests.conftest import FILES
from tests.ke_process import Service

LEASE = FILES / "warehouse-lease.pdf"


@pytest.fixture(params=["sync", "async"])
def client(request: pytest.FixtureRequest, service: Service) -> Iterator[Any]:
    """A client, then the other one; the asynchronous one is waited for."""
    address = str(service.client.base_url)
    if request.param == "sync":
        with Client(service.key, address) as client:
            yield client
        return
    with asyncio.Runner() as runner:
        asynchronous = AsyncClient(service.key, address)
        yield Awaited(asynchronous, runner)
        runner.run(asynchronous.aclose())


@pytest.fixture
def engine_id(client: Any) -> str:
    """A new engine, empty."""
    engine_id: str = client.engines.create("Leases").id
    return engine_id


@pytest.fixture
def lease_id(client: Any, engine_id: str) -> str:
    """The id of the lease, which has been read into the engine."""
    lease_id: str = client.data_sources.upload(LEASE, engine_id).id
    return lease_id


class Awaited:
    """An asynchronous object as a synchronous one: what it returns is waited for."""

    def __init__(self, target: Any, runner: asyncio.Runner) -> None:
        self._target = target
        self._runner = runner

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._target, name)
        return self._calling(found) if callable(found) else Awaited(found, self._runner)

    def _calling(self, method: Any) -> Any:
        def call(*arguments: Any, **options: Any) -> Any:
            result = method(*arguments, **options)
            if isinstance(result, AsyncIterator):
                return self._each(result)
            return self._runner.run(result) if inspect.iscoroutine(result) else result

        return call

    def _each(self, items: AsyncIterator[Any]) -> Iterator[Any]:
        async def following() -> Any:
            return await anext(items, StopIteration)

        while (item := self._runner.run(following())) is not StopIteration:
            yield item
