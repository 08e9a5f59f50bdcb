"""The file of a backup: written whole or not at all, and read only as it was written."""

import json
import stat
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from app.backup_file import (
    DATABASE,
    MANIFEST,
    FileContent,
    Manifest,
    member_of,
    new_backup,
    open_backup,
)
from config.errors import BackupFailed

KEY = "kng_1/ds_1"
LEASE = b"The lease ends in 2032."


@pytest.fixture
async def backup(tmp_path: Path) -> Path:
    """A backup of one file."""
    path = tmp_path / "backup.zip"
    with new_backup(path) as writer:
        database = await writer.add(DATABASE, pieces(b"rows"))
        file = await writer.add(member_of(KEY), pieces(LEASE[:9], LEASE[9:]))
        writer.finish(
            Manifest(
                created_at=datetime.now(UTC),
                schema_revision="0001",
                counts={},
                database=database,
                files=[FileContent(**file.model_dump(), key=KEY, headers={})],
                missing=[],
            )
        )
    return path


def test_what_was_written_is_read(backup: Path) -> None:
    with open_backup(backup) as reader:
        (file,) = reader.manifest.files

        assert b"".join(reader.pieces(file.member, file)) == LEASE
        assert sum(reader.check()) == reader.manifest.total_bytes == len(b"rows") + len(LEASE)


def test_backup_is_its_owners_alone(backup: Path) -> None:
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


def test_name_that_is_taken_is_refused(backup: Path) -> None:
    content = backup.read_bytes()

    with pytest.raises(BackupFailed, match="there already"), new_backup(backup):
        pass

    assert backup.read_bytes() == content


def test_backup_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), new_backup(tmp_path / "backup.zip"):
        _ = 1 / 0

    assert list(tmp_path.iterdir()) == []


def test_what_a_dead_process_left_is_written_over(tmp_path: Path) -> None:
    left = tmp_path / "backup.zip.partial"
    left.write_bytes(b"x" * 10_000)
    left.chmod(0o644)

    with new_backup(tmp_path / "backup.zip"):
        pass

    assert [one.name for one in tmp_path.iterdir()] == ["backup.zip"]
    assert stat.S_IMODE((tmp_path / "backup.zip").stat().st_mode) == 0o600
    assert ZipFile(tmp_path / "backup.zip").namelist() == []


def test_two_do_not_write_the_same(tmp_path: Path) -> None:
    path = tmp_path / "backup.zip"

    with new_backup(path), pytest.raises(BackupFailed, match="Another process"), new_backup(path):
        pass

    assert path.exists()


def test_byte_that_has_changed_is_found(backup: Path) -> None:
    backup.write_bytes(backup.read_bytes().replace(b"ends in 2032", b"ends in 2033"))

    with open_backup(backup) as reader, pytest.raises(BackupFailed, match=f"damaged: files/{KEY}"):
        list(reader.check())


def test_member_that_was_replaced_is_found(backup: Path) -> None:
    rewrite(backup, {member_of(KEY): b"The lease ends in 2033."})

    with open_backup(backup) as reader, pytest.raises(BackupFailed, match="not what was written"):
        list(reader.check())


def test_member_that_is_missing_is_found(backup: Path) -> None:
    rewrite(backup, {member_of(KEY): None})

    with open_backup(backup) as reader, pytest.raises(BackupFailed, match="cannot be read"):
        list(reader.check())


@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_file_that_is_cut_short_is_refused(backup: Path, share: float) -> None:
    content = backup.read_bytes()
    backup.write_bytes(content[: int(len(content) * share)])

    with pytest.raises(BackupFailed, match="no backup, or is cut short"), open_backup(backup):
        pass


def test_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BackupFailed, match="No such file"), open_backup(tmp_path / "backup.zip"):
        pass


def test_other_archive_is_refused(tmp_path: Path) -> None:
    with ZipFile(tmp_path / "letters.zip", "w") as archive:
        archive.writestr("letter.txt", "Dear tenant")

    with pytest.raises(BackupFailed, match="no backup"), open_backup(tmp_path / "letters.zip"):
        pass


@pytest.mark.parametrize("key", ["../../etc/passwd", "/etc/passwd", "kng_1/../ds_1", "a//b", ""])
def test_key_that_leads_elsewhere_is_refused(backup: Path, key: str) -> None:
    manifest = manifest_of(backup)
    manifest["files"][0]["key"] = key
    rewrite(backup, {MANIFEST: json.dumps(manifest).encode()})

    with pytest.raises(BackupFailed, match="manifest"), open_backup(backup):
        pass


def test_format_of_a_later_version_is_refused(backup: Path) -> None:
    rewrite(backup, {MANIFEST: json.dumps(manifest_of(backup) | {"format": 2}).encode()})

    with pytest.raises(BackupFailed, match="newer version"), open_backup(backup):
        pass


async def pieces(*given: bytes) -> AsyncIterator[bytes]:
    for piece in given:
        yield piece


def manifest_of(backup: Path) -> Any:
    with ZipFile(backup) as archive:
        return json.loads(archive.read(MANIFEST))


def rewrite(backup: Path, changed: dict[str, bytes | None]) -> None:
    """Write the archive anew with other members; None takes one out."""
    with ZipFile(backup) as archive:
        members: dict[str, bytes | None] = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(backup, "w") as archive:
        for name, content in (members | changed).items():
            if content is not None:
                archive.writestr(name, content)
