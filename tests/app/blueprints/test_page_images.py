from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from quart.wrappers import Response

from app.file_store import FileStore
from app.services import Services
from app.work_line import WorkLine
from indexing.partition.office.libreoffice import find_soffice
from tests.client import Client
from tests.conftest import FILES
from tests.fakes import ScriptedLLM
from tests.files.colours import BLUE, RED, colour_of, coloured_pdf
from tests.files.make_hostile import hostile_files
from tests.s3_server import S3Server, s3_server

HOSTILE = {hostile.name: hostile for hostile in hostile_files()}
TERM = "The lease runs for three years"
RENEWAL = "The tenant may renew it once, for two more years"
PLACE_OF_TERM = [0.1008, 0.1752, 0.791, 0.1905]


@pytest.fixture(scope="module")
def s3() -> Iterator[S3Server]:
    with s3_server() as server:
        yield server


@pytest.fixture
async def lease(client: Client, engine: str) -> str:
    """The id of the lease, read."""
    (data_source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    data_source_id: str = data_source["id"]
    return data_source_id


async def upload(client: Client, file: Path | bytes) -> str:
    response: Any = await (await client.upload(await client.create_engine(), file)).get_json()
    data_source_id: str = response["id"]
    return data_source_id


async def get_page(
    client: Client, data_source_id: str, number: int, highlight: str = "", **headers: str
) -> Response:
    return await client.call(
        "GET",
        f"/api/v1/data-sources/{data_source_id}/pages/{number}.png",
        query_string={"highlight": highlight} if highlight else {},
        headers=headers,
    )


async def picture(response: Response) -> bytes:
    assert (response.status_code, response.content_type) == (200, "image/png")
    return await response.get_data(as_text=False)


async def changes(plain: Response, marked: Response) -> Image.Image:
    """Return a picture of what differs between two pictures of a page; all else is black."""
    before = Image.open(BytesIO(await picture(plain)))
    after = Image.open(BytesIO(await picture(marked)))
    return ImageChops.difference(before.convert("RGB"), after.convert("RGB")).convert("L")


async def test_page_is_shown(client: Client) -> None:
    data_source_id = await upload(client, coloured_pdf(RED, BLUE))

    response = await get_page(client, data_source_id, 2)

    assert colour_of(await picture(response)) == BLUE
    assert response.headers["Cache-Control"] == "private, no-cache"
    assert "Highlighted-Lines" not in response.headers


async def test_page_that_the_client_has_is_not_sent_again(client: Client) -> None:
    data_source_id = await upload(client, coloured_pdf(RED))
    etag = (await get_page(client, data_source_id, 1)).headers["ETag"]

    again = await get_page(client, data_source_id, 1, **{"If-None-Match": etag})

    assert (again.status_code, await again.get_data(as_text=False)) == (304, b"")


@pytest.mark.parametrize("name", ["warehouse-lease.pdf", "price-list.csv"])
@pytest.mark.parametrize("number", [0, 4, 10**30])
async def test_page_that_is_not_there_is_not_found(
    onlooker: Client, name: str, number: int
) -> None:
    data_source_id = await upload(onlooker, FILES / name)

    error = await onlooker.error("GET", f"/data-sources/{data_source_id}/pages/{number}.png")

    assert error == (404, "page not found")


async def test_page_of_another_account_answers_as_one_that_is_not_there(
    client: Client, stranger: Client, lease: str
) -> None:
    assert (await get_page(client, lease, 1)).status_code == 200

    foreign = await stranger.error("GET", f"/data-sources/{lease}/pages/1.png?highlight=rent")
    missing = await stranger.error("GET", "/data-sources/ds_0123456789abcd/pages/1.png")

    assert foreign == missing == (404, "data source not found")


async def test_mark_covers_the_words_and_no_other_line(client: Client, lease: str) -> None:
    plain = await get_page(client, lease, 1)
    marked = await get_page(client, lease, 1, TERM)

    changed = await changes(plain, marked)

    assert marked.headers["Highlighted-Lines"] == "1"
    box, (width, height) = changed.getbbox(), changed.size
    assert box is not None
    around = [box[0] / width, box[1] / height, box[2] / width, box[3] / height]
    assert around == pytest.approx(PLACE_OF_TERM, abs=0.006)


async def test_words_that_are_not_on_the_page_leave_it_plain(client: Client, lease: str) -> None:
    plain = await get_page(client, lease, 2)
    marked = await get_page(client, lease, 2, TERM)

    assert marked.headers["Highlighted-Lines"] == "0"
    assert await picture(marked) == await picture(plain)


async def test_lines_of_a_cited_passage_that_say_what_the_answer_says_are_marked(
    client: Client, llm: ScriptedLLM, engine: str, lease: str
) -> None:
    llm.answers = [["The tenant may renew the lease once, for two more years. <source_id=1>"]]
    workflow = await client.ask(engine, "How often may the tenant renew the lease?")
    (citation,) = workflow["citations"]

    marked = await get_page(client, lease, citation["page_number"], f"{workflow['id']}:1")
    sentence = await get_page(client, lease, citation["page_number"], RENEWAL)

    assert int(marked.headers["Highlighted-Lines"]) > 0
    assert await picture(marked) == await picture(sentence)


async def test_citation_that_is_not_there_is_an_error(
    client: Client, stranger: Client, llm: ScriptedLLM, engine: str, lease: str
) -> None:
    llm.answers = [["The lease runs for three years. <source_id=1>"]]
    workflow = await client.ask(engine, "How long does the lease run?")
    other = await upload(client, coloured_pdf(RED))
    foreign = await upload(stranger, FILES / "warehouse-lease.pdf")
    not_there = (400, "citation not found")

    path = "/data-sources/{}/pages/1.png?highlight={}"

    assert await client.error("GET", path.format(lease, f"{workflow['id']}:9")) == not_there
    assert await client.error("GET", path.format(other, f"{workflow['id']}:1")) == not_there
    assert await stranger.error("GET", path.format(foreign, f"{workflow['id']}:1")) == not_there
    assert await client.error("GET", path.format(lease, "wfl_x:1")) == (400, "Invalid workflow ID")


async def test_highlight_has_a_longest(client: Client, lease: str) -> None:
    path = f"/data-sources/{lease}/pages/1.png?highlight={'a' * 2001}"

    assert await client.error("GET", path) == (
        400,
        "Key: 'PageImageRequest.Highlight' Error:Field validation for 'Highlight' failed on the "
        "'max' tag",
    )


async def test_one_request_too_many_is_told_to_come_back(
    client: Client, services: Services
) -> None:
    data_source_id = await upload(client, coloured_pdf(RED))
    services.drawings = WorkLine(at_work=1, longest_line=0)

    async with services.drawings.turn():
        refused = await get_page(client, data_source_id, 1)

    assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")


@pytest.mark.parametrize("name", ["chained filters.pdf", "promise.png", "half of fax.tiff"])
async def test_page_of_a_hostile_file_is_an_error(
    client: Client, services: Services, name: str
) -> None:
    services.settings.read_memory_mb = 500
    data_source_id = await upload(client, HOSTILE[name].make())

    status, error = await client.error("GET", f"/data-sources/{data_source_id}/pages/1.png")

    assert status == 400
    assert error.startswith("page 1 cannot be drawn: ")


@pytest.mark.skipif(find_soffice() is not None, reason="LibreOffice is installed")
async def test_without_libreoffice_an_office_document_says_what_to_do(client: Client) -> None:
    data_source_id = await upload(client, FILES / "supplier-handbook.docx")

    status, error = await client.error("GET", f"/data-sources/{data_source_id}/pages/1.png")

    assert status == 400
    assert "docx needs LibreOffice on the server (Debian: apt install" in error


async def test_pictures_of_pages_are_in_the_bucket_and_go_with_their_document(
    client: Client, services: Services, s3: S3Server
) -> None:
    bucket = s3.with_new_bucket()
    services.files = FileStore(bucket.url)
    data_source_id = await upload(client, coloured_pdf(RED, BLUE))

    pages = [await get_page(client, data_source_id, number) for number in (1, 2, 1)]
    keys = bucket.keys()
    await client.call("DELETE", f"/api/v1/data-sources/{data_source_id}")

    assert [colour_of(await picture(page)) for page in pages] == [RED, BLUE, RED]
    assert sorted(key.rpartition("/")[2] for key in keys) == sorted(
        [data_source_id, "1-page.png", "1-lines.json", "2-page.png", "2-lines.json"]
    )
    assert bucket.keys() == []
