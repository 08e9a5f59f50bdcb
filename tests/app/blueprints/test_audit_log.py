import pytest

from app.scopes import Scope
from app.services import Services
from tests.client import Client
from tests.conftest import new_key


async def test_entry_says_who_did_what(client: Client) -> None:
    sent = {"json": {"name": "Leases"}, "headers": {"X-Request-ID": "order-7"}}
    created = await client.call("POST", "/api/v1/knowledge-engines", **sent)

    (entry,) = await client.get("/audit-log")

    assert entry.pop("id").startswith("aud_")
    assert isinstance(entry.pop("created_at"), int)
    assert entry == {
        "actor": "key",
        "key_id": 1,
        "key_name": "test",
        "key_hint": client.key[:9],
        "action": "knowledge_engine.created",
        "resource_id": (await created.get_json())["id"],
        "request_id": "order-7",
        "outcome": "done",
    }


async def test_log_is_read_a_page_at_a_time_newest_first(client: Client) -> None:
    made = [await client.create_engine() for _ in range(3)]

    first = await client.call("GET", "/api/v1/audit-log?limit=2")
    link = first.headers["Link"]
    second = await client.call("GET", link[1 : link.index(">")])

    pages = [*await first.get_json(), *await second.get_json()]
    assert [entry["resource_id"] for entry in pages] == made[::-1]


async def test_log_is_filtered_by_action(client: Client) -> None:
    engine_id = await client.create_engine()
    await client.call("DELETE", f"/api/v1/knowledge-engines/{engine_id}")

    found = await client.get("/audit-log?action=knowledge_engine.deleted")

    assert [entry["action"] for entry in found] == ["knowledge_engine.deleted"]


@pytest.mark.parametrize("action", ["nonsense", "%00"])
async def test_unknown_action_is_refused(client: Client, action: str) -> None:
    status, text = await client.error("GET", f"/audit-log?action={action}")

    assert status == 400
    assert text == (
        "Key: 'AuditLogRequest.Action' "
        "Error:Field validation for 'Action' failed on the 'oneof' tag"
    )


async def test_log_of_another_account_is_not_shown(client: Client, stranger: Client) -> None:
    await client.create_engine()

    assert await stranger.get("/audit-log") == []


async def test_log_is_for_keys_that_may_do_all(client: Client, services: Services) -> None:
    for scope in (Scope.READ, Scope.WRITE):
        client.key = await new_key(services, scope=scope)
        refused = await client.error("GET", "/audit-log")
        assert refused == (400, f"this key has the scope {scope}, this takes one with admin")


async def test_log_is_not_for_a_key_of_one_engine(client: Client, services: Services) -> None:
    client.key = await new_key(services, engine_id=await client.create_engine())

    refused = await client.error("GET", "/audit-log")

    assert refused == (400, "this key is for one knowledge engine, this takes one for all")
