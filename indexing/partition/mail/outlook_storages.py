"""Take a mail of Outlook out of the container that it is kept in."""

from pathlib import Path

import olefile
from olefile.olefile import OleDirectoryEntry
from oxmsg.storage import Storage, Stream

from indexing.partition.mail.parts import MAILS_TOO_DEEP
from indexing.partition.office.ole2 import Container
from indexing.partition.unreadable import DocumentUnreadable

MAX_DEPTH = 200
"""Storages lie within each other no deeper; a mail within a mail takes two."""


def storage_in(path: Path) -> tuple[Storage, bool]:
    """Return what the container holds, with all that lies within, and whether it is damaged.

    The library looks each stream up by its name among all others: ten thousand attachments, with
    some streams each, would take minutes.

    Raises:
        DocumentUnreadable: the storages are nested too deeply.
    """
    with Container(path) as container:
        root = _storage(container, container.root, "", MAX_DEPTH)
        return root, container.is_damaged


def _storage(container: Container, entry: OleDirectoryEntry, path: str, depth: int) -> Storage:
    if not depth:
        raise DocumentUnreadable(MAILS_TOO_DEEP)
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
            _storage(container, kid, name, depth - 1)
            for kid, name in kids
            if kid.entry_type == olefile.STGTY_STORAGE
        ),
    )
