"""People who make, ask and delete the same few things at once, so that they meet in any order."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from quart.wrappers import Response
from sqlalchemy import text

from app.extracting import work_on
from app.reading import read_data_source
from tests.client import Client, parse_events
from tests.fuzzing.inputs import CONTENTS, QUESTION, a_tool

MET_AT = 3
"""How many of the latest things of a kind they do something with, gone ones among them."""

WAITING = text(
    "SELECT (SELECT array_agg(id) FROM data_source WHERE status = 'processing'),"
    " (SELECT array_agg(id) FROM tool_run WHERE status = 'queued' AND async_response)"
)


@dataclass
class Crowd:
    """An account, what its people have made, and what they do with it."""

    client: Client
    random: Random
    engines: list[str] = field(default_factory=list)
    sources: list[tuple[str, str]] = field(default_factory=list)  # (engine, data source)
    workflows: list[str] = field(default_factory=list)
    contexts: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    webhooks: list[str] = field(default_factory=list)

    async def people(self, count: int, steps: int) -> None:
        """Let so many people do so many things each, whatever they may be."""
        async with asyncio.TaskGroup() as tasks:
            for _ in range(count):
                tasks.create_task(self._person(steps))

    async def worker(self, people: "asyncio.Task[None]") -> None:
        """Read and extract what waits, until there are no people any more and nothing waits.

        It does so as if other workers were dead: two of them may take up the same.
        """
        services = self.client.services
        while True:
            is_last = people.done()
            sources, runs = await self._waiting()
            for data_source_id in sources:
                await read_data_source(services, data_source_id)
            for run_id in runs:
                await work_on(services, run_id)
            if is_last and not (sources or runs):
                return
            await asyncio.sleep(0.01)

    # Engines

    async def create_engine(self) -> None:
        self.engines.append(await self._made("POST", "/knowledge-engines", json={"name": "Crowd"}))

    async def change_engine(self) -> None:
        await self._call("PUT", f"/knowledge-engines/{self._engine()}", json={"notes": {"a": 1}})

    async def delete_engine(self) -> None:
        await self._call("DELETE", f"/knowledge-engines/{self._engine()}{self._receipt()}")

    # Data sources

    async def upload(self) -> None:
        engine_id, content = self._engine(), self.random.choice(CONTENTS)
        response = await self.client.upload(engine_id, content)
        if data_source_id := await self._id_of(response):
            self.sources.append((engine_id, data_source_id))

    async def delete_source(self) -> None:
        _, data_source_id = self._source()
        await self._call("DELETE", f"/data-sources/{data_source_id}{self._receipt()}")

    async def delete_sources(self) -> None:
        given = {"ids": [self._source()[1] for _ in range(3)]}
        await self._call("DELETE", f"/data-sources/batch{self._receipt()}", json=given)

    # Questions

    async def retrieve(self) -> None:
        path = f"/knowledge-engines/{self._engine()}/retrieve"
        await self._call("POST", path, json={"query": QUESTION}, headers=self._key())

    async def ask(self) -> None:
        given = {"type": "query", "knowledge_engine_id": self._engine(), **self._question()}
        if workflow_id := await self._made("POST", "/workflows", json=given, headers=self._key()):
            self.workflows.append(workflow_id)

    async def stream(self) -> None:
        path = f"/knowledge-engines/{self._engine()}/query"
        response = await self._call("POST", path, json=self._question(), headers=self._key())
        if response.status_code == 200:
            last = parse_events(await response.get_data(as_text=True))[-1]
            assert last.event in ("done", "error")
            assert last.data != {"error": "Internal Server Error"}

    async def delete_workflow(self) -> None:
        await self._call("DELETE", f"/workflows/{self._latest(self.workflows)}")

    # Tool runs

    async def extract(self) -> None:
        is_async = self.random.random() < 0.7
        given = {"tool": a_tool(*self._source()), "async_response": is_async}
        if run_id := await self._made("POST", "/tool-runs", json=given, headers=self._key()):
            self.runs.append(run_id)

    async def delete_run(self) -> None:
        await self._call("DELETE", f"/tool-runs/{self._latest(self.runs)}")

    # Webhooks

    async def create_webhook(self) -> None:
        events = ["data_source.finished", "tool_run.finished"]
        given: dict[str, Any] = {"url": "https://example.com/hook", "events": events}
        if self.random.random() < 0.5:
            given["knowledge_engine_id"] = self._engine()
        if webhook_id := await self._made("POST", "/webhooks", json=given):
            self.webhooks.append(webhook_id)

    async def change_webhook(self) -> None:
        path = f"/webhooks/{self._latest(self.webhooks)}"
        await self._call("PUT", path, json={"disabled": self.random.random() < 0.3})

    async def replay(self) -> None:
        path = f"/webhooks/{self._latest(self.webhooks)}/deliveries"
        deliveries = await (await self._call("GET", path)).get_json()
        if isinstance(deliveries, list) and deliveries:
            delivery = self.random.choice(deliveries)
            await self._call("POST", f"{path}/{delivery['id']}/replay")

    async def delete_webhook(self) -> None:
        await self._call("DELETE", f"/webhooks/{self._latest(self.webhooks)}")

    # What all of them take

    async def _person(self, steps: int) -> None:
        for _ in range(steps):
            await self.random.choice(ACTS)(self)

    async def _waiting(self) -> tuple[list[str], list[str]]:
        """Return the data sources and the tool runs that wait for a worker."""
        async with self.client.services.database.engine.connect() as connection:
            sources, runs = (await connection.execute(WAITING)).one()
        return sources or [], runs or []

    def _engine(self) -> str:
        return self._latest(self.engines)

    def _source(self) -> tuple[str, str]:
        return self.random.choice(self.sources[-MET_AT:] or [("none", "none")])

    def _latest(self, made: list[str]) -> str:
        return self.random.choice(made[-MET_AT:] or ["none"])

    def _question(self) -> dict[str, Any]:
        question: dict[str, Any] = {"name": "n", "query": QUESTION}
        if self.contexts and self.random.random() < 0.5:
            question["context_id"] = self._latest(self.contexts)
        return question

    def _receipt(self) -> str:
        return self.random.choice(["", "?receipt=true"])

    def _key(self) -> dict[str, str]:
        return self.random.choice([{}, {"Idempotency-Key": str(self.random.randrange(20))}])

    async def _made(self, method: str, path: str, **options: Any) -> str:
        """Return the id of what a call has made, or "" where it was refused."""
        return await self._id_of(await self._call(method, path, **options))

    async def _call(self, method: str, path: str, **options: Any) -> Response:
        response = await self.client.call(method, f"/api/v1{path}", **options)
        await self._check(response)
        return response

    async def _id_of(self, response: Response) -> str:
        await self._check(response)
        if response.status_code != 201:
            return ""
        made = await response.get_json()
        if "context_id" in made:
            self.contexts.append(made["context_id"])
        return str(made["id"])

    async def _check(self, response: Response) -> None:
        """Whatever they meet is a success, or an error that the specification has."""
        said = await response.get_data(as_text=True)
        assert response.status_code < 500, said
        if response.status_code >= 400:
            assert list(await response.get_json()) == ["error"], said


Act = Callable[[Crowd], Awaitable[None]]

ACTS: list[Act] = [
    *(Crowd.create_engine, Crowd.change_engine, Crowd.delete_engine),
    *[Crowd.upload] * 5,
    *(Crowd.delete_source, Crowd.delete_source, Crowd.delete_sources),
    *(Crowd.retrieve, Crowd.ask, Crowd.ask, Crowd.stream, Crowd.stream, Crowd.delete_workflow),
    *(Crowd.extract, Crowd.extract, Crowd.delete_run),
    *(Crowd.create_webhook, Crowd.change_webhook, Crowd.replay, Crowd.delete_webhook),
]
