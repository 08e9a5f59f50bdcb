import json

from app.models.data_source_page import DataSourcePage, insert_pages, select_pages
from app.services import Services
from indexing.types import Block, BlockKind, Page, ReadBy
from tests.client import Client
from tests.conftest import FILES

TABLE = Block(BlockKind.TABLE, "Pallet jack | 310", header="Item | Price")
PLACED = Block(BlockKind.TEXT, "One\nTwo", line_boxes=((0.1, 0.2, 0.3, 0.4), None))
PAGE = Page(3, (Block(BlockKind.TEXT, "Two words"), TABLE), warning="blurred", read_by=ReadBy.OCR)


def test_page_comes_back_as_it_was_read() -> None:
    row = DataSourcePage.from_page("ds_1", 2, PAGE)

    assert row.to_page() == PAGE
    assert (row.words, row.tables) == (6, 1)


def test_words_without_blanks_are_counted() -> None:
    page = Page(1, (Block(BlockKind.TEXT, "灯油很贵" * 75),))

    assert DataSourcePage.from_page("ds_1", 0, page).words == 150


def test_places_of_lines_come_back() -> None:
    row = DataSourcePage.from_page("ds_1", 0, Page(1, (PLACED,)))
    row.blocks = json.loads(json.dumps(row.blocks))

    (block,) = row.to_page().blocks

    assert block.line_boxes == PLACED.line_boxes


def test_page_stored_before_there_were_places_is_read() -> None:
    row = DataSourcePage.from_page("ds_1", 2, PAGE)
    row.blocks = [values[:3] for values in row.blocks]

    assert row.to_page() == PAGE


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
