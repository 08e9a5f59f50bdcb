"""A client of the API in the words of the specification, over Quart's test client."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

from quart import Quart
from quart.wrappers import Response
from werkzeug.datastructures import FileStorage

from app.models.data_source import DataSourceStatus, select_data_sources
from app.models.page_of_rows import PageRequest
from app.reading import read_data_source
from app.services import Services


@dataclass(frozen=True)
class Event:
    """A Server-Sent Event, its data parsed."""

    event: str
    data: Any


@dataclass
class Client:
    """Calls the endpoints with one key; `services` lets it read what it has uploaded."""

    app: Quart
    services: Services
    key: str

    async def call(self, method: str, path: str, **options: Any) -> Response:
        auth = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        headers = auth | dict(options.pop("headers", {}))
        client = self.app.test_client()
        # Quart's type is a union of its own response and Werkzeug's.
        return await client.open(path, method=method, headers=headers, **options)  # type: ignore[return-value]

    async def get(self, path: str) -> Any:
        return await (await self.call("GET", f"/api/v1{path}")).get_json()

    async def post(self, path: str, **body: Any) -> Any:
        return await (await self.call("POST", f"/api/v1{path}", json=body)).get_json()

    async def error(self, method: str, path: str, **options: Any) -> tuple[int, str]:
        """Return status and message of a call that must fail, with nothing else in its body."""
        response = await self.call(method, f"/api/v1{path}", **options)
        body = await response.get_json()
        assert list(body) == ["error"], body
        return response.status_code, body["error"]

    async def create_engine(self, name: str = "Leases") -> str:
        engine = await self.post("/knowledge-engines", name=name)
        engine_id: str = engine["id"]
        return engine_id

    async def upload(
        self,
        engine_id: str,
        file: Path | bytes,
        *,
        headers: Mapping[str, str] | None = None,
        **data: Any,
    ) -> Response:
        """Upload a file, without waiting until it is read."""
        content = _content(file)
        name = file.name if isinstance(file, Path) else "bytes.bin"
        fields = {"name": name, "type": "file", "knowledge_engine_id": engine_id} | data
        form = {"data": json.dumps(fields)}
        files = {"file": FileStorage(BytesIO(content), filename=name)}
        path = "/api/v1/data-sources"
        return await self.call("POST", path, form=form, files=files, headers=headers or {})

    async def add(self, engine_id: str, file: Path) -> Any:
        """Upload a file, read it, and return the data source as it is then."""
        uploaded = await (await self.upload(engine_id, file)).get_json()
        await self.read_all(engine_id)
        return await self.get(f"/data-sources/{uploaded['id']}")

    async def read_all(self, engine_id: str) -> None:
        """Do what a worker does with everything that waits in this engine."""
        async with self.services.database.transaction() as session:
            data_sources = await select_data_sources(session, engine_id, PageRequest())
        for data_source in data_sources:
            if data_source.status == DataSourceStatus.PROCESSING:
                await read_data_source(self.services, data_source.id)

    async def ask(self, engine_id: str, query: str, **options: Any) -> Any:
        """Create a workflow and return it."""
        body = {"name": "test", "type": "query", "query": query, "knowledge_engine_id": engine_id}
        return await self.post("/workflows", **(body | options))

    async def query(self, engine_id: str, query: str, **options: Any) -> list[Event]:
        """Ask for a stream and return its events."""
        path = f"/api/v1/knowledge-engines/{engine_id}/query"
        body = {"name": "test", "query": query} | options
        response = await self.call("POST", path, json=body)
        assert response.content_type == "text/event-stream; charset=utf-8"
        return parse_events(await response.get_data(as_text=True))


def parse_events(text: str) -> list[Event]:
    """Return the events of a stream; comments are passed over."""
    events = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if lines:
            events.append(Event(lines["event"], json.loads(lines["data"])))
    return events


def _content(file: Path | bytes) -> bytes:
    return file.read_bytes() if isinstance(file, Path) else file
