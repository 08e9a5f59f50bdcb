import re

import pytest
from quart import Quart

from app.console.protection import HEADERS, POLICY
from app.services import Services
from tests.app.console.browser import HTML, Browser
from tests.client import Client
from tests.conftest import ReadLease
from tests.fakes import ScriptedLLM

EVIL = "<img src=x onerror=alert(1)>"

PAGES = ["/", "/keys", "/models", "/usage", "/account", "/sign-in", "/welcome?token=x", "/nowhere"]


@pytest.mark.parametrize("path", PAGES)
async def test_page_forbids_what_is_not_a_file_of_the_service(visitor: Browser, path: str) -> None:
    response = await visitor.get(path)

    assert {name: response.headers[name] for name in HEADERS} == HEADERS
    assert response.headers["Cache-Control"] == "no-store"
    assert "unsafe" not in POLICY


@pytest.mark.parametrize("part", ["", "/ask", "/search", "/extract", "/settings"])
async def test_page_of_an_engine_forbids_it_too(
    visitor: Browser, read_lease: ReadLease, part: str
) -> None:
    response = await visitor.get(f"/engines/{read_lease.engine_id}{part}")

    assert response.status_code == 200
    assert response.headers["Content-Security-Policy"] == POLICY


@pytest.mark.parametrize("path", PAGES)
async def test_page_brings_no_script_or_style_in_itself(visitor: Browser, path: str) -> None:
    text = await (await visitor.get(path)).get_data(as_text=True)

    assert re.findall(r"<script(?![^>]* src=)", text) == []
    assert re.findall(r"<style|\sstyle=|\son\w+=|javascript:", text) == []
    loaded = re.findall(r'<(?:script|link)[^>]* (?:src|href)="([^"]+)"', text)
    assert loaded
    for address in loaded:
        assert (await visitor.get(address)).status_code == 200


async def test_assets_are_only_those_of_the_console(app: Quart, client: Client) -> None:
    for name in ("../__init__.py", "%2e%2e/sessions.py", "nothing.js"):
        assert (await client.call("GET", f"/assets/{name}")).status_code == 404


async def test_evil_names_and_texts_are_shown_and_not_run(
    browser: Browser, client: Client, services: Services, llm: ScriptedLLM
) -> None:
    engine_id = await client.create_engine(EVIL)
    await client.post(
        "/data-sources",
        name=EVIL,
        type="ticket",
        knowledge_engine_id=engine_id,
        content=f"The deposit is 12,000 pounds. {EVIL}",
        notes={EVIL: EVIL},
    )
    await client.read_all(engine_id)
    llm.answers = [[f"The deposit is 12,000 pounds <source_id=1>. {EVIL} [x](javascript:alert(1))"]]
    workflow = await client.ask(engine_id, EVIL)
    (ticket,) = await client.get(f"/knowledge-engines/{engine_id}/data-sources")
    await browser.act("POST", "/keys", name=EVIL)

    context = workflow["context_id"]
    for path in (
        "/",
        "/keys",
        f"/engines/{engine_id}",
        f"/engines/{engine_id}/settings",
        f"/engines/{engine_id}/extract",
        f"/engines/{engine_id}/ask?context={context}",
        f"/engines/{engine_id}/search?query=deposit",
        f"/documents/{ticket['id']}",
    ):
        root = await browser.page(path)
        assert EVIL in root.text_content(), path
        assert root.xpath("//img[@src='x'] | //*[@onerror]") == [], path
        assert root.xpath("//a[starts-with(@href, 'javascript')]") == [], path


async def test_evil_text_of_an_error_is_shown_and_not_run(browser: Browser) -> None:
    response = await browser.client.get(f"/{EVIL}", headers=HTML)

    assert EVIL not in await response.get_data(as_text=True)
