"""`client.data_sources`: the documents of the engines, and tickets."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from os import PathLike
from pathlib import Path
from typing import Any, TypedDict, Unpack

from knowledge_engine.calls import Call, Flow, path, reading, step
from knowledge_engine.deletion_receipts import receipt_wanted
from knowledge_engine.errors import ReadingFailed
from knowledge_engine.models import (
    BatchDeleteItem,
    BatchItem,
    DataSource,
    Deleted,
    Page,
    PresignedUrl,
)
from knowledge_engine.transport import AsyncTransport, Transport
from knowledge_engine.waiting import until

MOST_IN_A_BATCH = 100
MOST_BYTES_IN_A_BATCH = 64 * 2**20
"""One request holds so many files at most; more are sent in several."""

_SOURCES = "data-sources"

FilePath = str | PathLike[str]


class WaitOptions(TypedDict, total=False):
    """How to wait until a document is read."""

    on_progress: Callable[[DataSource], None]  # called each time that it has been looked at
    timeout_seconds: float  # without it, as long as it takes


class UploadOptions(WaitOptions, total=False):
    """What can be said of an upload beside where it goes."""

    name: str  # the name of the file if left out
    notes: dict[str, Any]
    wait: bool  # until it is read; True if left out


class TicketFields(TypedDict, total=False):
    """What a ticket holds beside its name; without content its text is its name and notes."""

    content: str
    notes: dict[str, Any]


class DataSources:
    """The data sources of an account."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def upload(
        self, file: FilePath, engine_id: str, **options: Unpack[UploadOptions]
    ) -> DataSource:
        """Upload a document and wait until it is read.

        Raises:
            DuplicateFile: the engine has it already.
            ReadingFailed: no text could be read from it.
            WaitTimeout: it is still being read after `timeout_seconds`.
        """
        return self._transport.run(_upload(Path(file), engine_id, options))

    def upload_many(self, files: Sequence[FilePath], engine_id: str) -> Sequence[BatchItem]:
        """Upload documents, without waiting; say of each, in order, what became of it."""
        return self._transport.run(_upload_many([Path(file) for file in files], engine_id))

    def create_ticket(
        self, name: str, engine_id: str, **fields: Unpack[TicketFields]
    ) -> DataSource:
        """Create a data source from the text of a support ticket."""
        return self._transport.send(_create_ticket(name, engine_id, fields))

    def get(self, data_source_id: str) -> DataSource:
        """Return a data source, and how far its reading is."""
        return self._transport.send(_get(data_source_id))

    def wait(self, data_source_id: str, **options: Unpack[WaitOptions]) -> DataSource:
        """Wait until a data source is read; raises as `upload` does."""
        return self._transport.run(_wait(data_source_id, options))

    def pages(self, data_source_id: str) -> Sequence[Page]:
        """Return the pages in their order, and how each was read."""
        return self._transport.send(_pages(data_source_id))

    def page_image(
        self, data_source_id: str, page_number: int, *, highlight: str | None = None
    ) -> bytes:
        """Return a page as a PNG picture; `highlight` are words, or `wfl_…:N`, to mark on it."""
        return self._transport.send(_page_image(data_source_id, page_number, highlight))

    def presigned_url(self, data_source_id: str) -> str:
        """Return a link to the original file that works without a key for an hour."""
        return self._transport.send(_presigned_url(data_source_id)).presigned_url

    def delete(self, data_source_id: str, *, receipt: bool = False) -> Deleted:
        """Delete a data source, if wanted with a receipt; no search finds it any more."""
        return self._transport.send(_delete(data_source_id, receipt))

    def delete_many(
        self, data_source_ids: Sequence[str], *, receipt: bool = False
    ) -> Sequence[BatchDeleteItem]:
        """Delete data sources, if wanted with a receipt each; say in order what became of them."""
        return self._transport.send(_delete_many(data_source_ids, receipt))


