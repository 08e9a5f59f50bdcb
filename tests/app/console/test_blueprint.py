from quart import Quart

from app.services import Services
from tests.client import Client


async def test_pages_are_not_part_of_the_reference(app: Quart, services: Services) -> None:
    nobody = Client(app, services, key="")

    described = await (await nobody.call("GET", "/openapi.json")).get_json()

    pages = {rule.rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("console.")}
    assert "/keys" in pages
    assert not {path for path in described["paths"] if path in pages}
