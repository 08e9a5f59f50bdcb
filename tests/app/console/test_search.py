import pytest

from tests.app.console.browser import Browser, text_of
from tests.client import Client
from tests.conftest import ReadLease


async def test_passages_are_shown_best_first_with_their_scores(
    browser: Browser, client: Client, engine: str
) -> None:
    body = {"query": "yearly rent", "top_k": 2}
    found = await client.post(f"/knowledge-engines/{engine}/retrieve", **body)

    part = await browser.part("GET", f"/engines/{engine}/search?query=yearly+rent&top_k=2")

    scores = [one.text_content().strip() for one in part.xpath("//*[@class='score']")]
    assert scores == [f"{chunk['score']:.3f}" for chunk in found["chunks"]]
    passages = [one.text_content() for one in part.xpath("//p[@class='passage']")]
    assert passages == [chunk["content"] for chunk in found["chunks"]]


async def test_search_can_be_limited_to_a_document(
    browser: Browser, client: Client, engine: str
) -> None:
    ticket = await client.post(
        "/data-sources",
        name="Roof",
        type="ticket",
        knowledge_engine_id=engine,
        content="The roof leaks.",
    )
    await client.read_all(engine)

    path = f"/engines/{engine}/search?query=rent&data_source_id={ticket['id']}"
    part = await browser.part("GET", path)

    assert text_of(part, "//p[@class='passage']") == "The roof leaks."


async def test_page_of_a_search_can_be_loaded_as_a_whole(browser: Browser, engine: str) -> None:
    root = await browser.page(f"/engines/{engine}/search?query=rent")

    assert root.xpath("//input[@name='query']/@value") == ["rent"]
    assert root.xpath("//li[contains(@class, 'chunk')]")


@pytest.mark.parametrize("top_k", ["0", "21", "x", "-1", "%C2%B2", "9" * 5000])
async def test_number_of_passages_is_checked(
    visitor: Browser, read_lease: ReadLease, top_k: str
) -> None:
    path = f"/engines/{read_lease.engine_id}/search?query=rent&top_k={top_k}"

    status, message = await visitor.refusal("GET", path)

    assert (status, message) == (400, "The number of passages is a number from 1 to 20.")
