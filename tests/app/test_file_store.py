import asyncio
import hashlib
import hmac
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx
import pytest

from app.file_store import FileStore, StoredSizes, made_of, receive
from config.errors import FileStoreAway
from config.settings import InvalidSettings
from tests.ke_process import wait_for
from tests.postgres_over_tcp import free_port
from tests.s3_server import REGION, SECRET_KEY, S3Server, s3_server

CONTENT = b"The rent is 900." * 200_000
KEY = "kng_1/ds_1"
LARGE = 48 << 20  # So large that a bucket takes it in parts.

SAVE = """
import asyncio, sys
from pathlib import Path
from app.file_store import FileStore
asyncio.run(FileStore(sys.argv[1]).save("kng_1/ds_1", Path(sys.argv[2])))
"""


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with s3_server() as server:
        yield server


@pytest.fixture
def bucket(s3: S3Server) -> S3Server:
    return s3.with_new_bucket()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "store of files #1"


@pytest.fixture(params=["folder", "bucket"])
def url(request: pytest.FixtureRequest, folder: Path) -> str:
    """The address of an empty store: what holds for one kind holds for the other."""
    if request.param == "folder":
        return f"file://{folder}"
    bucket: S3Server = request.getfixturevalue("bucket")
    return bucket.url


@pytest.fixture
def store(url: str) -> FileStore:
    return FileStore(url)


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
    await store.save(KEY, file)

    async with store.local_copy(KEY, work_dir) as copy:
        assert copy.read_bytes() == CONTENT


async def test_file_in_parts_comes_back_whole(
    store: FileStore, tmp_path: Path, work_dir: Path
) -> None:
    large = sparse_file(tmp_path, LARGE + 1)

    await store.save(KEY, large)

    async with store.local_copy(KEY, work_dir) as copy:
        assert copy.stat().st_size == LARGE + 1


async def test_all_keys_are_listed(store: FileStore, file: Path) -> None:
    made = f"{made_of(KEY)}/1-page.png"
    assert [key async for key in store.list_keys()] == []
    await store.save(KEY, file)
    await store.save(made, file)

    assert sorted([key async for key in store.list_keys()]) == [KEY, made]


async def test_copy_is_private_and_goes_away(store: FileStore, file: Path, work_dir: Path) -> None:
    await store.save(KEY, file)

    async with store.local_copy(KEY, work_dir) as copy:
        copy.write_bytes(b"changed")

    assert not copy.exists()
    assert os.listdir(work_dir) == []
    async with store.local_copy(KEY, work_dir) as copy:
        assert copy.read_bytes() == CONTENT


async def test_deleted_file_is_gone_and_may_be_deleted_again(
    store: FileStore, file: Path, work_dir: Path
) -> None:
    await store.save(KEY, file)

    await store.delete([KEY, "kng_1/ds_2"])
    await store.delete([KEY])

    with pytest.raises(FileNotFoundError):
        await store.read(KEY, 0, 1)
    with pytest.raises(FileNotFoundError):
        async with store.local_copy(KEY, work_dir):
            pass
    assert os.listdir(work_dir) == []


async def test_what_is_stored_under_a_key_is_measured(store: FileStore, file: Path) -> None:
    others = [f"{KEY}2", f"{made_of(KEY)}2/1-page.png", "kng_12/ds_1"]
    for key in (KEY, f"{made_of(KEY)}/1-page.png", f"{made_of(KEY)}/1-lines.json", *others):
        await store.save(key, file)

    of_file = await store.measure(KEY)
    of_folder = await store.measure("kng_1")

    assert of_file == StoredSizes(files=3, page_images=1, bytes=3 * len(CONTENT))
    assert of_folder == StoredSizes(files=5, page_images=2, bytes=5 * len(CONTENT))
    await store.delete([KEY])
    assert await store.measure(KEY) == StoredSizes(0, 0, 0)


