"""Every change leaves an entry that says who made it, and what it was."""

from typing import Any

from sqlalchemy import text

from app.audit import Actor, record
from app.console.passwords import hash_password
from app.models.audit_entry import Action, ActorKind
from app.models.owner import upsert_password_hash
from app.services import Services
from tests.app.console.browser import PASSWORD, Browser, signed_in
from tests.app.test_keys_of_one_engine import tool_run
from tests.client import Client
from tests.conftest import FILES, new_key
from tests.fakes import ScriptedLLM

BY_OWNER = Actor(1, ActorKind.CONSOLE)


async def test_each_change_through_the_api_is_noted(
    client: Client, services: Services, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March <source_id=1>."]]
    engine = await client.create_engine()
    await client.call("PUT", f"/api/v1/knowledge-engines/{engine}", json={"name": "Rents"})
    source = (await client.add(engine, FILES / "warehouse-lease.pdf"))["id"]
    workflow = (await client.ask(engine, "When does the lease end?"))["id"]
    run = (await client.post("/tool-runs", **tool_run(engine, source)))["id"]
    for path in (f"tool-runs/{run}", f"workflows/{workflow}", f"data-sources/{source}"):
        await client.call("DELETE", f"/api/v1/{path}")
    await client.call("DELETE", f"/api/v1/knowledge-engines/{engine}")

    assert await noted(services) == [
        ("knowledge_engine.created", engine),
        ("knowledge_engine.changed", engine),
        ("data_source.created", source),
        ("workflow.created", workflow),
        ("tool_run.created", run),
        ("tool_run.deleted", run),
        ("workflow.deleted", workflow),
        ("data_source.deleted", source),
        ("knowledge_engine.deleted", engine),
    ]


async def test_streamed_answer_is_noted_with_the_key_that_asked(
    client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March <source_id=1>."]]
    client.key = await new_key(services)

    *_, done = await client.query(engine, "When does the lease end?")

    (*_, entry) = await entries(services)
    assert (entry["action"], entry["resource_id"]) == ("workflow.created", done.data["id"])
    assert entry["request_id"]
    assert (entry["actor"], entry["key_name"]) == ("key", "more")
    assert entry["key_hint"] == client.key[:9]


async def test_what_is_refused_or_only_read_is_not_noted(
    client: Client, services: Services, engine: str
) -> None:
    before = await entries(services)

    await client.get(f"/knowledge-engines/{engine}")
    await client.post(f"/knowledge-engines/{engine}/retrieve", query="rent")
    await client.call("DELETE", "/api/v1/data-sources/ds_0123456789")
    await client.upload(engine, FILES / "warehouse-lease.pdf")  # The engine has it already.

    assert await entries(services) == before


async def test_change_that_is_not_committed_is_not_noted(
    client: Client, services: Services
) -> None:
    assert client.key  # There is an account.

    async with services.database.transaction() as session:
        await record(session, Action.MODEL_SWITCHED_OFF, "delta-4.1", by=BY_OWNER)
        await session.rollback()

    assert await entries(services) == []


async def test_no_text_of_a_document_or_question_is_kept(
    client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In Brachmonat <source_id=1>."]]
    question = "Zeldovian rents?"

    await client.ask(engine, question, name="Quillfeather")

    kept = repr(await entries(services))
    for word in ("Zeldovian", "Quillfeather", "Brachmonat", "warehouse", "Leases"):
        assert word not in kept


async def test_entries_outlive_the_key_and_the_engine(client: Client, services: Services) -> None:
    engine = await client.create_engine()
    client.key = key = await new_key(services, engine_id=engine)

    await client.call("DELETE", f"/api/v1/knowledge-engines/{engine}")

    (*_, entry) = await entries(services)
    assert (entry["action"], entry["key_hint"]) == ("knowledge_engine.deleted", key[:9])


async def test_each_change_through_the_console_is_noted(client: Client, services: Services) -> None:
    browser = await signed_in(client.app, services)
    await browser.act("POST", "/engines", name="Leases")
    await browser.act("POST", "/models/delta-4.1", is_on="no")
    await browser.act("POST", "/models/delta-4.1", is_on="yes")
    await browser.act("POST", "/keys", name="laptop")
    made = (await entries(services))[-1]["resource_id"]
    await browser.act("DELETE", "/keys/2")
    await browser.submit("/sign-out")

    engine, *others = await noted(services)
    assert engine[0] == "knowledge_engine.created"
    assert others == [
        ("model.switched_off", "delta-4.1"),
        ("model.switched_on", "delta-4.1"),
        ("key.created", made),
        ("key.revoked", made),
        ("console.sign_out", None),
    ]
    assert {entry["actor"] for entry in await entries(services)} == {"console"}
    assert {entry["key_hint"] for entry in await entries(services)} == {None}


async def test_signing_in_is_noted_also_when_it_fails(client: Client, services: Services) -> None:
    browser = await signed_in(client.app, services)
    await set_password(services)

    for password in ("a wrong guess", PASSWORD):
        stranger = Browser(client.app.test_client())
        await stranger.submit("/sign-in", password=password)

    form = {"password": PASSWORD, "new_password": f"{PASSWORD} staple"}
    await browser.submit("/account", **form)
    seen = [(one["action"], one["outcome"]) for one in await entries(services)]
    assert seen == [
        ("console.sign_in", "refused"),
        ("console.sign_in", "done"),
        ("console.password_changed", "done"),
    ]


async def set_password(services: Services) -> None:
    async with services.database.transaction() as session:
        await upsert_password_hash(session, 1, await hash_password(PASSWORD))


async def noted(services: Services) -> list[tuple[str, str | None]]:
    """Return what was done to what, in its order."""
    return [(entry["action"], entry["resource_id"]) for entry in await entries(services)]


async def entries(services: Services) -> list[dict[str, Any]]:
    """Return the whole log, oldest first."""
    statement = text("SELECT * FROM audit_entry ORDER BY created_at, id")
    async with services.database.engine.connect() as connection:
        return [dict(row._mapping) for row in await connection.execute(statement)]
