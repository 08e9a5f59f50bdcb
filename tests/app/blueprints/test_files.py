from urllib.parse import urlsplit

import pytest

from tests.client import Client
from tests.conftest import FILES

LEASE = (FILES / "warehouse-lease.pdf").read_bytes()


async def link_to_lease(client: Client, engine: str) -> str:
    """Return the path of a link to the lease."""
    [data_source] = await client.get(f"/knowledge-engines/{engine}/data-sources")
    link = await client.get(f"/data-sources/{data_source['id']}/presigned-url")
    assert list(link) == ["presigned_url"]
    return urlsplit(link["presigned_url"]).path


async def test_link_sends_the_original_without_a_key(client: Client, engine: str) -> None:
    path = await link_to_lease(client, engine)

    client.key = ""
    response = await client.call("GET", path)

    assert await response.get_data() == LEASE
    assert response.content_type == "application/pdf"
    assert "warehouse-lease.pdf" in response.headers["Content-Disposition"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param("bytes=0-9", LEASE[:10], id="beginning"),
        pytest.param("bytes=100-", LEASE[100:], id="rest"),
        pytest.param("bytes=-5", LEASE[-5:], id="end"),
    ],
)
async def test_range_sends_that_part(
    client: Client, engine: str, asked: str, expected: bytes
) -> None:
    path = await link_to_lease(client, engine)

    response = await client.call("GET", path, headers={"Range": asked})

    assert response.status_code == 206
    assert await response.get_data() == expected
    assert response.headers["Content-Range"].endswith(f"/{len(LEASE)}")


async def test_range_outside_the_file_is_refused(client: Client, engine: str) -> None:
    path = await link_to_lease(client, engine)

    response = await client.call("GET", path, headers={"Range": "bytes=999999-"})

    assert response.status_code == 416


async def test_altered_link_leads_nowhere(client: Client, engine: str) -> None:
    path = await link_to_lease(client, engine)

    response = await client.call("GET", path[:-2] + "xx")

    assert response.status_code == 404
    assert await response.get_json() == {"error": "file not found"}


async def test_link_dies_with_its_data_source(client: Client, engine: str) -> None:
    path = await link_to_lease(client, engine)
    await client.call("DELETE", f"/api/v1/knowledge-engines/{engine}")

    response = await client.call("GET", path)

    assert response.status_code == 404


async def test_strangers_get_no_link(client: Client, stranger: Client, engine: str) -> None:
    [data_source] = await client.get(f"/knowledge-engines/{engine}/data-sources")

    failure = await stranger.error("GET", f"/data-sources/{data_source['id']}/presigned-url")

    assert failure == (404, "data source not found")
