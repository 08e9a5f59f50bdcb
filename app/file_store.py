"""Where the uploaded files are kept: a folder, or a bucket of any S3-compatible storage."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO
from urllib.parse import urlparse

import obstore
from obstore.store import (
    AzureStore,
    GCSStore,
    LocalStore,
    ObjectStore,
    S3Store,
    from_url,
)

_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class StoredFile:
    """An upload on its way: hashed, measured, and on local disk for a first look."""

    path: Path
    size_bytes: int
    sha256: str


class FileStore:
    """Keeps files by key; a file is there whole or not at all."""

    def __init__(self, url: str) -> None:
        """Open the store at `file:///folder` or `s3://bucket/prefix`.

        Credentials and endpoint of S3 come from the usual AWS_… variables.
        """
        self._store: ObjectStore
        if url.startswith("file://"):
            self._store = LocalStore(urlparse(url).path, mkdir=True, automatic_cleanup=True)
        else:
            self._store = from_url(url)

    async def save(self, key: str, path: Path) -> None:
        """Copy a file into the store, under this key."""
        await obstore.put_async(self._store, key, path)

    @asynccontextmanager
    async def local_copy(self, key: str, work_dir: Path) -> AsyncIterator[Path]:
        """Yield the path of a private copy of a file, for libraries that read from disk."""
        with TemporaryDirectory(prefix="read-", dir=work_dir) as folder:
            path = Path(folder) / "file"
            result = await obstore.get_async(self._store, key)
            with path.open("wb") as copy:
                async for chunk in result.stream(_CHUNK_BYTES):
                    await asyncio.to_thread(copy.write, bytes(chunk))
            yield path

    async def read(self, key: str, start: int, end: int) -> AsyncIterator[bytes]:
        """Yield the bytes of a file from `start` up to, but not including, `end`."""
        if start == end:
            return
        result = await obstore.get_async(self._store, key, options={"range": (start, end)})
        async for chunk in result.stream(_CHUNK_BYTES):
            yield bytes(chunk)

    async def presign(self, key: str, seconds: int) -> str | None:
        """Return the storage's own link to a file, or None where it has no such links."""
        if not isinstance(self._store, S3Store | GCSStore | AzureStore):
            return None
        return await obstore.sign_async(self._store, "GET", key, timedelta(seconds=seconds))

    async def delete(self, keys: Sequence[str]) -> None:
        """Delete files; one that is not there any more is no error."""
        for key in keys:
            try:
                await obstore.delete_async(self._store, key)
            except FileNotFoundError:
                continue


def receive(upload: IO[bytes], folder: Path) -> StoredFile:
    """Copy an upload to `folder`, piece by piece, hashing on the way (blocking)."""
    digest = hashlib.sha256()
    path = folder / "upload"
    size = 0
    with path.open("wb") as copy:
        while chunk := upload.read(_CHUNK_BYTES):
            digest.update(chunk)
            size += len(chunk)
            copy.write(chunk)
    return StoredFile(path, size, digest.hexdigest())
