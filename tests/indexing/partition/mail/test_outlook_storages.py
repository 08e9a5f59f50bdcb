import time
from pathlib import Path

import pytest

from indexing.partition.mail.outlook_storages import storage_in
from indexing.partition.unreadable import DocumentUnreadable
from tests.files.ole2_writer import crowd_of_streams, ole2_file, row_of_streams, storages_within


def test_storages_hold_their_streams_and_the_storages_within(tmp_path: Path) -> None:
    content = {"subject": b"Lamps", "attached/name": b"waybill", "attached/mail/subject": b"Oil"}
    (tmp_path / "mail.msg").write_bytes(ole2_file(content))

    root = storage_in(tmp_path / "mail.msg")

    (attached,) = root.storages
    (within,) = attached.storages
    assert [(stream.path, stream.bytes_) for stream in root.streams] == [("subject", b"Lamps")]
    assert [(one.path, one.bytes_) for one in attached.streams] == [("attached/name", b"waybill")]
    assert (within.name, within.streams[0].name) == ("mail", "subject")


def test_a_crowd_of_streams_is_taken_out_at_once(tmp_path: Path) -> None:
    (tmp_path / "mail.msg").write_bytes(crowd_of_streams(60_000))
    began = time.process_time()

    root = storage_in(tmp_path / "mail.msg")

    assert len(root.streams) == 60_000
    # Each looked up among all of them would take many minutes.
    assert time.process_time() - began < 20


def test_streams_in_a_row_are_taken_out(tmp_path: Path) -> None:
    (tmp_path / "mail.msg").write_bytes(row_of_streams(3000))

    assert len(storage_in(tmp_path / "mail.msg").streams) == 3000


def test_storages_that_lie_too_deep_are_said_to(tmp_path: Path) -> None:
    (tmp_path / "mail.msg").write_bytes(storages_within(3000))

    with pytest.raises(DocumentUnreadable, match="nested too deeply"):
        storage_in(tmp_path / "mail.msg")
