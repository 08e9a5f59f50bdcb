import hashlib
import os
from io import BytesIO
from pathlib import Path

import pytest

from app.file_store import FileStore, receive

CONTENT = b"The rent is 900." * 200_000


@pytest.fixture
def store(tmp_path: Path) -> FileStore:
    return FileStore(f"file://{tmp_path}/store of files")


@pytest.fixture
def work_dir(tmp_path: Path) -> Path:
    path = tmp_path / "work"
    path.mkdir()
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "upload"
    path.write_bytes(CONTENT)
    return path


async def test_stored_file_comes_back_whole(store: FileStore, file: Path, work_dir: Path) -> None:
    await store.save("kng_1/ds_1", file)

    async with store.local_copy("kng_1/ds_1", work_dir) as copy:
        assert copy.read_bytes() == CONTENT


async def test_copy_is_private_and_goes_away(store: FileStore, file: Path, work_dir: Path) -> None:
    await store.save("kng_1/ds_1", file)

    async with store.local_copy("kng_1/ds_1", work_dir) as copy:
        copy.write_bytes(b"changed")

    assert not copy.exists()
    assert os.listdir(work_dir) == []
    async with store.local_copy("kng_1/ds_1", work_dir) as copy:
        assert copy.read_bytes() == CONTENT


async def test_deleted_file_is_gone_and_may_be_deleted_again(
    store: FileStore, file: Path, work_dir: Path
) -> None:
    await store.save("kng_1/ds_1", file)

    await store.delete(["kng_1/ds_1", "kng_1/ds_2"])
    await store.delete(["kng_1/ds_1"])

    with pytest.raises(FileNotFoundError):
        async with store.local_copy("kng_1/ds_1", work_dir):
            pass


@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param(0, len(CONTENT), id="whole"),
        pytest.param(0, 1, id="first byte"),
        pytest.param(7, 2**21, id="over a piece"),
        pytest.param(len(CONTENT) - 1, len(CONTENT), id="last byte"),
        pytest.param(5, 5, id="nothing"),
    ],
)
async def test_part_of_a_file_can_be_read(
    store: FileStore, file: Path, start: int, end: int
) -> None:
    await store.save("kng_1/ds_1", file)

    pieces = [piece async for piece in store.read("kng_1/ds_1", start, end)]

    assert b"".join(pieces) == CONTENT[start:end]


async def test_folder_that_has_become_empty_goes_too(
    store: FileStore, file: Path, tmp_path: Path
) -> None:
    await store.save("kng_1/ds_1", file)

    await store.delete(["kng_1/ds_1"])

    assert not (tmp_path / "store of files" / "kng_1").exists()


@pytest.mark.parametrize("address", ["file:///{}", "memory:///"])
async def test_local_store_has_no_links_of_its_own(address: str, tmp_path: Path) -> None:
    store = FileStore(address.format(tmp_path))

    assert await store.presign("kng_1/ds_1", 60) is None


@pytest.mark.parametrize("size", [0, 1, 2**20, 2**20 + 1], ids=["empty", "byte", "MB", "over"])
def test_upload_is_measured_and_hashed_on_its_way(size: int, tmp_path: Path) -> None:
    content = b"a" * size

    stored = receive(BytesIO(content), tmp_path)

    assert stored.path.read_bytes() == content
    assert stored.size_bytes == size
    assert stored.sha256 == hashlib.sha256(content).hexdigest()
