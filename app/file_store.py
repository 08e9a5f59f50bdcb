"""Where the uploaded files are kept: a folder, or a bucket of any S3-compatible storage."""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO
from urllib.parse import urlparse

import obstore
from obstore.store import LocalStore, ObjectStore, from_url

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
            self._store = LocalStore(urlparse(url).path, mkdir=True)
        else:
            self._store = from_url(url)

    async def save(self, key: str, path: Path) -> None:
        """Copy a file into the store, under this key."""
        await obstore.put_async(self._store, key, path)

    @asynccontextmanager
    async def local_copy(self, key: str) -> AsyncIterator[Path]:
        """Yield the path of a private copy of a file, for libraries that read from disk."""
        with TemporaryDirectory(prefix="ke-read-") as folder:
            path = Path(folder) / "file"
            result = await obstore.get_async(self._store, key)
            with path.open("wb") as copy:
                async for chunk in result.stream(_CHUNK_BYTES):
                    await asyncio.to_thread(copy.write, bytes(chunk))
            yield path

    async def delete(self, keys: list[str]) -> None:
        """Delete files; one that is not there any more is no error."""
        for key in keys:
            try:
                await obstore.delete_async(self._store, key)
            except FileNotFoundError:
                continue

    async def keys_before(self, moment: datetime) -> list[str]:
        """Return the keys of all files that were stored before this moment."""
        keys = []
        async for batch in obstore.list(self._store):
            keys += [item["path"] for item in batch if item["last_modified"] < moment]
        return keys


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
