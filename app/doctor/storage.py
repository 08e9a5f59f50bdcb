"""Where files are stored, and the disk."""

import asyncio
import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import psutil

from app.doctor.findings import Finding, ok, problem, warning
from app.file_store import FileStore
from app.services import open_file_store
from app.work_folder import work_folder
from config.errors import FileStoreAway
from config.settings import InvalidSettings, Settings

LEAST_FREE_BYTES = 1 << 30
"""With less, an upload of the usual limit or a merge of PostgreSQL's may find the disk full."""

LITTLE_FREE_BYTES = 5 << 30

_PROBE = b"written by ke doctor"


def check_store(settings: Settings) -> Iterator[Finding]:
    """Write, read and delete a small file where uploads are stored."""
    place = settings.blob_url or f"the folder {settings.data_dir / 'files'}"
    try:
        settings.work_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = asyncio.run(_write_read_delete(open_file_store(settings), settings.work_dir))
    except InvalidSettings as error:
        yield problem("file store", str(error), "Set KE_BLOB_URL as docs/settings.md shows.")
    except FileStoreAway:
        advice = "See the address, the AWS_… variables and the rights of the key; the log has more."
        yield problem("file store", f"{place} does not answer, or refuses", advice)
    except OSError as error:
        advice = "Let the service's user write there, or name another place."
        yield problem("file store", f"{place}: {error.strerror}", advice)
    else:
        if found == _PROBE:
            yield ok("file store", f"{place} writes, reads and deletes")
        else:
            advice = "Do not trust it with documents before it returns what was written."
            yield problem("file store", f"{place} returned something else", advice)


def check_disk(settings: Settings) -> Iterator[Finding]:
    """See how much room the disk has that the data directory is on."""
    place = next(
        one for one in (settings.data_dir, *settings.data_dir.absolute().parents) if one.exists()
    )
    usage = psutil.disk_usage(os.fspath(place))
    text = f"{usage.free / 2**30:.1f} GB free for {settings.data_dir}"
    if usage.free < LEAST_FREE_BYTES:
        yield problem("disk", text, "Make room: the database stops when the disk is full.")
    elif usage.free < LITTLE_FREE_BYTES:
        yield warning("disk", text, "Make room before it is full.")
    else:
        yield ok("disk", text)


async def _write_read_delete(files: FileStore, work_dir: Path) -> bytes | None:
    """Return what was read; no key of a document looks like this one."""
    key = f"doctor/{uuid.uuid4().hex}"
    with work_folder(work_dir, "doctor-") as folder:
        (folder / "probe").write_bytes(_PROBE)
        await files.save(key, folder / "probe")
    try:
        return await files.find(key)
    finally:
        await files.delete([key])
