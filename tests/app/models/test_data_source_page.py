from app.models.data_source_page import DataSourcePage, insert_pages, select_pages
from app.services import Services
from indexing.types import Block, BlockKind, Page, ReadBy
from tests.client import Client
from tests.conftest import FILES

TABLE = Block(BlockKind.TABLE, "Pallet jack | 310", header="Item | Price")
PAGE = Page(3, (Block(BlockKind.TEXT, "Two words"), TABLE), warning="blurred", read_by=ReadBy.OCR)


def test_page_comes_back_as_it_was_read() -> None:
    row = DataSourcePage.from_page("ds_1", 2, PAGE)

    assert row.to_page() == PAGE
    assert (row.words, row.tables) == (6, 1)


async def test_page_that_is_there_stays(client: Client, services: Services, engine: str) -> None:
    [data_source] = await client.get(f"/knowledge-engines/{engine}/data-sources")

    async with services.database.transaction() as session:
        before = await select_pages(session, data_source["id"])
        await insert_pages(session, data_source["id"], 0, [PAGE])
        after = await select_pages(session, data_source["id"])

    assert [page.to_page() for page in after] == [page.to_page() for page in before]


async def test_pages_tell_how_they_were_read(client: Client, engine: str) -> None:
    [data_source] = await client.get(f"/knowledge-engines/{engine}/data-sources")

    pages = await client.get(f"/data-sources/{data_source['id']}/pages")

    assert [page["page_number"] for page in pages] == [1, 2, 3]
    assert all(page["read_by"] == "text" and page["words"] > 10 for page in pages)
    assert pages[0]["warning"] is None


async def test_reading_goes_on_behind_the_pages_it_has(client: Client, services: Services) -> None:
    engine = await client.create_engine()
    uploaded = await (await client.upload(engine, FILES / "warehouse-lease.pdf")).get_json()
    kept = Page(1, (Block(BlockKind.TEXT, "What an earlier attempt has read."),))
    async with services.database.transaction() as session:
        await insert_pages(session, uploaded["id"], 0, [kept])

    await client.read_all(engine)

    pages = await client.get(f"/data-sources/{uploaded['id']}/pages")
    assert [page["page_number"] for page in pages] == [1, 2, 3]
    assert pages[0]["words"] == 6


async def test_strangers_see_no_pages(client: Client, stranger: Client, engine: str) -> None:
    [data_source] = await client.get(f"/knowledge-engines/{engine}/data-sources")

    failure = await stranger.error("GET", f"/data-sources/{data_source['id']}/pages")

    assert failure == (404, "data source not found")
