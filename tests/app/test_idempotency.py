import asyncio
import re
import signal
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import psycopg
import pytest
from quart import Quart
from quart.wrappers import Response
from sqlalchemy import event

from app.embedded_postgres import attach
from app.idempotency import HEADER, REPLAYED
from app.services import Services
from app.upkeep import delete_requests
from config.errors import AnswerFailed
from config.model_table import load_model_table
from tests.app.live_streams import PromptedLLM, all_done, count, execute
from tests.app.post_examples import (
    CREATED_IN,
    ENGINES,
    EXAMPLES,
    SOURCES,
    WORKFLOWS,
    a_delivery,
    a_workflow,
    answer,
)
from tests.client import Client
from tests.fakes import ScriptedLLM
from tests.ke_process import Service, kill_leftovers, new_data_dir, serving, wait_for

Send = Callable[..., Awaitable[Response]]


@pytest.fixture(autouse=True)
def one_answer(services: Services, llm: ScriptedLLM) -> None:
    """Nothing but the built-in extractor is there, and who answers does so once."""
    services.models = load_model_table(services.settings.models_file, lambda name: "")
    llm.answers = [["In March."]]


@pytest.fixture
async def source(client: Client, engine: str) -> str:
    found = await client.get(f"/knowledge-engines/{engine}/data-sources")
    return str(found[0]["id"])


@pytest.fixture
def send(client: Client, engine: str, source: str) -> Send:
    """Send an example with a key."""
    place = {"engine_id": engine}

    async def send(name: str, key: str = "k", by: Client = client) -> Response:
        route, options = EXAMPLES[name]
        if "<delivery_id>" in route and "delivery_id" not in place:
            place.update(await a_delivery(client, engine))
        path = re.sub("<(.*?)>", lambda part: place[part[1]], route)
        headers = {HEADER: key} if key else {}
        return await by.call("POST", path, headers=headers, **options(engine, source))

    return send


def post_rules(app: Quart) -> set[str]:
    rules = [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    return {rule.rule for rule in rules if rule.rule.startswith(("/api/", "/v1/"))}


def test_every_post_has_an_example(app: Quart) -> None:
    assert post_rules(app) == {route for route, _ in EXAMPLES.values()}


@pytest.mark.parametrize("name", EXAMPLES)
async def test_same_request_is_done_once_and_answered_alike(
    send: Send, services: Services, client: Client, engine: str, name: str
) -> None:
    first = await send(name)
    told = await answer(first)
    await all_done(services)
    made = await count(services, CREATED_IN[name])
    await client.read_all(engine)  # What was made changes, the answer does not.

    second = await send(name)

    assert first.status_code in (200, 201)
    assert (await answer(second), second.status_code) == (told, first.status_code)
    assert second.headers["Content-Type"] == first.headers["Content-Type"]
    assert second.headers.get("Location") == first.headers.get("Location")
    assert (first.headers.get(REPLAYED), second.headers[REPLAYED]) == (None, "true")
    assert await count(services, CREATED_IN[name]) == made


# What a replay changes is committed together with its answer.
@pytest.mark.parametrize("name", sorted(EXAMPLES.keys() - {"replay"}))
async def test_what_a_dead_process_has_made_is_answered_with(
    send: Send, services: Services, name: str
) -> None:
    told = await answer(await send(name))
    await all_done(services)
    made = await count(services, CREATED_IN[name])
    await die_before_the_answer(services)

    after = await send(name)

    assert await answer(after) == told
    assert await count(services, CREATED_IN[name]) == made
    assert await answer(await send(name)) == told


@pytest.mark.parametrize("name", sorted(EXAMPLES.keys() - {"retrieve", "replay"}))
async def test_two_at_once_make_one(send: Send, services: Services, name: str) -> None:
    before = await count(services, CREATED_IN[name])

    one, other = await asyncio.gather(send(name), send(name))

    answers = [await answer(one), await answer(other)]
    await all_done(services)
    assert answers[0] == answers[1]
    assert await count(services, CREATED_IN[name]) - before == (2 if name == "batch" else 1)


@pytest.mark.parametrize("name", EXAMPLES)
async def test_request_without_a_key_costs_no_statement(
    send: Send, services: Services, name: str
) -> None:
    statements: list[str] = []

    @event.listens_for(services.database.engine.sync_engine, "before_cursor_execute")
    def note(_: Any, __: Any, statement: str, *___: Any) -> None:
        statements.append(statement)

    await answer(await send(name, key=""))

    assert [one for one in statements if "idempotent_request" in one] == []
    assert statements


async def test_same_key_with_another_body_is_refused(client: Client) -> None:
    headers = {HEADER: "k"}
    await client.call("POST", ENGINES, json={"name": "Leases"}, headers=headers)

    error = await client.error(
        "POST", "/knowledge-engines", json={"name": "Others"}, headers=headers
    )

    assert error == (400, "the Idempotency-Key was used for another request")
    assert len(await client.get("/knowledge-engines")) == 1


async def test_same_key_with_another_address_is_refused(send: Send, client: Client) -> None:
    await send("retrieve")
    other = await client.create_engine()

    path = f"/knowledge-engines/{other}/retrieve"
    error = await client.error("POST", path, json={"query": "roof"}, headers={HEADER: "k"})

    assert error == (400, "the Idempotency-Key was used for another request")


async def test_same_key_on_another_route_is_another_request(send: Send) -> None:
    answers = [await send("engine"), await send("workflow"), await send("upload")]

    assert [one.status_code for one in answers] == [201, 201, 201]
    assert [one.headers.get(REPLAYED) for one in answers] == [None, None, None]


async def test_same_key_of_another_account_is_another_request(
    send: Send, client: Client, stranger: Client
) -> None:
    mine, theirs = await send("engine"), await send("engine", by=stranger)

    assert (await mine.get_json())["id"] != (await theirs.get_json())["id"]
    assert REPLAYED not in theirs.headers


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("x" * 256, id="too long"),
        pytest.param("a\tb", id="a control character"),
        pytest.param("", id="empty"),
    ],
)
async def test_key_of_another_form_is_refused(client: Client, key: str) -> None:
    error = await client.error(
        "POST", "/knowledge-engines", json={"name": "Leases"}, headers={HEADER: key}
    )

    assert error == (400, "Idempotency-Key must be 1 to 255 printable characters")
    assert await client.get("/knowledge-engines") == []


