"""Where the uploaded files are kept: a folder, or a bucket of any S3-compatible storage."""

import asyncio
import hashlib
import logging
import shutil
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import IO

import obstore
from obstore.exceptions import BaseError
from obstore.store import (
    AzureStore,
    GCSStore,
    LocalStore,
    ObjectStore,
    S3Store,
    from_url,
)

from app.work_folder import work_folder
from config.errors import FileStoreAway
from config.settings import InvalidSettings

_logger = logging.getLogger(__name__)

_CHUNK_BYTES = 1 << 20

# A file up to this size goes into a bucket in one request, so that it is there or nothing is. Of a
# larger one a death on the way leaves parts, which only a rule of the bucket's can remove.
_PART_BYTES = 16 << 20
_PARTS_AT_ONCE = 4

_DELETED_FROM_BUCKET = 16
_DELETED_FROM_FOLDER = 256


@dataclass(frozen=True, slots=True)
class StoredFile:
    """An upload on its way: hashed, measured, and on local disk for a first look."""

    path: Path
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class StoredSizes:
    """How much is stored: files, the pictures of pages among them, and all their bytes."""

    files: int = 0
    page_images: int = 0
    bytes: int = 0


class FileStore:
    """Keeps files by key; a file is there whole or not at all."""

    def __init__(self, url: str) -> None:
        """Open the store at `file:///folder` or `s3://bucket/prefix`.

        Credentials and endpoint of S3 come from the usual AWS_… variables.

        Raises:
            InvalidSettings: it is no such address, or the folder cannot be made.
        """
        self._folder = Path(url.removeprefix("file://")) if url.startswith("file://") else None
        if self._folder is not None and not self._folder.is_absolute():
            raise InvalidSettings("KE_BLOB_URL: a folder is named as file:///folder")
        self._store: ObjectStore
        try:
            if self._folder is not None:
                self._store = LocalStore(self._folder, mkdir=True, automatic_cleanup=True)
            else:
                self._store = from_url(url)
        except (BaseError, ValueError, OSError) as error:
            raise InvalidSettings(f"KE_BLOB_URL: {_first_line(error)}") from error

    async def save(self, key: str, path: Path, headers: Mapping[str, str] | None = None) -> None:
        """Copy a file into the store, under this key; the storage's own links send the headers.

        Raises:
            FileStoreAway: the storage cannot be reached.
        """
        put = obstore.put_async(
            self._store,
            key,
            path,
            attributes=dict(headers or {}) if self._has_links else None,
            chunk_size=_PART_BYTES,
            max_concurrency=_PARTS_AT_ONCE,
        )
        with _errors_of_the_storage():
            # What a cancelled request has sent of a file would stay in the bucket, seen by nobody.
            await asyncio.shield(put)

    @asynccontextmanager
    async def local_copy(self, key: str, work_dir: Path) -> AsyncIterator[Path]:
        """Yield the path of a private copy of a file, for libraries that read from disk.

        Raises:
            FileNotFoundError: there is no such file.
            FileStoreAway: the storage cannot be reached.
        """
        with work_folder(work_dir, "read-") as folder:
            path = folder / "file"
            with _errors_of_the_storage():
                result = await obstore.get_async(self._store, key)
                with path.open("wb") as copy:
                    async for chunk in result.stream(_CHUNK_BYTES):
                        await asyncio.to_thread(copy.write, bytes(chunk))
            yield path

    async def read(self, key: str, start: int, end: int) -> AsyncIterator[bytes]:
        """Return the bytes of a file from `start` up to, but not including, `end`, in pieces.

        Raises:
            FileNotFoundError: there is no such file.
            FileStoreAway: the storage cannot be reached.
        """
        with _errors_of_the_storage():
            result = await obstore.get_async(self._store, key, options={"range": (start, end)})

        async def pieces() -> AsyncIterator[bytes]:
            with _errors_of_the_storage():
                async for chunk in result.stream(_CHUNK_BYTES):
                    yield bytes(chunk)

        return pieces()

    async def find(self, key: str) -> bytes | None:
        """Return a small file whole, None where there is none.

        Raises:
            FileStoreAway: the storage cannot be reached.
        """
        try:
            with _errors_of_the_storage():
                result = await obstore.get_async(self._store, key)
                return bytes(await result.bytes_async())
        except FileNotFoundError:
            return None

    async def list_keys(self) -> AsyncIterator[str]:
        """Yield the keys of all files, and of what was made of them.

        Raises:
            FileStoreAway: the storage cannot be reached.
        """
        with _errors_of_the_storage():
            async for listed in obstore.list(self._store):
                for one in listed:
                    yield one["path"]

    async def presign(self, key: str, seconds: int) -> str | None:
        """Return the storage's own link to a file, or None where it has no such links.

        Raises:
            FileStoreAway: the storage gives us no credentials.
        """
        if not isinstance(self._store, S3Store | GCSStore | AzureStore):
            return None
        with _errors_of_the_storage():
            return await obstore.sign_async(self._store, "GET", key, timedelta(seconds=seconds))

    async def delete(self, keys: Sequence[str]) -> None:
        """Delete files with what was made of them, and what a death has left of both.

        A file that is not there is no error.

        Raises:
            FileStoreAway: the storage cannot be reached.
        """
        at_once = _DELETED_FROM_BUCKET if self._folder is None else _DELETED_FROM_FOLDER
        for first in range(0, len(keys), at_once):
            some = keys[first : first + at_once]
            if self._folder is None:
                await self._delete_from_bucket(some)
            else:
                await asyncio.to_thread(_delete_from_folder, self._folder, some)

    async def _delete_from_bucket(self, keys: Sequence[str]) -> None:
        async def delete(key: str) -> None:
            async for made in obstore.list(self._store, made_of(key)):
                await obstore.delete_async(self._store, [one["path"] for one in made])
            with suppress(FileNotFoundError):
                await obstore.delete_async(self._store, key)

        outcomes = await asyncio.gather(*map(delete, keys), return_exceptions=True)
        with _errors_of_the_storage():
            for outcome in outcomes:
                if isinstance(outcome, BaseException):
                    raise outcome

    async def measure(self, key: str) -> StoredSizes:
        """Return how much is stored under a key, below it as a folder, and of what was made of it.

        Raises:
            FileStoreAway: the storage cannot be reached.
        """
        sizes: dict[str, int] = {}
        with _errors_of_the_storage():
            with suppress(FileNotFoundError):
                sizes[key] = (await obstore.head_async(self._store, key))["size"]
            for folder in (key, made_of(key)):
                async for found in obstore.list(self._store, folder):
                    sizes |= {one["path"]: one["size"] for one in found}
        pictures = sum(path.endswith(".png") for path in sizes)
        return StoredSizes(len(sizes), pictures, sum(sizes.values()))

    @property
    def _has_links(self) -> bool:
        return isinstance(self._store, S3Store | GCSStore | AzureStore)


def made_of(key: str) -> str:
    """Return the folder for what is made of a file; it is deleted with it."""
    return f"{key}.made"


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


def _delete_from_folder(folder: Path, keys: Sequence[str]) -> None:
    """Delete files, what was made of them, and what the store has begun to write of them.

    It numbers what it begins from 1. To look for it in the folder would take the longer the more
    files are there, for each of them.
    """
    try:
        for key in keys:
            (folder / key).unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                shutil.rmtree(folder / made_of(key))
            with suppress(FileNotFoundError):
                for number in count(1):
                    (folder / f"{key}#{number}").unlink()
            with suppress(OSError):  # Not empty, or not there.
                (folder / key).parent.rmdir()
    except OSError as error:
        raise _away(error) from error


@contextmanager
def _errors_of_the_storage() -> Iterator[None]:
    try:
        yield
    except BaseError as error:
        raise _away(error) from error


def _away(error: Exception) -> FileStoreAway:
    _logger.warning("The file store does not answer: %s", _first_line(error))
    return FileStoreAway()


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]
