"""Every row of the specification's table of errors, over HTTP, letter for letter."""

from typing import Any

import pytest
from sqlalchemy import text

from app.ids import KNOWLEDGE_ENGINE, new_id
from app.models.account import select_first_account
from app.services import Services
from config.errors import AnswerFailed
from tests.client import Client
from tests.conftest import FILES
from tests.fakes import ScriptedLLM

REQUIRED = "Key: '{0}.{1}' Error:Field validation for '{1}' failed on the 'required' tag"
TOO_LONG = "Invalid {} name: exceeds maximum length of 50 characters"
ENGINES = "/knowledge-engines"
QUESTION = {"name": "n", "type": "query", "query": "When does the lease end?"}
A_MISSING_ENGINE = new_id(KNOWLEDGE_ENGINE)


async def make_engine(client: Client, state: str) -> str:
    """Make an engine that is `empty`, `waiting` for its reading, or `read`."""
    engine_id = await client.create_engine()
    if state != "empty":
        await client.upload(engine_id, FILES / "supplier-handbook.docx")
    if state == "read":
        await client.read_all(engine_id)
    return engine_id


@pytest.mark.parametrize(
    ("engine_state", "changes", "message"),
    [
        pytest.param(
            "waiting", {}, "knowledge engine is not ready, current status: processing", id="waiting"
        ),
        pytest.param("empty", {}, "knowledge engine has no active data sources", id="empty"),
        pytest.param("read", {"model": "gpt-9"}, "Model gpt-9 not supported", id="model"),
        pytest.param(
            "read", {"model": "delta-4.1"}, "Model Delta 4.1 is not enabled", id="disabled model"
        ),
        pytest.param(
            "empty", {"query": None}, REQUIRED.format("{request}", "Query"), id="no query"
        ),
        pytest.param("empty", {"name": "n" * 51}, TOO_LONG.format("workflow"), id="long name"),
    ],
)
async def test_question_that_cannot_be_asked(
    client: Client, services: Services, engine_state: str, changes: dict[str, Any], message: str
) -> None:
    await disable(services, "delta-4.1")
    engine_id = await make_engine(client, engine_state)
    body = QUESTION | {"knowledge_engine_id": engine_id} | changes

    asked = await client.error("POST", "/workflows", json=body)
    streamed = await client.error("POST", f"{ENGINES}/{engine_id}/query", json=body)

    assert asked == (400, message.format(request="WorkflowRequest"))
    assert streamed == (400, message.format(request="QueryRequest"))


@pytest.mark.parametrize(
    ("call", "options", "status", "message"),
    [
        pytest.param(
            "GET /knowledge-engines/kb_1", {}, 400, "Invalid knowledge engine ID", id="id"
        ),
        pytest.param(
            "POST /workflows",
            {"json": QUESTION | {"knowledge_engine_id": "42"}},
            400,
            "Invalid knowledge engine ID",
            id="id in a body",
        ),
        pytest.param(
            f"GET /knowledge-engines/{A_MISSING_ENGINE}",
            {},
            404,
            "knowledge engine not found",
            id="missing engine",
        ),
        pytest.param(
            "POST /workflows",
            {"json": QUESTION | {"knowledge_engine_id": A_MISSING_ENGINE}},
            400,
            "knowledge engine not found",
            id="missing engine in a body",
        ),
        pytest.param(
            "POST /knowledge-engines",
            {"json": {}},
            400,
            REQUIRED.format("KnowledgeEngineRequest", "Name"),
            id="required field",
        ),
        pytest.param(
            "POST /knowledge-engines",
            {"data": '{"name": oops}', "headers": {"Content-Type": "application/json"}},
            400,
            "Expecting value: line 1 column 10 (char 9)",
            id="malformed JSON",
        ),
        pytest.param(
            "POST /knowledge-engines",
            {"json": {"name": "n" * 51}},
            400,
            TOO_LONG.format("knowledge engine"),
            id="long name",
        ),
    ],
)
async def test_request_that_cannot_be_carried_out(
    onlooker: Client, call: str, options: dict[str, Any], status: int, message: str
) -> None:
    method, path = call.split()

    assert await onlooker.error(method, path, **options) == (status, message)


@pytest.mark.parametrize("key", ["", "ke-" + "x" * 40, "nonsense"], ids=["none", "unknown", "bad"])
async def test_missing_or_invalid_key(onlooker: Client, key: str) -> None:
    client = Client(onlooker.app, onlooker.services, key)

    assert await client.error("GET", ENGINES) == (401, "Unauthorized")


async def test_engine_of_another_account(client: Client, stranger: Client) -> None:
    body = QUESTION | {"knowledge_engine_id": await stranger.create_engine()}

    assert await client.error("POST", "/workflows", json=body) == (
        400,
        "knowledge engine not found",
    )


async def test_duplicate_file(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()
    await onlooker.upload(engine_id, FILES / "supplier-handbook.docx")

    again = await onlooker.upload(engine_id, FILES / "supplier-handbook.docx")

    assert again.status_code == 400
    assert await again.get_json() == {"error": "Duplicate file"}


async def test_answer_generation_failure(client: Client, llm: ScriptedLLM) -> None:
    engine_id = await make_engine(client, "read")
    llm.answers = [[AnswerFailed("the model provider failed")] for _ in range(2)]
    message = "Failed to process query: the model provider failed"

    body = QUESTION | {"knowledge_engine_id": engine_id}
    asked = await client.error("POST", "/workflows", json=body)
    (streamed,) = await client.query(engine_id, "When?")

    assert asked == (500, message)
    assert (streamed.event, streamed.data) == ("error", {"error": message})


async def test_database_failure_during_creation(
    client: Client, services: Services, llm: ScriptedLLM
) -> None:
    engine_id = await make_engine(client, "read")
    llm.answers = [["In March."], ["In March."]]
    await execute(services, "DROP TABLE workflow CASCADE")
    message = "Failed to create workflow: the database did not store it"

    body = QUESTION | {"knowledge_engine_id": engine_id}
    asked = await client.error("POST", "/workflows", json=body)
    (_, streamed) = await client.query(engine_id, "When?")

    assert asked == (500, message)
    assert (streamed.event, streamed.data) == ("error", {"error": message})


async def test_vector_search_unavailable(client: Client, services: Services) -> None:
    engine_id = await make_engine(client, "read")
    await execute(services, f"DROP TABLE data_{engine_id}")
    message = "Failed to retrieve documents: UndefinedTable"

    body = QUESTION | {"knowledge_engine_id": engine_id}
    retrieved = await client.error("POST", f"{ENGINES}/{engine_id}/retrieve", json={"query": "q"})
    asked = await client.error("POST", "/workflows", json=body)
    (streamed,) = await client.query(engine_id, "When?")

    assert retrieved == asked == (500, message)
    assert (streamed.event, streamed.data) == ("error", {"error": message})


async def disable(services: Services, model: str) -> None:
    async with services.database.transaction() as session:
        account = await select_first_account(session)
        assert account is not None
        account.disabled_models = [model]


async def execute(services: Services, statement: str) -> None:
    async with services.database.transaction() as session:
        await (await session.connection()).execute(text(statement))