async def test_longest_key_is_taken(client: Client) -> None:
    response = await client.call(
        "POST", ENGINES, json={"name": "Leases"}, headers={HEADER: "x" * 255}
    )

    assert response.status_code == 201


async def test_request_that_was_refused_does_not_use_up_its_key(client: Client) -> None:
    headers = {HEADER: "k"}
    await client.error("POST", "/knowledge-engines", json={"name": ""}, headers=headers)

    response = await client.call("POST", ENGINES, json={"name": "Leases"}, headers=headers)

    assert response.status_code == 201


@pytest.mark.parametrize("name", ["workflow", "query", "chat", "streamed chat"])
async def test_answer_that_failed_is_asked_for_again(
    send: Send, services: Services, llm: ScriptedLLM, name: str
) -> None:
    llm.answers = [["In ", AnswerFailed("the model provider failed")], ["In March."]]
    assert "In March." not in str(await answer(await send(name)))
    await all_done(services)

    again = await send(name)

    assert "In March." in str(await answer(again))
    assert REPLAYED not in again.headers


async def test_second_waits_for_the_first_and_the_model_is_asked_once(
    client: Client, services: Services, engine: str
) -> None:
    llm = PromptedLLM()
    services.gateway = llm
    request = a_workflow(engine) | {"headers": {HEADER: "k"}}
    first = asyncio.create_task(client.call("POST", WORKFLOWS, **request))
    await wait_for_the_first(services)
    second = asyncio.create_task(client.call("POST", WORKFLOWS, **request))

    llm.say("In March.", None)

    answers = [await (await one).get_json() for one in (first, second)]
    assert answers[0] == answers[1]
    assert await count(services, "workflow") == 1


async def test_request_whose_client_left_is_carried_out_by_the_next(
    client: Client, services: Services, engine: str
) -> None:
    llm = PromptedLLM()
    services.gateway = llm
    request = a_workflow(engine) | {"headers": {HEADER: "k"}}
    first = asyncio.create_task(client.call("POST", WORKFLOWS, **request))
    await wait_for_the_first(services)
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    llm.say("In March.", None)

    second = await client.call("POST", WORKFLOWS, **request)

    assert (await second.get_json())["response"] == "In March."
    assert await count(services, "workflow") == 1


async def test_of_two_attempts_one_of_which_seemed_dead_one_answer_stays(
    client: Client, services: Services, engine: str
) -> None:
    services.gateway = llm = PromptedLLM()
    request = a_workflow(engine) | {"headers": {HEADER: "k"}}
    first = asyncio.create_task(client.call("POST", WORKFLOWS, **request))
    await wait_for_the_first(services)
    await execute(services, "UPDATE idempotent_request SET held_until = now()")
    second = asyncio.create_task(client.call("POST", WORKFLOWS, **request))
    await wait_for_the_first(services, "idempotent_request WHERE attempt = 2")

    llm.say("In March.", "In April.", None, None)

    assert sorted([(await first).status_code, (await second).status_code]) == [201, 500]
    made = await client.get("/workflows")
    again = await (await client.call("POST", WORKFLOWS, **request)).get_json()
    assert [one["id"] for one in made] == [again["id"]]


async def test_deleted_resource_is_answered_as_such(send: Send, client: Client) -> None:
    made = await (await send("upload")).get_json()
    await client.call("DELETE", f"{SOURCES}/{made['id']}")

    again = await send("upload")

    assert (again.status_code, await again.get_json()) == (404, {"error": "data source not found"})


