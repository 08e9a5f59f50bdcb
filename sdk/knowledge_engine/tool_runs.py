"""`client.tool_runs`: the extraction of fields from data sources."""

import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, TypedDict, Unpack

from knowledge_engine.calls import Call, Flow, ListPage, listing, path, reading
from knowledge_engine.errors import ToolRunFailed
from knowledge_engine.models import (
    DataSource,
    Deleted,
    FoundField,
    RequestedField,
    TaggedDataSource,
    ToolRun,
)
from knowledge_engine.sse import ServerSentEvent
from knowledge_engine.streaming import Stream
from knowledge_engine.transport import AsyncTransport, Transport
from knowledge_engine.waiting import until

TOOL = {"type": "extract_fields_from_data_sources", "model": "gamma-1.5-pro"}
"""The one tool there is, and its one model."""

_RUNS = "tool-runs"

Source = str | DataSource | TaggedDataSource
"""A data source to look at: its id, itself, or some of its pages."""


class ToolRunOptions(TypedDict, total=False):
    """What can be said of a tool run beside what it is to find, and where."""

    include_confidence_scores: bool  # True if left out
    async_response: bool  # to get the run at once, still queued
    notes: dict[str, Any]


class ToolRunFilter(TypedDict, total=False):
    """Which tool runs a list has."""

    knowledge_engine_id: str


class RunWaitOptions(TypedDict, total=False):
    """How to wait until a tool run has ended."""

    on_progress: Callable[[ToolRun], None]  # called each time that it has been looked at
    timeout_seconds: float  # without it, as long as it takes


class ToolRuns:
    """The tool runs of an account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self,
        engine_id: str,
        fields: Sequence[RequestedField],
        data_sources: Sequence[Source],
        **options: Unpack[ToolRunOptions],
    ) -> ToolRun:
        """Extract fields; the answer is the finished run, or with `async_response` a queued one."""
        return self._transport.send(create_call(engine_id, fields, data_sources, options))

    def stream(
        self,
        engine_id: str,
        fields: Sequence[RequestedField],
        data_sources: Sequence[Source],
        **options: Unpack[ToolRunOptions],
    ) -> Iterator[FoundField | ToolRun]:
        """Extract fields; yield each when it is finished, and at the end the run.

        With `async_response` the run goes on when the loop is left. Breaks as `Client.query` does.
        """
        call = create_call(engine_id, fields, data_sources, options, stream_response=True)
        return self._transport.stream(Stream(call, _read_event, self._transport.retries))

    def get(self, tool_run_id: str) -> ToolRun:
        """Return a run, and its result when it has ended."""
        return self._transport.send(_get(tool_run_id))

    def wait(self, tool_run_id: str, **options: Unpack[RunWaitOptions]) -> ToolRun:
        """Wait until a run has ended.

        Raises:
            ToolRunFailed: it has no result.
            WaitTimeout: it still runs after `timeout_seconds`.
        """
        return self._transport.run(wait_flow(tool_run_id, options))

    def delete(self, tool_run_id: str) -> Deleted:
        """Delete a run with its result."""
        return self._transport.send(_delete(tool_run_id))

    def list(self, *, page_size: int = 100, **filters: Unpack[ToolRunFilter]) -> Iterator[ToolRun]:
        """Yield the runs, newest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size, filters))


class AsyncToolRuns:
    """The tool runs of an account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self,
        engine_id: str,
        fields: Sequence[RequestedField],
        data_sources: Sequence[Source],
        **options: Unpack[ToolRunOptions],
    ) -> ToolRun:
        """Extract fields; the answer is the finished run, or with `async_response` a queued one."""
        return await self._transport.send(create_call(engine_id, fields, data_sources, options))

    def stream(
        self,
        engine_id: str,
        fields: Sequence[RequestedField],
        data_sources: Sequence[Source],
        **options: Unpack[ToolRunOptions],
    ) -> AsyncIterator[FoundField | ToolRun]:
        """Extract fields; yield each when it is finished, and at the end the run."""
        call = create_call(engine_id, fields, data_sources, options, stream_response=True)
        return self._transport.stream(Stream(call, _read_event, self._transport.retries))

    async def get(self, tool_run_id: str) -> ToolRun:
        """Return a run, and its result when it has ended."""
        return await self._transport.send(_get(tool_run_id))

    async def wait(self, tool_run_id: str, **options: Unpack[RunWaitOptions]) -> ToolRun:
        """Wait until a run has ended.

        Raises:
            ToolRunFailed: it has no result.
            WaitTimeout: it still runs after `timeout_seconds`.
        """
        return await self._transport.run(wait_flow(tool_run_id, options))

    async def delete(self, tool_run_id: str) -> Deleted:
        """Delete a run with its result."""
        return await self._transport.send(_delete(tool_run_id))

    def list(
        self, *, page_size: int = 100, **filters: Unpack[ToolRunFilter]
    ) -> AsyncIterator[ToolRun]:
        """Yield the runs, newest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size, filters))


def create_call(
    engine_id: str,
    fields: Sequence[RequestedField],
    data_sources: Sequence[Source],
    options: ToolRunOptions,
    *,
    stream_response: bool = False,
) -> Call[ToolRun]:
    """Return the call that starts a run."""
    rest = dict(options)
    tool = {
        **TOOL,
        "knowledge_engine_id": engine_id,
        "tagged_data_sources": [_tagged(source) for source in data_sources],
        "fields": [field.model_dump(mode="json", exclude_none=True) for field in fields],
        "include_confidence_scores": rest.pop("include_confidence_scores", True),
    }
    body = {"tool": tool, "stream_response": stream_response, **rest}
    return Call("POST", path(_RUNS), reading(ToolRun), is_repeatable=False, json=body)


def wait_flow(tool_run_id: str, options: RunWaitOptions) -> Flow[ToolRun]:
    """Return the flow that waits until a run has ended."""
    run = yield from until(
        _get(tool_run_id),
        lambda seen: seen.is_over,
        timeout_seconds=options.get("timeout_seconds"),
        on_progress=options.get("on_progress"),
    )
    if run.status == "failed":
        raise ToolRunFailed(run)
    return run


def _tagged(source: Source) -> dict[str, Any]:
    if isinstance(source, TaggedDataSource):
        return source.model_dump(exclude_none=True)
    return {"id": source.id if isinstance(source, DataSource) else source}


def _get(tool_run_id: str) -> Call[ToolRun]:
    return Call("GET", path(_RUNS, tool_run_id), reading(ToolRun))


def _delete(tool_run_id: str) -> Call[Deleted]:
    return Call("DELETE", path(_RUNS, tool_run_id), reading(Deleted))


def _list(page_size: int, filters: ToolRunFilter) -> Call[ListPage[ToolRun]]:
    return listing(ToolRun, path(_RUNS), page_size, {**filters})


def _read_event(event: ServerSentEvent) -> FoundField | ToolRun:
    if event.event == "done":
        return ToolRun.model_validate_json(event.data)
    return FoundField.model_validate_json(json.loads(event.data))
