import json
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx
import pytest

from app.file_store import FileStore
from app.links import LINK_SECONDS
from app.models.api_key import select_api_keys, update_revoked
from app.reading import read_data_source
from app.services import Services
from config.errors import FileStoreAway
from tests.client import Client
from tests.conftest import FILES
from tests.postgres_over_tcp import free_port
from tests.s3_server import S3Server, s3_server

LEASE = (FILES / "warehouse-lease.pdf").read_bytes()


@dataclass(frozen=True)
class Sent:
    """What comes of following a link."""

    status: int
    content: bytes
    headers: httpx.Headers


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with s3_server() as server:
        yield server


@pytest.fixture
def bucket(s3: S3Server, services: Services) -> S3Server:
    """The bucket that the service now keeps its files in."""
    fresh = s3.with_new_bucket()
    services.files = FileStore(fresh.url)
    return fresh


@pytest.fixture(params=["folder", "bucket"])
def files(request: pytest.FixtureRequest, services: Services) -> FileStore:
    """Where the files are: what holds for one kind holds for the other."""
    if request.param == "bucket":
        request.getfixturevalue("bucket")
    return services.files


@pytest.fixture
async def lease(files: FileStore, client: Client) -> str:
    """The id of the lease in an engine, uploaded."""
    return await upload_lease(client)


async def upload_lease(client: Client) -> str:
    uploaded = await client.upload(await client.create_engine(), FILES / "warehouse-lease.pdf")
    data_source_id: str = (await uploaded.get_json())["id"]
    return data_source_id


async def link_to(client: Client, data_source_id: str) -> str:
    link = await client.get(f"/data-sources/{data_source_id}/presigned-url")
    assert list(link) == ["presigned_url"]
    url: str = link["presigned_url"]
    return url


async def follow(client: Client, link: str, **headers: str) -> Sent:
    """Follow a link without a key, to this service or to the bucket."""
    if urlsplit(link).path.startswith("/files/"):
        anybody = Client(client.app, client.services, key="")
        response = await anybody.call("GET", urlsplit(link).path, headers=headers)
        content = await response.get_data(as_text=False)
        return Sent(response.status_code, content, httpx.Headers(list(response.headers)))
    async with httpx.AsyncClient() as http:
        answer = await http.get(link, headers=headers)
    return Sent(answer.status_code, answer.content, answer.headers)


async def test_link_sends_the_original_with_its_name_and_type(client: Client, lease: str) -> None:
    sent = await follow(client, await link_to(client, lease))

    assert (sent.status, sent.content) == (200, LEASE)
    assert sent.headers["Content-Type"] == "application/pdf"
    assert sent.headers["Accept-Ranges"] == "bytes"
    name = sent.headers["Content-Disposition"]
    assert name == "attachment; filename*=UTF-8''warehouse-lease.pdf"


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param("bytes=0-9", LEASE[:10], id="beginning"),
        pytest.param("bytes=100-", LEASE[100:], id="rest"),
        pytest.param("bytes=0-", LEASE, id="all"),
        pytest.param("bytes=-5", LEASE[-5:], id="end"),
        pytest.param(f"bytes=-{len(LEASE) + 1}", LEASE, id="more than all"),
        pytest.param(f"bytes=7-{10 * len(LEASE)}", LEASE[7:], id="over the end"),
    ],
)
async def test_range_sends_that_part(
    client: Client, lease: str, asked: str, expected: bytes
) -> None:
    sent = await follow(client, await link_to(client, lease), Range=asked)

    start = LEASE.index(expected)
    part = f"bytes {start}-{start + len(expected) - 1}/{len(LEASE)}"
    assert (sent.status, sent.content) == (206, expected)
    assert sent.headers["Content-Range"] == part
    assert sent.headers["Content-Length"] == str(len(expected))


async def test_range_outside_the_file_is_refused(client: Client, lease: str) -> None:
    sent = await follow(client, await link_to(client, lease), Range="bytes=999999-")

    assert sent.status == 416
    assert LEASE not in sent.content


async def test_range_outside_the_file_is_refused_in_the_form_of_all_errors(client: Client) -> None:
    sent = await follow(
        client, await link_to(client, await upload_lease(client)), Range="bytes=999999-"
    )

    assert sent.headers["Content-Range"] == f"bytes */{len(LEASE)}"
    assert sent.headers["Content-Type"] == "application/json"
    assert json.loads(sent.content) == {"error": f"the file has only {len(LEASE)} bytes"}


