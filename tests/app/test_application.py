import re

from quart import Quart, session

from app.services import Services
from tests.client import Client
from tests.conftest import FILES

API = "/api/v1"


async def test_unknown_route_is_told_in_the_body_of_all_errors(client: Client) -> None:
    assert await client.error("GET", "/nowhere") == (404, "Not Found")


async def test_wrong_method_is_told_in_the_body_of_all_errors(client: Client) -> None:
    assert await client.error("PATCH", "/knowledge-engines") == (405, "Method Not Allowed")


async def test_home_is_the_console(app: Quart, services: Services) -> None:
    headers = {"Accept": "text/html"}

    response = await Client(app, services, key="").call("GET", "/", headers=headers)

    assert (response.status_code, response.headers["Location"]) == (303, "/sign-in")


async def test_reference_loads_nothing_from_elsewhere(app: Quart, services: Services) -> None:
    nobody = Client(app, services, key="")

    page = await (await nobody.call("GET", "/docs")).get_data(as_text=True)

    assert re.findall(r"https?://[^\"' ]+", page) == []
    sources = re.findall(r"(?:src|href)=\"(/[^\"]+)\"", page)
    assert len(sources) >= 2
    assert {(await nobody.call("GET", source)).status_code for source in sources} == {200}


async def test_every_endpoint_is_described(app: Quart, services: Services) -> None:
    description = await (
        await Client(app, services, key="").call("GET", "/openapi.json")
    ).get_json()

    assert description["info"]["version"] == "1.0.0"
    served = {
        re.sub(r"<(\w+)>", r"{\1}", rule.rule)
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith(API)
    }
    assert served == {path for path in description["paths"] if path.startswith(API)}
    assert list(description["components"]["securitySchemes"]) == ["basic", "bearer"]


async def test_assets_of_the_reference_are_only_its_own(app: Quart, services: Services) -> None:
    nobody = Client(app, services, key="")

    for name in ("../__init__.py", "%2e%2e/__init__.py", "nothing.js"):
        assert (await nobody.call("GET", f"/docs/assets/{name}")).status_code == 404


async def test_answers_are_prepared_when_somebody_has_something_to_ask_about(
    client: Client, services: Services
) -> None:
    awake = []
    engine_id = await client.create_engine()
    awake.append(services.is_awake)
    await client.add(engine_id, FILES / "warehouse-lease.pdf")
    services.is_awake = False
    await Client(client.app, services, key="").call("GET", "/api/v1/workflows")
    awake.append(services.is_awake)
    await client.get("/workflows")
    awake.append(services.is_awake)

    assert awake == [False, False, True]


async def test_quart_keeps_no_sessions(app: Quart) -> None:
    app.secret_key = "known"

    async with app.test_request_context("/healthz"):
        assert app.session_interface.is_null_session(session)
