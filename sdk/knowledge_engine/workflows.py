"""`client.workflows`: questions with their answers."""

from collections.abc import AsyncIterator, Iterator
from typing import TypedDict, Unpack

from knowledge_engine.calls import Call, ListPage, listing, path, reading
from knowledge_engine.models import Deleted, Workflow
from knowledge_engine.questions import QuestionOptions, question
from knowledge_engine.transport import AsyncTransport, Transport

_WORKFLOWS = "workflows"


class WorkflowOptions(QuestionOptions, total=False):
    """What can be said of a workflow beside its question."""

    description: str


class WorkflowFilter(TypedDict, total=False):
    """Which workflows a list has."""

    knowledge_engine_id: str
    context_id: str


class Workflows:
    """The workflows of an account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, engine_id: str, query: str, **options: Unpack[WorkflowOptions]) -> Workflow:
        """Ask a question and wait for the whole answer."""
        return self._transport.send(_create(engine_id, query, options))

    def get(self, workflow_id: str) -> Workflow:
        """Return a workflow."""
        return self._transport.send(_get(workflow_id))

    def delete(self, workflow_id: str) -> Deleted:
        """Delete a workflow; later questions of its conversation no longer know it."""
        return self._transport.send(_delete(workflow_id))

    def list(
        self, *, page_size: int = 100, **filters: Unpack[WorkflowFilter]
    ) -> Iterator[Workflow]:
        """Yield the workflows, newest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size, filters))


class AsyncWorkflows:
    """The workflows of an account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def create(
        self, engine_id: str, query: str, **options: Unpack[WorkflowOptions]
    ) -> Workflow:
        """Ask a question and wait for the whole answer."""
        return await self._transport.send(_create(engine_id, query, options))

    async def get(self, workflow_id: str) -> Workflow:
        """Return a workflow."""
        return await self._transport.send(_get(workflow_id))

    async def delete(self, workflow_id: str) -> Deleted:
        """Delete a workflow; later questions of its conversation no longer know it."""
        return await self._transport.send(_delete(workflow_id))

    def list(
        self, *, page_size: int = 100, **filters: Unpack[WorkflowFilter]
    ) -> AsyncIterator[Workflow]:
        """Yield the workflows, newest first; the next part is asked for when it is wanted."""
        return self._transport.items(_list(page_size, filters))


def _create(engine_id: str, query: str, options: WorkflowOptions) -> Call[Workflow]:
    body = {
        **question(query, {}),
        **options,
        "type": "query",
        "knowledge_engine_id": engine_id,
    }
    return Call("POST", path(_WORKFLOWS), reading(Workflow), is_repeatable=False, json=body)


def _get(workflow_id: str) -> Call[Workflow]:
    return Call("GET", path(_WORKFLOWS, workflow_id), reading(Workflow))


def _delete(workflow_id: str) -> Call[Deleted]:
    return Call("DELETE", path(_WORKFLOWS, workflow_id), reading(Deleted))


def _list(page_size: int, filters: WorkflowFilter) -> Call[ListPage[Workflow]]:
    return listing(Workflow, path(_WORKFLOWS), page_size, {**filters})