async def test_what_was_made_of_a_file_goes_with_it(
    store: FileStore, file: Path, work_dir: Path
) -> None:
    kept = [f"{KEY}2", f"{made_of(KEY)}2/page"]
    for key in (KEY, f"{made_of(KEY)}/page", f"{made_of(KEY)}/further/page", *kept):
        await store.save(key, file)

    await store.delete([KEY])

    assert await store.find(f"{made_of(KEY)}/page") is None
    assert await store.find(f"{made_of(KEY)}/further/page") is None
    assert [await store.find(key) for key in kept] == [CONTENT, CONTENT]


async def test_small_file_is_found_whole(store: FileStore, file: Path) -> None:
    await store.save(KEY, file)

    assert await store.find(KEY) == CONTENT
    assert await store.find("kng_1/ds_2") is None


@pytest.mark.parametrize(
    ("start", "end"),
    [
        pytest.param(0, len(CONTENT), id="whole"),
        pytest.param(0, 1, id="first byte"),
        pytest.param(7, 2**21, id="over a piece"),
        pytest.param(len(CONTENT) - 1, len(CONTENT), id="last byte"),
    ],
)
async def test_part_of_a_file_can_be_read(
    store: FileStore, file: Path, start: int, end: int
) -> None:
    await store.save(KEY, file)

    pieces = [piece async for piece in await store.read(KEY, start, end)]

    assert b"".join(pieces) == CONTENT[start:end]


async def test_what_a_death_left_of_something_made_goes_with_its_file(
    folder: Path, file: Path
) -> None:
    store = FileStore(f"file://{folder}")
    await store.save(KEY, file)
    (folder / made_of(KEY)).mkdir()
    (folder / made_of(KEY) / "page#1").write_bytes(b"half of it")

    await store.delete([KEY])

    assert os.listdir(folder) == []


async def test_all_that_deaths_have_left_of_a_file_goes_and_nothing_of_others(
    folder: Path, file: Path
) -> None:
    store = FileStore(f"file://{folder}")
    await store.save(KEY, file)
    for left in (f"{KEY}#1", f"{KEY}#2", f"{KEY}2#1"):
        (folder / left).write_bytes(b"half of it")

    await store.delete([KEY])

    assert files_in(folder) == [f"{KEY}2#1"]


async def test_folder_that_has_become_empty_goes_too(folder: Path, file: Path) -> None:
    store = FileStore(f"file://{folder}")
    await store.save(KEY, file)
    await store.save("kng_1/ds_2", file)

    await store.delete([KEY])
    assert files_in(folder) == ["kng_1/ds_2"]

    await store.delete(["kng_1/ds_2"])
    assert os.listdir(folder) == []


async def test_writer_that_is_killed_half_way_leaves_no_file_in_a_folder(
    folder: Path, tmp_path: Path
) -> None:
    url = f"file://{folder}"

    kill_writer(url, sparse_file(tmp_path, 2**30), when=lambda: files_in(folder) != [])

    assert KEY not in files_in(folder)
    await FileStore(url).delete([KEY])  # As the upkeep does with what nobody has claimed.
    assert os.listdir(folder) == []


async def test_writer_that_is_killed_half_way_leaves_no_file_in_a_bucket(
    bucket: S3Server, tmp_path: Path
) -> None:
    large = sparse_file(tmp_path, 2**29)

    kill_writer(bucket.url, large, when=lambda: bucket.unfinished() != [])

    assert bucket.keys() == []


async def test_cancelled_upload_leaves_no_parts_in_a_bucket(
    bucket: S3Server, tmp_path: Path
) -> None:
    store = FileStore(bucket.url)
    saving = asyncio.create_task(store.save(KEY, sparse_file(tmp_path, LARGE)))
    await asyncio.sleep(0)  # Then it has begun, and cannot be over.

    saving.cancel()
    await asyncio.wait([saving])

    assert saving.cancelled()
    # It goes on to its end, though nobody waits for it.
    await asyncio.to_thread(wait_for, lambda: bucket.keys() != [] and bucket.unfinished() == [])
    assert [key async for key in store.list_keys()] == [KEY]