@pytest.mark.parametrize("asked", ["lines=0-9", "bytes=9-0", "bytes=0-1,5-6", "nonsense"])
async def test_range_that_is_none_of_these_means_the_whole(onlooker: Client, asked: str) -> None:
    lease = await upload_lease(onlooker)

    sent = await follow(onlooker, await link_to(onlooker, lease), Range=asked)

    assert (sent.status, sent.content) == (200, LEASE)


async def test_head_of_a_part_is_that_of_the_whole(client: Client) -> None:
    path = urlsplit(await link_to(client, await upload_lease(client))).path

    response = await client.call("HEAD", path, headers={"Range": "bytes=0-9"})

    assert (response.status_code, response.headers["Content-Length"]) == (200, str(len(LEASE)))
    assert "Content-Range" not in response.headers


@pytest.mark.parametrize(
    "tag", ['"another"', 'W/"another"', "Mon, 04 Mar 2024 10:00:00 GMT"], ids=lambda tag: tag[:5]
)
async def test_part_of_another_version_is_not_sent_but_the_whole(
    onlooker: Client, tag: str
) -> None:
    link = await link_to(onlooker, await upload_lease(onlooker))

    sent = await follow(onlooker, link, **{"Range": "bytes=0-9", "If-Range": tag})

    assert (sent.status, sent.content) == (200, LEASE)
    assert "Content-Range" not in sent.headers


async def test_link_dies_with_its_data_source(client: Client, lease: str) -> None:
    link = await link_to(client, lease)
    await client.call("DELETE", f"/api/v1/data-sources/{lease}")

    assert (await follow(client, link)).status == 404


async def test_link_dies_with_the_key_that_asked_for_it(
    client: Client, services: Services, lease: str
) -> None:
    link = await link_to(client, lease)
    async with services.database.transaction() as session:
        (key,) = await select_api_keys(session)
        await update_revoked(session, key.id or 0)

    # A link of a bucket is the bucket's: it lasts as long as it says.
    is_ours = "/files/" in link
    assert (await follow(client, link)).status == (404 if is_ours else 200)


async def test_link_to_a_file_that_is_gone_leads_nowhere(
    client: Client, lease: str, files: FileStore
) -> None:
    link = await link_to(client, lease)
    [engine] = await client.get("/knowledge-engines")
    await files.delete([f"{engine['id']}/{lease}"])

    assert (await follow(client, link)).status == 404


async def test_strangers_get_no_link(client: Client, stranger: Client, lease: str) -> None:
    failure = await stranger.error("GET", f"/data-sources/{lease}/presigned-url")

    assert failure == (404, "data source not found")


async def test_altered_link_leads_nowhere(client: Client) -> None:
    link = await link_to(client, await upload_lease(client))
    path = urlsplit(link).path

    response = await client.call("GET", path[:-2] + "xx")

    assert response.status_code == 404
    assert await response.get_json() == {"error": "file not found"}


async def test_link_to_a_bucket_is_its_own_and_lasts_as_long(
    client: Client, bucket: S3Server
) -> None:
    link = await link_to(client, await upload_lease(client))

    assert link.startswith(f"{bucket.address}/{bucket.bucket}/some/prefix/kng_")
    assert f"X-Amz-Expires={LINK_SECONDS}&" in link


async def test_page_in_a_bucket_is_not_shown_in_place(client: Client, bucket: S3Server) -> None:
    uploaded = await client.upload(await client.create_engine(), FILES / "opening-hours.html")

    sent = await follow(client, await link_to(client, (await uploaded.get_json())["id"]))

    assert sent.headers["Content-Type"] == "text/html"
    assert sent.headers["Content-Disposition"].startswith("attachment;")


@pytest.mark.usefixtures("s3")
async def test_storage_that_is_away_is_told_and_the_upload_can_be_repeated(
    client: Client, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine_id = await client.create_engine()
    there = services.files
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    services.files = FileStore("s3://bucket")

    refused = await client.upload(engine_id, FILES / "warehouse-lease.pdf")
    services.files = there
    accepted = await client.upload(engine_id, FILES / "warehouse-lease.pdf")

    assert await refused.get_json() == {"error": "the file store does not answer"}
    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert accepted.status_code == 201


@pytest.mark.usefixtures("s3")
async def test_document_waits_for_a_storage_that_is_away(
    client: Client, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    data_source_id = await upload_lease(client)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    services.files = FileStore("s3://bucket")

    with pytest.raises(FileStoreAway):
        await read_data_source(services, data_source_id)

    assert (await client.get(f"/data-sources/{data_source_id}"))["stage"] == "queued"
