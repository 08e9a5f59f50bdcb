from quart import Quart

from app.database import Database
from app.services import Services
from tests.client import Client


async def test_process_says_that_it_lives(app: Quart, services: Services) -> None:
    response = await Client(app, services, key="").call("GET", "/healthz")

    assert (response.status_code, await response.get_json()) == (200, {"status": "alive"})


async def test_service_says_that_it_can_serve(app: Quart, services: Services) -> None:
    response = await Client(app, services, key="").call("GET", "/readyz")

    assert (response.status_code, await response.get_json()) == (200, {"status": "ready"})


async def test_service_without_its_database_asks_for_patience(
    app: Quart, services: Services
) -> None:
    database, services.database = (
        services.database,
        Database("postgresql+psycopg://127.0.0.1:1/x", 1),
    )

    response = await Client(app, services, key="").call("GET", "/readyz")

    services.database = database
    assert response.status_code == 503
    assert await response.get_json() == {"error": "the database does not answer"}
    assert response.headers["Retry-After"] == "5"
