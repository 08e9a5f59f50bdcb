"""The file that `ke backup` writes and `ke restore` reads.

It is a ZIP archive: `database.dump` as pg_dump writes it, a member for each stored file, and last
`manifest.json`, which lists them with their SHA-256. A ZIP is written in one go without knowing how
long a member will be, and one that was cut short has no directory, so it is refused at once.
Nothing in it is compressed again: the dump is, and documents mostly are.
"""

import fcntl
import hashlib
import os
from collections.abc import AsyncIterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Literal
from zipfile import BadZipFile, ZipFile

from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from config.errors import BackupFailed

DATABASE = "database.dump"
MANIFEST = "manifest.json"

_PIECE_BYTES = 1 << 20

# Never a path that leads elsewhere: what a manifest names becomes a key of the file store.
BlobKey = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_]+(/[A-Za-z0-9_]+)*$")]
Sha256 = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Content(BaseModel):
    """How long a member is, and what it must hash to."""

    model_config = ConfigDict(frozen=True)

    size_bytes: int
    sha256: Sha256


class FileContent(Content):
    """A stored file, with what the storage's own links say of it."""

    key: BlobKey
    headers: dict[str, str]

    @property
    def member(self) -> str:
        """The name of its member."""
        return member_of(self.key)


class Manifest(BaseModel):
    """What a backup holds."""

    model_config = ConfigDict(frozen=True)

    format: Literal[1] = 1
    created_at: datetime  # the moment that it shows
    service_version: str = version("knowledge-engine")
    schema_revision: str
    counts: dict[str, int]  # rows, by table
    database: Content
    files: list[FileContent]
    missing: list[str]  # data sources that were deleted while their files were copied

    @property
    def total_bytes(self) -> int:
        return self.database.size_bytes + sum(file.size_bytes for file in self.files)


def member_of(key: str) -> str:
    """Return the name of the member that holds the stored file of this key."""
    return f"files/{key}"


class BackupWriter:
    """A backup that is being written."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive

    async def add(self, name: str, pieces: AsyncIterable[bytes]) -> Content:
        """Write a member as its pieces come."""
        digest, size = hashlib.sha256(), 0
        with self._archive.open(name, "w", force_zip64=True) as member:
            async for piece in pieces:
                digest.update(piece)
                size += len(piece)
                member.write(piece)
        return Content(size_bytes=size, sha256=digest.hexdigest())

    def finish(self, manifest: Manifest) -> None:
        """Write the manifest, after which nothing may follow."""
        self._archive.writestr(MANIFEST, manifest.model_dump_json(indent=1))


@contextmanager
def new_backup(path: Path) -> Iterator[BackupWriter]:
    """Yield a writer; the file has its name only when it is complete, and is its owner's alone.

    Raises:
        BackupFailed: the name is taken, or another process writes this backup.
    """
    _refuse_taken(path)
    partial = path.with_name(f"{path.name}.partial")
    with os.fdopen(os.open(partial, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BackupFailed(f"Another process is writing {partial}.") from error
        try:
            # What an earlier one left that died, with whatever mode it had.
            file.truncate()
            os.fchmod(file.fileno(), 0o600)
            with ZipFile(file, "w") as archive:
                yield BackupWriter(archive)
            file.flush()
            os.fsync(file.fileno())
            _refuse_taken(path)
            partial.rename(path)
        except BaseException:
            partial.unlink()
            raise
    _sync_folder(path.parent)


class BackupReader:
    """A backup that is read. Members are found by the manifest's names, never by what is there."""

    def __init__(self, archive: ZipFile) -> None:
        """Raises `BackupFailed` where there is no manifest that this program understands."""
        self._archive = archive
        try:
            self.manifest = Manifest.model_validate_json(archive.read(MANIFEST))
        except KeyError as error:
            raise BackupFailed("The file is a ZIP archive, but no backup.") from error
        except ValidationError as error:
            raise BackupFailed(
                "The manifest of the backup is damaged, or of a newer version of the service."
            ) from error

    def pieces(self, name: str, expected: Content) -> Iterator[bytes]:
        """Yield a member; at its end, make sure that it was what it should be.

        Raises:
            BackupFailed: it is not there, or other bytes than were written.
        """
        digest = hashlib.sha256()
        try:
            with self._archive.open(name) as member:
                while piece := member.read(_PIECE_BYTES):
                    digest.update(piece)
                    yield piece
        except (KeyError, BadZipFile, EOFError) as error:
            raise BackupFailed(f"The backup is damaged: {name} cannot be read.") from error
        if digest.hexdigest() != expected.sha256:
            raise BackupFailed(f"The backup is damaged: {name} is not what was written.")

    def check(self) -> Iterator[int]:
        """Read all members and compare their sums; yield the size of each piece.

        Raises:
            BackupFailed: one is not there, or not what was written.
        """
        contents = {DATABASE: self.manifest.database}
        for name, content in (contents | {one.member: one for one in self.manifest.files}).items():
            for piece in self.pieces(name, content):
                yield len(piece)


@contextmanager
def open_backup(path: Path) -> Iterator[BackupReader]:
    """Yield a reader of the backup.

    Raises:
        BackupFailed: there is none, or the file is something else, or cut short.
    """
    try:
        archive = ZipFile(path)
    except OSError as error:
        raise BackupFailed(f"{path} cannot be read: {error.strerror}") from error
    except BadZipFile as error:
        raise BackupFailed(f"{path} is no backup, or is cut short.") from error
    with archive:
        yield BackupReader(archive)


def _refuse_taken(path: Path) -> None:
    if path.exists():
        raise BackupFailed(f"{path} is there already, and is not overwritten.")


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
