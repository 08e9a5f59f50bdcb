import csv
import io

import lxml.html
import pytest

from app.extracting import work_on
from app.services import Services
from tests.app.console.browser import Browser, text_of
from tests.app.test_deleting import while_deleted
from tests.client import Client

FIELDS = {
    "field_name": ["Deposit", "VAT number"],
    "description": ["What the tenant has paid as a deposit", ""],
    "type": ["currency", "id_alphanumeric"],
    "options": ["", ""],
}


pytestmark = pytest.mark.usefixtures("without_a_key")


async def test_extraction_shows_its_values_least_sure_first(
    browser: Browser, client: Client, services: Services, engine: str
) -> None:
    run_path = await start(browser, client, engine)
    before = await browser.page(run_path)
    await work_on(services, run_path.rpartition("/")[2])

    root = await browser.page(run_path)

    assert before.xpath("//*[@id='extraction']/@hx-trigger") == ["every 1s"]
    assert root.xpath("//*[@id='extraction']/@hx-trigger") == []
    confidences = [float(one) for one in root.xpath("//meter/@value")]
    assert len(confidences) == 2
    assert confidences == sorted(confidences)
    deposit = text_of(root, "//tr[td/span = 'Deposit']/td[@class='value']")
    assert deposit.startswith("12000")


async def test_evidence_of_a_value_is_one_click_away(
    browser: Browser, client: Client, services: Services, engine: str
) -> None:
    root = await finished(browser, client, services, engine)

    evidence = "//tr[td/span = 'Deposit']//dialog[contains(@class, 'sheet')]"
    assert "12,000 pounds" in text_of(root, f"{evidence}//blockquote")
    (image,) = root.xpath(f"{evidence}//img/@src")
    assert (await browser.get(image)).headers["Highlighted-Lines"] != "0"


async def test_corrected_value_is_what_the_api_returns(
    browser: Browser, client: Client, services: Services, engine: str
) -> None:
    run_path = await start(browser, client, engine)
    run_id = run_path.rpartition("/")[2]
    await work_on(services, run_id)

    await browser.part("POST", f"{run_path}/values/1", value="GB123456789")

    fields = (await client.get(f"/tool-runs/{run_id}"))["result"]["extracted_fields"]
    assert fields["VAT number"]["value"] == "GB123456789"
    assert fields["VAT number"]["confidence"] == 1
    assert fields["Deposit"]["value"] == 12000


async def test_correction_of_the_wrong_type_is_refused(
    browser: Browser, client: Client, services: Services, engine: str
) -> None:
    run_path = await start(browser, client, engine)
    await work_on(services, run_path.rpartition("/")[2])

    status, message = await browser.refusal("POST", f"{run_path}/values/0", value="a lot")

    assert (status, message) == (400, "Write the amount as a number, such as 108000.")


async def test_value_that_is_not_there_yet_cannot_be_corrected(
    browser: Browser, client: Client, engine: str
) -> None:
    run_path = await start(browser, client, engine)

    refused = await browser.refusal("POST", f"{run_path}/values/0", value="12000")

    assert refused == (400, "There is no value to correct yet.")


async def test_values_are_downloaded_as_csv_and_json(
    browser: Browser, client: Client, services: Services, engine: str
) -> None:
    run_path = await start(browser, client, engine)
    await work_on(services, run_path.rpartition("/")[2])
    await browser.part("POST", f"{run_path}/values/1", value="=cmd()")

    table = await (await browser.get(f"{run_path}.csv")).get_data(as_text=True)
    whole = await (await browser.get(f"{run_path}.json")).get_json()

    header, *rows = csv.reader(io.StringIO(table))
    assert header[:3] == ["field", "type", "value"]
    values = {row[0]: row[2] for row in rows}
    assert values["Deposit"] == "12000"
    assert not any(cell.startswith("=") for row in rows for cell in row)
    assert set(whole["result"]["extracted_fields"]) == {"Deposit", "VAT number"}


async def test_fields_of_a_run_can_be_used_again(
    browser: Browser, client: Client, engine: str
) -> None:
    run_path = await start(browser, client, engine)

    path = f"/engines/{engine}/extract?like={run_path.rpartition('/')[2]}"
    root = await browser.page(path)

    names = root.xpath("//ol[@id='fields']//input[@name='field_name']/@value")
    assert names == ["Deposit", "VAT number"]


async def test_extraction_is_deleted(browser: Browser, client: Client, engine: str) -> None:
    run_path = await start(browser, client, engine)

    response = await browser.act("DELETE", run_path)

    assert response.headers["HX-Redirect"] == f"/engines/{engine}/extract"
    assert await client.get("/tool-runs") == []


async def start(browser: Browser, client: Client, engine_id: str) -> str:
    """Begin an extraction from the lease, and return the path of its page."""
    (lease,) = await client.get(f"/knowledge-engines/{engine_id}/data-sources")
    form = FIELDS | {"data_source": lease["id"]}
    response = await browser.act("POST", f"/engines/{engine_id}/extract", **form)
    assert response.status_code == 204, await response.get_data(as_text=True)
    path: str = response.headers["HX-Redirect"]
    return path


async def finished(
    browser: Browser, client: Client, services: Services, engine_id: str
) -> lxml.html.HtmlElement:
    run_path = await start(browser, client, engine_id)
    await work_on(services, run_path.rpartition("/")[2])
    return await browser.page(run_path)


async def test_value_of_a_run_that_is_just_being_deleted_is_not_corrected(
    browser: Browser, client: Client, services: Services, engine: str
) -> None:
    run_path = await start(browser, client, engine)
    await work_on(services, run_path.rpartition("/")[2])

    correction = await while_deleted(
        services, "tool_run", browser.refusal("POST", f"{run_path}/values/1", value="GB1")
    )

    assert correction.result()[0] == 404