async def test_deleted_data_source_is_in_no_kept_answer(
    send: Send, client: Client, services: Services, source: str
) -> None:
    await send("retrieve")
    await client.call("DELETE", f"{SOURCES}/{source}")
    assert await count(services, "idempotent_request") == 0

    again = await send("retrieve")

    chunks = (await again.get_json())["chunks"]
    assert source not in {chunk["data_source_id"] for chunk in chunks}
    assert REPLAYED not in again.headers


async def test_key_expires_after_a_day(send: Send, services: Services) -> None:
    first = await send("engine")
    await execute(services, "UPDATE idempotent_request SET created_at = now() - interval '24 h'")

    second = await send("engine")

    assert (await first.get_json())["id"] != (await second.get_json())["id"]
    assert REPLAYED not in second.headers


async def test_expired_keys_are_cleaned(send: Send, services: Services) -> None:
    await send("engine", key="old")
    await execute(services, "UPDATE idempotent_request SET created_at = now() - interval '24 h'")
    await send("engine", key="new")

    await delete_requests(services)

    assert await count(services, "idempotent_request") == 1


async def test_batch_that_was_broken_off_goes_on(
    send: Send, client: Client, services: Services
) -> None:
    first = await (await send("batch")).get_json()
    before = await count(services, "data_source")
    third = first[2]["data_source"]["id"]
    await client.call("DELETE", f"{SOURCES}/{third}")
    await die_before_the_answer(services)  # As if it had never come to the third.

    again = await (await send("batch")).get_json()

    assert [item["success"] for item in again] == [True, False, True]
    assert again[0] == first[0]
    assert await count(services, "data_source") == before


async def test_run_that_was_broken_off_is_done_again(
    send: Send, client: Client, services: Services
) -> None:
    first = await (await send("run")).get_json()
    await execute(services, "UPDATE tool_run SET status = 'failed', error = 'it has died'")
    await die_before_the_answer(services)

    again = await (await send("run")).get_json()

    assert (again["id"], again["status"], again["error"]) == (first["id"], "completed", None)
    assert await count(services, "tool_run") == 1


async def test_stream_of_a_process_that_died_is_told_from_the_answer(
    send: Send, services: Services
) -> None:
    first = await answer(await send("query"))
    await all_done(services)
    await execute(services, "UPDATE stream SET workflow_id = NULL, is_over = false")
    await execute(services, "UPDATE stream SET recorded_at = now() - interval '1 h'")

    again = await send("query")

    assert await answer(again) == first


def test_process_that_is_killed_before_it_answers_has_made_one_engine() -> None:
    with new_data_dir() as data_dir:
        with serving(data_dir) as service, ThreadPoolExecutor(1) as background:
            key = service.key
            with psycopg.connect(attach(data_dir), autocommit=True) as database:
                database.execute(NEVER_ANSWERED)
                lost = background.submit(create_engine, service)
                wait_for(lambda: bool(database.execute(ENGINE_IDS).fetchall()))
            service.process.send_signal(signal.SIGKILL)
            kill_leftovers(data_dir)
            assert isinstance(lost.exception(), httpx.TransportError)
        with serving(data_dir, key=key) as service:
            with psycopg.connect(attach(data_dir), autocommit=True) as database:
                database.execute("DROP FUNCTION never CASCADE")
                made = [row[0] for row in database.execute(ENGINE_IDS).fetchall()]

            answers = [create_engine(service), create_engine(service)]

            assert [one.json()["id"] for one in answers] == made * 2
            assert [one["id"] for one in service.get("/knowledge-engines")] == made


NEVER_ANSWERED = """
    CREATE FUNCTION never() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_sleep(3600); RETURN NEW; END $$;
    CREATE TRIGGER never BEFORE UPDATE ON idempotent_request
    FOR EACH ROW WHEN (NEW.is_answered) EXECUTE FUNCTION never()
"""
"""Has a process stand still when it has made what was asked for, and not yet answered."""

ENGINE_IDS = "SELECT id FROM knowledge_engine"


def create_engine(service: Service) -> httpx.Response:
    headers = {HEADER: "k"}
    return service.client.post(ENGINES, json={"name": "Leases"}, headers=headers)


async def die_before_the_answer(services: Services) -> None:
    """Leave what a process leaves that dies when all is stored, but not that it is answered."""
    dead = "is_answered = false, answer = NULL, knowledge_engine_id = NULL, held_until = now()"
    await execute(services, f"UPDATE idempotent_request SET {dead}")


async def wait_for_the_first(services: Services, rows: str = "idempotent_request") -> None:
    """Wait until a request with a key is being carried out."""
    for _ in range(3000):
        if await count(services, rows):
            return
        await asyncio.sleep(0.02)
    raise AssertionError("no request was begun")
