import json
from io import BytesIO

from werkzeug.datastructures import FileStorage

from tests.app.console.browser import Browser, text_of
from tests.client import Client
from tests.conftest import FILES

LEASE = FILES / "warehouse-lease.pdf"


async def test_file_is_uploaded_and_its_row_shows_how_far_it_is(
    browser: Browser, client: Client
) -> None:
    engine_id = await client.create_engine()

    uploaded = await upload(browser, engine_id, LEASE.name, LEASE.read_bytes())
    root = await browser.page(f"/engines/{engine_id}/documents")

    assert uploaded == (201, "")
    assert text_of(root, "//tbody//td[@class='name']/a") == "warehouse-lease.pdf"
    assert root.xpath("//tbody//progress/@value") == ["0.0"]
    assert root.xpath("//*[@id='documents']/@hx-trigger") == ["every 1500ms"]


async def test_row_of_a_read_document_has_its_outcome(browser: Browser, engine: str) -> None:
    root = await browser.page(f"/engines/{engine}")

    assert text_of(root, "//tbody//*[contains(@class, 'badge')]") == "ready"
    assert text_of(root, "//td[@data-label='Pages']") == "3"
    assert root.xpath("//*[@id='documents']/@hx-trigger") == []


async def test_refused_file_is_told_as_the_api_tells_it(browser: Browser, engine: str) -> None:
    refused = await upload(browser, engine, LEASE.name, LEASE.read_bytes())

    assert refused == (400, "Duplicate file")


async def test_upload_without_a_file_is_refused(browser: Browser, engine: str) -> None:
    status, message = await browser.refusal("POST", f"/engines/{engine}/documents", name="x")

    assert (status, message) == (400, "Choose a file.")


async def test_document_that_failed_says_what_to_do(browser: Browser, client: Client) -> None:
    engine_id = await client.create_engine()
    await upload(browser, engine_id, "page.html", b"<html><body></body></html>")
    await client.read_all(engine_id)

    (failed,) = await client.get(f"/knowledge-engines/{engine_id}/data-sources")
    root = await browser.page(f"/documents/{failed['id']}")

    assert failed["outcome"] == "failed"
    assert text_of(root, "//section//p[contains(@class, 'alert bad')]") == failed["error"]


async def test_ledger_says_how_each_page_was_read(
    browser: Browser, client: Client, engine: str
) -> None:
    (lease,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    pages = await client.get(f"/data-sources/{lease['id']}/pages")

    root = await browser.page(f"/documents/{lease['id']}")

    rows = [row.text_content().split() for row in root.xpath("//table//tbody/tr")]
    assert [row[:2] for row in rows] == [["Page", "1"], ["Page", "2"], ["Page", "3"]]
    assert [row[4] for row in rows] == [str(page["words"]) for page in pages]


async def test_original_file_is_behind_a_signed_link(
    browser: Browser, client: Client, engine: str
) -> None:
    (lease,) = await client.get(f"/knowledge-engines/{engine}/data-sources")

    response = await browser.get(f"/documents/{lease['id']}/file")

    link = response.headers["Location"]
    assert (await (await browser.get(link)).get_data()) == LEASE.read_bytes()


async def test_page_is_shown_as_the_api_draws_it(
    browser: Browser, client: Client, engine: str
) -> None:
    (lease,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    path = f"/documents/{lease['id']}/pages/2"

    root = await browser.page(f"{path}?highlight=deposit+%22of")
    (source,) = root.xpath("//figure/img/@src")
    image = await browser.get(source)

    assert source == f"{path}.png?highlight=deposit+%22of"
    assert (image.status_code, image.content_type) == (200, "image/png")


async def test_ticket_is_added_as_text(browser: Browser, client: Client) -> None:
    engine_id = await client.create_engine()

    part = await browser.part(
        "POST", f"/engines/{engine_id}/tickets", name="Door", content="The gate does not close."
    )

    (ticket,) = await client.get(f"/knowledge-engines/{engine_id}/data-sources")
    assert (ticket["type"], ticket["name"]) == ("ticket", "Door")
    assert "The gate does not close." in text_of(part, "//*[@id='snippet-python']")


async def test_document_is_deleted(browser: Browser, client: Client, engine: str) -> None:
    (lease,) = await client.get(f"/knowledge-engines/{engine}/data-sources")

    response = await browser.act("DELETE", f"/documents/{lease['id']}")

    assert response.headers["HX-Redirect"] == f"/engines/{engine}"
    assert await client.get(f"/knowledge-engines/{engine}/data-sources") == []


async def test_ticked_documents_are_deleted(browser: Browser, client: Client, engine: str) -> None:
    await client.upload(engine, b"Another lease.", name="another")
    lease, _ = await client.get(f"/knowledge-engines/{engine}/data-sources")

    await browser.part("POST", f"/engines/{engine}/documents/delete", id=lease["id"])

    (left,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    assert left["name"] == "another"


async def test_nothing_ticked_deletes_nothing(browser: Browser, engine: str) -> None:
    refused = await browser.refusal("POST", f"/engines/{engine}/documents/delete", other="x")

    assert refused == (400, "Tick the documents to delete.")


async def test_long_list_is_shown_in_parts(browser: Browser, client: Client) -> None:
    engine_id = await client.create_engine()
    for number in range(101):
        fields = {"type": "ticket", "knowledge_engine_id": engine_id, "content": f"{number}"}
        await client.post("/data-sources", name=f"ticket {number}", **fields)

    first = await browser.page(f"/engines/{engine_id}")
    (older,) = first.xpath("//nav[@class='pager']/a/@href")
    last = await browser.page(older)

    assert len(first.xpath("//tbody/tr")) == 100
    assert text_of(last, "//tbody/tr/td[@class='name']/a") == "ticket 0"


async def upload(browser: Browser, engine_id: str, name: str, content: bytes) -> tuple[int, str]:
    """Send a file as the page's script does; return the status and the error, if any."""
    response = await browser.client.post(
        f"/engines/{engine_id}/documents",
        files={"file": FileStorage(BytesIO(content), filename=name)},
        headers={"X-CSRF-Token": browser.token, "Accept": "application/json"},
    )
    body = json.loads(await response.get_data(as_text=True))
    return response.status_code, body.get("error") or ""
