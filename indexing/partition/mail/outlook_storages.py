"""Take a mail of Outlook out of the container that it is kept in."""

from pathlib import Path

import olefile
from olefile.olefile import OleDirectoryEntry
from oxmsg.storage import Storage, Stream

from indexing.partition.office.ole2 import Container


def storage_in(path: Path) -> Storage:
    """Return what the container holds, with all that lies within.

    The library looks each stream up by its name among all others: ten thousand attachments, with
    some streams each, would take minutes.
    """
    with Container(path) as container:
        return _storage(container, container.root, "")


def _storage(container: Container, entry: OleDirectoryEntry, path: str) -> Storage:
    prefix = f"{path}/" if path else ""
    kids = [(kid, prefix + kid.name) for kid in entry.kids]
    return Storage(
        path,
        tuple(
            Stream(name, container.content_of(kid))
            for kid, name in kids
            if kid.entry_type == olefile.STGTY_STREAM
        ),
        tuple(
            _storage(container, kid, name)
            for kid, name in kids
            if kid.entry_type == olefile.STGTY_STORAGE
        ),
    )