async def test_link_of_a_bucket_sends_the_file_with_its_name(bucket: S3Server, file: Path) -> None:
    store = FileStore(bucket.url)
    headers = {"Content-Type": "text/html", "Content-Disposition": "attachment"}
    await store.save(KEY, file, headers)

    link = await store.presign(KEY, 60)

    assert link is not None
    async with httpx.AsyncClient() as http:
        sent = await http.get(link)
    assert sent.content == CONTENT
    assert {name: sent.headers[name] for name in headers} == headers


async def test_link_of_a_bucket_is_signed_with_its_key_and_its_expiry(bucket: S3Server) -> None:
    link = await FileStore(bucket.url).presign(KEY, 60)

    assert link is not None
    assert urlsplit(link).path == f"/{bucket.bucket}/some/prefix/{KEY}"
    given = dict(parse_qsl(urlsplit(link).query))
    assert given["X-Amz-Expires"] == "60"
    assert given["X-Amz-Signature"] == signature_of(link)


@pytest.mark.parametrize("address", ["file://{}", "memory:///"])
async def test_local_store_has_no_links_of_its_own(address: str, tmp_path: Path) -> None:
    store = FileStore(address.format(tmp_path))

    assert await store.presign(KEY, 60) is None


@pytest.mark.usefixtures("s3")
async def test_storage_that_does_not_answer_is_away(
    file: Path, work_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    store = FileStore("s3://bucket")

    async def copy() -> None:
        async with store.local_copy(KEY, work_dir):
            pass

    attempts = [store.save(KEY, file), store.read(KEY, 0, 1), store.delete([KEY]), copy()]
    attempts.append(store.measure(KEY))
    failures = await asyncio.gather(*attempts, return_exceptions=True)

    assert [type(one) for one in failures] == [FileStoreAway] * 5
    assert isinstance(failures[0], OSError)  # So that the worker tries again.
    assert str(failures[0]) == "the file store does not answer"


@pytest.mark.parametrize("address", ["file://files", "nonsense", "ftp://host/files"])
def test_address_that_cannot_be_used_is_a_wrong_setting(address: str) -> None:
    with pytest.raises(InvalidSettings, match="KE_BLOB_URL: "):
        FileStore(address)


@pytest.mark.parametrize("size", [0, 1, 2**20, 2**20 + 1], ids=["empty", "byte", "MB", "over"])
def test_upload_is_measured_and_hashed_on_its_way(size: int, tmp_path: Path) -> None:
    content = b"a" * size

    stored = receive(BytesIO(content), tmp_path)

    assert stored.path.read_bytes() == content
    assert stored.size_bytes == size
    assert stored.sha256 == hashlib.sha256(content).hexdigest()


def kill_writer(url: str, file: Path, *, when: Callable[[], bool]) -> None:
    """Let a process of its own save a file, and kill it when it has begun."""
    with subprocess.Popen([sys.executable, "-c", SAVE, url, str(file)]) as writer:
        wait_for(lambda: when() or writer.poll() is not None)
        assert writer.poll() is None
        writer.kill()


def sparse_file(folder: Path, size: int) -> Path:
    path = folder / "large"
    path.touch()
    os.truncate(path, size)
    return path


def files_in(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()]


def signature_of(link: str) -> str:
    """Sign a link as S3 does, which refuses one whose own signature differs.

    The server of these tests checks none. This is AWS Signature Version 4 in the query string.
    """
    parts = urlsplit(link)
    query = [pair for pair in parse_qsl(parts.query) if pair[0] != "X-Amz-Signature"]
    given = dict(query)
    canonical_query = urlencode(sorted(query), safe="-_.~")
    request = f"GET\n{parts.path}\n{canonical_query}\nhost:{parts.netloc}\n\nhost\nUNSIGNED-PAYLOAD"
    day = given["X-Amz-Date"][:8]
    scope = f"{day}/{REGION}/s3/aws4_request"
    digest = hashlib.sha256(request.encode()).hexdigest()
    text = f"AWS4-HMAC-SHA256\n{given['X-Amz-Date']}\n{scope}\n{digest}"
    key = f"AWS4{SECRET_KEY}".encode()
    for step in (day, REGION, "s3", "aws4_request", text):
        key = hmac.digest(key, step.encode(), "sha256")
    return key.hex()
