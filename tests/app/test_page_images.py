import asyncio
from pathlib import Path
from typing import Any

import pytest

from app.file_store import FileStore
from app.models.data_source import DataSource, lock_data_source
from app.page_images import PageImage, page_image
from app.services import Services
from app.work_line import WorkLine
from config.errors import NotFound, Unavailable
from indexing.partition.processes.page_renderer import PDF, PNG
from tests.client import Client
from tests.conftest import FILES
from tests.files.colours import BLUE, GREEN, RED, colour_of, coloured_pdf, coloured_png
from tests.libreoffice import needs_libreoffice


@pytest.fixture
async def coloured(client: Client, services: Services) -> DataSource:
    """A document with a red and a blue page, uploaded and not yet read."""
    return await uploaded(client, services, coloured_pdf(RED, BLUE))


async def uploaded(client: Client, services: Services, file: Path | bytes) -> DataSource:
    response: Any = await (await client.upload(await client.create_engine(), file)).get_json()
    async with services.database.reading() as session:
        return await session.get_one(DataSource, response["id"])


def kept(services: Services, data_source: DataSource) -> dict[str, Path]:
    """Return the files that were made of a document, by their names."""
    folder = services.settings.data_dir / "files" / f"{data_source.blob_key}.made"
    return {path.name: path for path in folder.iterdir()} if folder.exists() else {}


async def test_page_is_drawn_once(services: Services, coloured: DataSource) -> None:
    drawn = await page_image(services, coloured, 2)
    kept(services, coloured)[f"2-{PNG}"].write_bytes(coloured_png(GREEN))
    shown = await page_image(services, coloured, 2)

    assert colour_of(drawn.png) == BLUE
    assert colour_of(shown.png) == GREEN


async def test_of_two_requests_at_once_both_get_the_page(
    services: Services, coloured: DataSource
) -> None:
    images = await asyncio.gather(*(page_image(services, coloured, 1) for _ in range(4)))

    assert set(images) == {PageImage(images[0].png)}
    assert colour_of(images[0].png) == RED


async def test_nothing_is_left_of_the_work_on_a_page(
    services: Services, coloured: DataSource
) -> None:
    await page_image(services, coloured, 1)
    with pytest.raises(NotFound, match="page not found"):
        await page_image(services, coloured, 3)

    assert list(services.settings.work_dir.iterdir()) == []
    assert set(kept(services, coloured)) == {f"1-{PNG}", "1-lines.json"}


@needs_libreoffice
async def test_office_document_is_converted_once(client: Client, services: Services) -> None:
    handbook = await uploaded(client, services, FILES / "supplier-handbook.docx")

    await page_image(services, handbook, 1)
    kept(services, handbook)[PDF].write_bytes(coloured_pdf(RED, BLUE))
    second = await page_image(services, handbook, 2)

    assert colour_of(second.png) == BLUE


@needs_libreoffice
async def test_words_are_marked_where_libreoffice_put_them(
    client: Client, services: Services
) -> None:
    handbook = await uploaded(client, services, FILES / "supplier-handbook.docx")

    plain = await page_image(services, handbook, 1)
    marked = await page_image(services, handbook, 1, "Orders are placed")

    assert (plain.highlighted_lines, marked.highlighted_lines) == (0, 1)
    assert marked.png != plain.png


async def test_recognised_words_are_marked_in_a_scan(client: Client, services: Services) -> None:
    receipt = await uploaded(client, services, FILES / "receipt.png")
    await client.read_all(receipt.knowledge_engine_id)

    marked = await page_image(services, receipt, 1, "Total")

    assert marked.highlighted_lines >= 1


async def test_page_waits_for_its_turn_only_to_be_drawn(
    services: Services, coloured: DataSource
) -> None:
    await page_image(services, coloured, 1)
    services.drawings = WorkLine(at_work=1, longest_line=0)

    async with services.drawings.turn():
        shown = await page_image(services, coloured, 1)
        with pytest.raises(Unavailable):
            await page_image(services, coloured, 2)

    assert colour_of(shown.png) == RED


async def test_cancelled_request_frees_its_turn(services: Services, coloured: DataSource) -> None:
    services.drawings = WorkLine(at_work=1, longest_line=0)
    request = asyncio.create_task(page_image(services, coloured, 1))
    await asyncio.sleep(0.1)

    request.cancel()
    await asyncio.wait([request])

    assert colour_of((await page_image(services, coloured, 2)).png) == BLUE


async def test_of_a_document_that_was_deleted_meanwhile_nothing_is_kept(
    client: Client, services: Services, coloured: DataSource, tmp_path: Path
) -> None:
    await client.call("DELETE", f"/api/v1/data-sources/{coloured.id}")
    (tmp_path / "late").write_bytes(coloured_pdf(RED))
    await services.files.save(coloured.blob_key, tmp_path / "late")

    with pytest.raises(NotFound, match="data source not found"):
        await page_image(services, coloured, 1)

    assert kept(services, coloured) == {}


async def test_deletion_waits_until_a_page_is_kept_and_takes_it_along(
    client: Client, services: Services, coloured: DataSource, tmp_path: Path
) -> None:
    (tmp_path / "page").write_bytes(coloured_png(RED))
    key = f"{coloured.blob_key}.made/1-{PNG}"

    async with services.database.transaction() as session:
        assert await lock_data_source(session, coloured.id)
        path = f"/api/v1/data-sources/{coloured.id}"
        deletion = asyncio.create_task(client.call("DELETE", path))
        await asyncio.sleep(0.2)
        await services.files.save(key, tmp_path / "page")
        has_waited = not deletion.done()

    assert (await deletion).status_code == 200
    assert has_waited
    assert await services.files.find(key) is None


async def test_file_that_is_gone_is_not_found(
    services: Services, coloured: DataSource, tmp_path: Path
) -> None:
    services.files = FileStore(f"file://{tmp_path}/empty")

    with pytest.raises(NotFound, match="file not found"):
        await page_image(services, coloured, 1)
