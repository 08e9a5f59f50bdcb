"""The two clients: one that waits for each answer, and one for an event loop."""

from collections.abc import AsyncIterator, Iterator, Sequence
from types import TracebackType
from typing import Self, TypedDict, Unpack

import httpx

from knowledge_engine.audit_log import AsyncAuditLog, AuditLog
from knowledge_engine.data_sources import AsyncDataSources, DataSources
from knowledge_engine.deletion_receipts import AsyncDeletionReceipts, DeletionReceipts
from knowledge_engine.engines import AsyncEngines, Engines
from knowledge_engine.environment import find_api_key, find_base_url
from knowledge_engine.extraction import Extraction, Model, extract_flow
from knowledge_engine.models import Done, Message, Retrieval
from knowledge_engine.questions import (
    QuestionOptions,
    RetrieveOptions,
    answer_stream,
    retrieve,
)
from knowledge_engine.retrying import Retries
from knowledge_engine.tool_runs import AsyncToolRuns, RunWaitOptions, Source, ToolRuns
from knowledge_engine.transport import AsyncTransport, Transport
from knowledge_engine.webhooks import AsyncWebhooks, Webhooks
from knowledge_engine.workflows import AsyncWorkflows, Workflows

CONNECT_SECONDS = 10.0
ANSWER_SECONDS = 300.0
"""How long an answer may take; a model that thinks long takes minutes."""


class ClientOptions(TypedDict, total=False):
    """How a client calls the service."""

    timeout_seconds: float  # for an answer; 300 if left out
    retries: Retries


class Client:
    """A connection to the service; a context manager, or closed by `close`.

    Without an argument, key and address come from `KE_API_KEY` and `KE_BASE_URL`; without this, the
    address is http://127.0.0.1:8080. May be shared by threads.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        self.base_url = find_base_url(base_url)
        http = httpx.Client(
            base_url=self.base_url, auth=(find_api_key(api_key), ""), timeout=_timeout(options)
        )
        self._transport = Transport(http, options.get("retries", Retries()))
        self.engines = Engines(self._transport)
        self.data_sources = DataSources(self._transport)
        self.workflows = Workflows(self._transport)
        self.tool_runs = ToolRuns(self._transport)
        self.webhooks = Webhooks(self._transport)
        self.deletion_receipts = DeletionReceipts(self._transport)
        self.audit_log = AuditLog(self._transport)

    def query(
        self, engine_id: str, query: str, **options: Unpack[QuestionOptions]
    ) -> Iterator[Message | Done]:
        """Ask a question; yield the words of the answer as they come, and at the end all of it.

        A connection that breaks is resumed where it broke. To stop the answer, leave the loop.

        Raises:
            ServiceError: the question was refused.
            StreamFailed: the answer has failed on the way.
            ConnectionFailed: the connection broke, and could not be resumed.
        """
        retries = self._transport.retries
        return self._transport.stream(answer_stream(engine_id, query, options, retries))

    def retrieve(self, engine_id: str, query: str, **options: Unpack[RetrieveOptions]) -> Retrieval:
        """Return the passages that fit a query best, best first, without an answer."""
        return self._transport.send(retrieve(engine_id, query, options))

    def extract(
        self,
        engine_id: str,
        model: type[Model],
        data_sources: Sequence[Source],
        **options: Unpack[RunWaitOptions],
    ) -> Extraction[Model]:
        """Fill a pydantic model with what data sources hold.

        Raises:
            TypeError: a field of the model has a type that no field of the service has.
            ResultMismatch: the model does not admit what was, or was not, found.
            ToolRunFailed: the run has failed.
        """
        return self._transport.run(extract_flow(engine_id, model, data_sources, options))

    def close(self) -> None:
        """Close the connections."""
        self._transport.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class AsyncClient:
    """The same as `Client` for an event loop: an asynchronous context manager, or `aclose`."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        **options: Unpack[ClientOptions],
    ) -> None:
        self.base_url = find_base_url(base_url)
        http = httpx.AsyncClient(
            base_url=self.base_url, auth=(find_api_key(api_key), ""), timeout=_timeout(options)
        )
        self._transport = AsyncTransport(http, options.get("retries", Retries()))
        self.engines = AsyncEngines(self._transport)
        self.data_sources = AsyncDataSources(self._transport)
        self.workflows = AsyncWorkflows(self._transport)
        self.tool_runs = AsyncToolRuns(self._transport)
        self.webhooks = AsyncWebhooks(self._transport)
        self.deletion_receipts = AsyncDeletionReceipts(self._transport)
        self.audit_log = AsyncAuditLog(self._transport)

    def query(
        self, engine_id: str, query: str, **options: Unpack[QuestionOptions]
    ) -> AsyncIterator[Message | Done]:
        """Ask a question; yield the words of the answer as they come; see `Client.query`."""
        retries = self._transport.retries
        return self._transport.stream(answer_stream(engine_id, query, options, retries))

    async def retrieve(
        self, engine_id: str, query: str, **options: Unpack[RetrieveOptions]
    ) -> Retrieval:
        """Return the passages that fit a query best, best first, without an answer."""
        return await self._transport.send(retrieve(engine_id, query, options))

    async def extract(
        self,
        engine_id: str,
        model: type[Model],
        data_sources: Sequence[Source],
        **options: Unpack[RunWaitOptions],
    ) -> Extraction[Model]:
        """Fill a pydantic model with what data sources hold; see `Client.extract`."""
        return await self._transport.run(extract_flow(engine_id, model, data_sources, options))

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()


def _timeout(options: ClientOptions) -> httpx.Timeout:
    return httpx.Timeout(options.get("timeout_seconds", ANSWER_SECONDS), connect=CONNECT_SECONDS)