class AsyncDataSources:
    """The data sources of an account."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def upload(
        self, file: FilePath, engine_id: str, **options: Unpack[UploadOptions]
    ) -> DataSource:
        """Upload a document and wait until it is read.

        Raises:
            DuplicateFile: the engine has it already.
            ReadingFailed: no text could be read from it.
            WaitTimeout: it is still being read after `timeout_seconds`.
        """
        return await self._transport.run(_upload(Path(file), engine_id, options))

    async def upload_many(self, files: Sequence[FilePath], engine_id: str) -> Sequence[BatchItem]:
        """Upload documents, without waiting; say of each, in order, what became of it."""
        return await self._transport.run(_upload_many([Path(file) for file in files], engine_id))

    async def create_ticket(
        self, name: str, engine_id: str, **fields: Unpack[TicketFields]
    ) -> DataSource:
        """Create a data source from the text of a support ticket."""
        return await self._transport.send(_create_ticket(name, engine_id, fields))

    async def get(self, data_source_id: str) -> DataSource:
        """Return a data source, and how far its reading is."""
        return await self._transport.send(_get(data_source_id))

    async def wait(self, data_source_id: str, **options: Unpack[WaitOptions]) -> DataSource:
        """Wait until a data source is read; raises as `upload` does."""
        return await self._transport.run(_wait(data_source_id, options))

    async def pages(self, data_source_id: str) -> Sequence[Page]:
        """Return the pages in their order, and how each was read."""
        return await self._transport.send(_pages(data_source_id))

    async def page_image(
        self, data_source_id: str, page_number: int, *, highlight: str | None = None
    ) -> bytes:
        """Return a page as a PNG picture; `highlight` are words, or `wfl_…:N`, to mark on it."""
        return await self._transport.send(_page_image(data_source_id, page_number, highlight))

    async def presigned_url(self, data_source_id: str) -> str:
        """Return a link to the original file that works without a key for an hour."""
        return (await self._transport.send(_presigned_url(data_source_id))).presigned_url

    async def delete(self, data_source_id: str, *, receipt: bool = False) -> Deleted:
        """Delete a data source, if wanted with a receipt; no search finds it any more."""
        return await self._transport.send(_delete(data_source_id, receipt))

    async def delete_many(
        self, data_source_ids: Sequence[str], *, receipt: bool = False
    ) -> Sequence[BatchDeleteItem]:
        """Delete data sources, if wanted with a receipt each; say in order what became of them."""
        return await self._transport.send(_delete_many(data_source_ids, receipt))


def batches(files: Sequence[Path]) -> Iterator[list[Path]]:
    """Cut files into batches that one request can hold."""
    batch: list[Path] = []
    batch_bytes = 0
    for file in files:
        size = file.stat().st_size
        is_full = len(batch) == MOST_IN_A_BATCH or batch_bytes + size > MOST_BYTES_IN_A_BATCH
        if batch and is_full:
            yield batch
            batch, batch_bytes = [], 0
        batch.append(file)
        batch_bytes += size
    if batch:
        yield batch


def _upload(file: Path, engine_id: str, options: UploadOptions) -> Flow[DataSource]:
    entry = _entry(options.get("name") or file.name, engine_id)
    if "notes" in options:
        entry["notes"] = options["notes"]
    with file.open("rb") as content:
        call = Call(
            "POST",
            path(_SOURCES),
            reading(DataSource),
            is_repeatable=False,
            form={"data": json.dumps(entry)},
            files=[("file", (file.name, content))],
        )
        data_source = yield from step(call)
    if not options.get("wait", True):
        return data_source
    return (yield from _wait(data_source.id, options))


def _wait(data_source_id: str, options: WaitOptions) -> Flow[DataSource]:
    data_source = yield from until(
        _get(data_source_id),
        lambda seen: seen.is_processed,
        timeout_seconds=options.get("timeout_seconds"),
        on_progress=options.get("on_progress"),
    )
    if data_source.outcome == "failed":
        raise ReadingFailed(data_source)
    return data_source


def _upload_many(files: Sequence[Path], engine_id: str) -> Flow[list[BatchItem]]:
    items = []
    for batch in batches(files):
        with ExitStack() as stack:
            contents = [stack.enter_context(file.open("rb")) for file in batch]
            call = Call(
                "POST",
                path(_SOURCES, "batch"),
                reading(list[BatchItem]),
                is_repeatable=False,
                form={"data": json.dumps([_entry(file.name, engine_id) for file in batch])},
                files=[
                    ("files[]", (file.name, content))
                    for file, content in zip(batch, contents, strict=True)
                ],
            )
            items += yield from step(call)
    return items


def _entry(name: str, engine_id: str) -> dict[str, Any]:
    return {"name": name, "type": "file", "knowledge_engine_id": engine_id}


def _create_ticket(name: str, engine_id: str, fields: TicketFields) -> Call[DataSource]:
    body = {"name": name, "type": "ticket", "knowledge_engine_id": engine_id, **fields}
    return Call("POST", path(_SOURCES), reading(DataSource), is_repeatable=False, json=body)


def _get(data_source_id: str) -> Call[DataSource]:
    return Call("GET", path(_SOURCES, data_source_id), reading(DataSource))


def _pages(data_source_id: str) -> Call[list[Page]]:
    return Call("GET", path(_SOURCES, data_source_id, "pages"), reading(list[Page]))


def _page_image(data_source_id: str, page_number: int, highlight: str | None) -> Call[bytes]:
    address = path(_SOURCES, data_source_id, "pages", f"{page_number}.png")
    params = {"highlight": highlight} if highlight else {}
    return Call("GET", address, lambda response: response.content, params=params)


def _presigned_url(data_source_id: str) -> Call[PresignedUrl]:
    address = path(_SOURCES, data_source_id, "presigned-url")
    return Call("GET", address, reading(PresignedUrl))


def _delete(data_source_id: str, receipt: bool) -> Call[Deleted]:
    params = receipt_wanted(receipt)
    return Call("DELETE", path(_SOURCES, data_source_id), reading(Deleted), params=params)


def _delete_many(data_source_ids: Sequence[str], receipt: bool) -> Call[list[BatchDeleteItem]]:
    return Call(
        "DELETE",
        path(_SOURCES, "batch"),
        reading(list[BatchDeleteItem]),
        params=receipt_wanted(receipt),
        json={"ids": list(data_source_ids)},
    )
