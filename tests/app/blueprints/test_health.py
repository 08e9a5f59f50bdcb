from quart import Quart

from app.database import Database
from app.services import Services
from tests.client import Client
from tests.fakes import ScriptedLLM


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


async def test_metrics_count_requests_by_route_and_answers_by_model(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March."]]
    await client.query(engine, "When does the lease end?", model="delta-4.1")

    response = await Client(client.app, client.services, key="").call("GET", "/metrics")

    assert response.content_type.startswith("text/plain")
    lines = (await response.get_data(as_text=True)).splitlines()
    route = "/api/v1/knowledge-engines/<engine_id>/query"
    assert f'ke_requests_total{{method="POST",route="{route}",status="200"}} 1.0' in lines
    assert "ke_retrieval_seconds_count 1.0" in lines
    assert 'outcome="answered"' in "".join(lines)


async def test_metrics_tell_how_many_documents_wait(client: Client, app: Quart) -> None:
    engine_id = await client.create_engine()
    await client.upload(engine_id, b"The lease ends in March.", name="lease.txt")

    response = await client.call("GET", "/metrics")

    text = await response.get_data(as_text=True)
    assert 'ke_data_sources_processing{stage="queued"} 1.0' in text


async def test_metrics_are_there_without_the_database(app: Quart, services: Services) -> None:
    database, services.database = (
        services.database,
        Database("postgresql+psycopg://127.0.0.1:1/x", 1),
    )

    response = await Client(app, services, key="").call("GET", "/metrics")

    services.database = database
    assert response.status_code == 200
    assert "ke_data_sources_processing{" not in await response.get_data(as_text=True)
