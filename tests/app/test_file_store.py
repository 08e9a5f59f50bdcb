import hashlib
from datetime import UTC, datetime, timedelta
from io import BytesIO
from pathlib import Path

import pytest

from app.file_store import FileStore, receive

CONTENT = b"The rent is 900." * 200_000


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(f"file://{tmp_path}/store of files")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "upload"
    path.write_bytes(CONTENT)
    return path


async def test_stored_file_comes_back_whole(store: FileStore, file: Path) -> None:
    await store.save("kng_1/ds_1", file)

    async with store.local_copy("kng_1/ds_1") as copy:
        assert copy.read_bytes() == CONTENT


async def test_copy_is_private_and_goes_away(store: FileStore, file: Path) -> None:
    await store.save("kng_1/ds_1", file)

    async with store.local_copy("kng_1/ds_1") as copy:
        copy.write_bytes(b"changed")

    assert not copy.exists()
    async with store.local_copy("kng_1/ds_1") as copy:
        assert copy.read_bytes() == CONTENT


async def test_deleted_file_is_gone_and_may_be_deleted_again(store: FileStore, file: Path) -> None:
    await store.save("kng_1/ds_1", file)

    await store.delete(["kng_1/ds_1", "kng_1/ds_2"])
    await store.delete(["kng_1/ds_1"])

    with pytest.raises(FileNotFoundError):
        async with store.local_copy("kng_1/ds_1"):
            pass


async def test_files_are_listed_by_their_age(store: FileStore, file: Path) -> None:
    for key in ("kng_1/ds_1", "kng_2/ds_2"):
        await store.save(key, file)

    now = datetime.now(UTC)

    assert sorted(await store.keys_before(now + timedelta(seconds=5))) == [
        "kng_1/ds_1",
        "kng_2/ds_2",
    ]
    assert await store.keys_before(now - timedelta(seconds=5)) == []


async def test_store_in_memory_is_opened_by_its_address(file: Path) -> None:
    store = FileStore("memory:///")

    await store.save("kng_1/ds_1", file)

    assert await store.keys_before(datetime.now(UTC) + timedelta(seconds=5)) == ["kng_1/ds_1"]


@pytest.mark.parametrize("size", [0, 1, 2**20, 2**20 + 1], ids=["empty", "byte", "MB", "over"])
def test_upload_is_measured_and_hashed_on_its_way(size: int, tmp_path: Path) -> None:
    content = b"a" * size

    stored = receive(BytesIO(content), tmp_path)

    assert stored.path.read_bytes() == content
    assert stored.size_bytes == size
    assert stored.sha256 == hashlib.sha256(content).hexdigest()
