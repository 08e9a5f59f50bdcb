import struct
import time
from pathlib import Path

import pytest

from indexing.partition.mail.outlook_storages import storage_in
from indexing.partition.unreadable import DocumentUnreadable
from tests.files.ole2_writer import crowd_of_streams, ole2_file, row_of_streams, storages_within


def test_storages_hold_their_streams_and_the_storages_within(tmp_path: Path) -> None:
    content = {"subject": b"Lamps", "attached/name": b"waybill", "attached/mail/subject": b"Oil"}
    (tmp_path / "mail.msg").write_bytes(ole2_file(content))

    root, is_damaged = storage_in(tmp_path / "mail.msg")

    (attached,) = root.storages
    (within,) = attached.storages
    assert [(stream.path, stream.bytes_) for stream in root.streams] == [("subject", b"Lamps")]
    assert [(one.path, one.bytes_) for one in attached.streams] == [("attached/name", b"waybill")]
    assert (within.name, within.streams[0].name) == ("mail", "subject")
    assert not is_damaged


def test_a_crowd_of_streams_is_taken_out_at_once(tmp_path: Path) -> None:
    (tmp_path / "mail.msg").write_bytes(crowd_of_streams(60_000))
    began = time.process_time()

    root, _ = storage_in(tmp_path / "mail.msg")

    assert len(root.streams) == 60_000
    # Each looked up among all of them would take many minutes.
    assert time.process_time() - began < 20


def test_streams_in_a_row_are_taken_out(tmp_path: Path) -> None:
    (tmp_path / "mail.msg").write_bytes(row_of_streams(3000))

    root, _ = storage_in(tmp_path / "mail.msg")

    assert len(root.streams) == 3000


def test_storages_that_lie_too_deep_are_said_to(tmp_path: Path) -> None:
    (tmp_path / "mail.msg").write_bytes(storages_within(3000))

    with pytest.raises(DocumentUnreadable, match="nested too deeply"):
        storage_in(tmp_path / "mail.msg")


@pytest.mark.parametrize(
    ("at", "value"),
    [
        pytest.param(120, struct.pack("<I", 1000), id="ends too early"),
        pytest.param(66, b"\xff", id="is nothing known"),
    ],
)
def test_what_is_not_as_it_is_listed_is_damage(at: int, value: bytes, tmp_path: Path) -> None:
    container = bytearray(ole2_file({"subject": b"Lamps"}))
    entry = container.index("subject\0".encode("utf-16-le"))
    container[entry + at : entry + at + len(value)] = value
    (tmp_path / "mail.msg").write_bytes(container)

    _, is_damaged = storage_in(tmp_path / "mail.msg")

    assert is_damaged


def test_where_no_short_stream_is_found_any_more_their_names_are_left(tmp_path: Path) -> None:
    container = ole2_file({"subject": b"Lamps"})
    (tmp_path / "mail.msg").write_bytes(container[:-510])  # amid the list of where they are

    root, is_damaged = storage_in(tmp_path / "mail.msg")

    assert [(stream.name, stream.bytes_) for stream in root.streams] == [("subject", b"")]
    assert is_damaged
