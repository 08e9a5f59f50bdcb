from collections.abc import AsyncIterator
from typing import Any

import pytest

from app.blueprints.webhooks import MAX_WEBHOOKS
from app.ids import KNOWLEDGE_ENGINE, WEBHOOK, WEBHOOK_DELIVERY, new_id
from app.outbound import NOT_PUBLIC, Outbound
from app.schemas_webhooks import DESCRIPTION_LENGTH, URL_LENGTH
from app.services import Services
from app.webhooks.delivering import deliver_due
from tests.app.test_deleting import while_deleted
from tests.client import Client
from tests.conftest import FILES
from tests.webhook_receiver import Receiver, receiving

URL = "https://example.com/hook"
READ = ["data_source.finished"]
BROKEN_RULE = "Key: 'WebhookRequest.{0}' Error:Field validation for '{0}' failed on the '{1}' tag"


@pytest.fixture
async def receiver(services: Services) -> AsyncIterator[Receiver]:
    services.outbound = Outbound(allow_private=True)
    async with receiving() as receiver:
        yield receiver


@pytest.fixture
async def webhook(client: Client, receiver: Receiver) -> dict[str, Any]:
    created: dict[str, Any] = await client.post("/webhooks", url=receiver.url, events=READ)
    return created


@pytest.fixture
async def delivery(client: Client, webhook: dict[str, Any]) -> dict[str, Any]:
    """What the webhook is to be told of a document that was read."""
    await client.add(await client.create_engine(), FILES / "warehouse-lease.pdf")
    (delivery,) = await client.get(f"/webhooks/{webhook['id']}/deliveries")
    return dict(delivery)


async def test_new_webhook_is_returned_with_its_secret_this_once(client: Client) -> None:
    engine_id = await client.create_engine()
    body = {"url": URL, "events": READ, "knowledge_engine_id": engine_id, "description": "Ours"}

    response = await client.call("POST", "/api/v1/webhooks", json=body)

    created = await response.get_json()
    assert response.status_code == 201
    assert response.headers["Location"] == f"/api/v1/webhooks/{created['id']}"
    assert created.pop("secret").startswith("whsec_")
    assert created.pop("id").startswith("whk_")
    assert isinstance(created.pop("created_at"), int)
    assert created == body | {"disabled": False}


async def test_secret_is_not_shown_again(client: Client, webhook: dict[str, Any]) -> None:
    secret = webhook.pop("secret")
    path = f"/api/v1/webhooks/{webhook['id']}"

    changed = await client.call("PUT", path, json={"description": "x"})

    assert await client.get(f"/webhooks/{webhook['id']}") == webhook | {"description": "x"}
    assert await client.get("/webhooks") == [webhook | {"description": "x"}]
    assert secret not in await changed.get_data(as_text=True)


async def test_engine_is_known_by_the_synonym_of_its_id(client: Client) -> None:
    engine_id = await client.create_engine()

    synonym = engine_id.replace("kng_", "ke_")
    created = await client.post("/webhooks", url=URL, events=READ, knowledge_engine_id=synonym)

    assert created["knowledge_engine_id"] == engine_id


async def test_list_is_cut_into_pages(client: Client) -> None:
    made = [(await client.post("/webhooks", url=URL, events=READ))["id"] for _ in range(3)]

    first = await client.call("GET", "/api/v1/webhooks?limit=2")

    assert [one["id"] for one in await first.get_json()] == made[:2]
    following = first.headers["Link"].partition(">")[0].removeprefix("</api/v1")
    assert [one["id"] for one in await client.get(following)] == made[2:]


async def test_change_leaves_what_it_does_not_name(client: Client) -> None:
    created = await client.post("/webhooks", url=URL, events=READ, description="Ours")
    change = {"url": "https://example.org/", "events": ["tool_run.finished"], "disabled": True}

    response = await client.call("PUT", f"/api/v1/webhooks/{created['id']}", json=change)

    del created["secret"]
    assert await response.get_json() == created | change


async def test_deleted_webhook_is_gone(client: Client, webhook: dict[str, Any]) -> None:
    path = f"/webhooks/{webhook['id']}"

    response = await client.call("DELETE", f"/api/v1{path}")

    assert await response.get_json() == {"id": webhook["id"], "deleted": True}
    assert await client.error("GET", path) == (404, "webhook not found")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"url": None}, BROKEN_RULE.format("Url", "required")),
        ({"url": ""}, BROKEN_RULE.format("Url", "required")),
        ({"url": 7}, BROKEN_RULE.format("Url", "type")),
        ({"url": f"{URL}?{'x' * URL_LENGTH}"}, BROKEN_RULE.format("Url", "max")),
        ({"events": None}, BROKEN_RULE.format("Events", "required")),
        ({"events": []}, BROKEN_RULE.format("Events", "required")),
        ({"events": [*READ, *READ]}, BROKEN_RULE.format("Events", "unique")),
        (
            {"events": ["engine.finished"]},
            "Key: 'WebhookRequest.Events[0]' Error:Field validation for 'Events' failed on the"
            " 'oneof' tag",
        ),
        (
            {"description": "x" * (DESCRIPTION_LENGTH + 1)},
            BROKEN_RULE.format("Description", "max"),
        ),
        ({"knowledge_engine_id": "7"}, "Invalid knowledge engine ID"),
        ({"knowledge_engine_id": new_id(KNOWLEDGE_ENGINE)}, "knowledge engine not found"),
        ({"url": "http://10.0.0.1/"}, f"url cannot be used: {NOT_PUBLIC}"),
        ({"url": "http://2130706433/"}, f"url cannot be used: {NOT_PUBLIC}"),
        (
            {"url": "https://me@example.com/"},
            "url cannot be used: it holds a user name or password",
        ),
    ],
)
async def test_what_is_wrong_with_a_new_webhook_is_told(
    onlooker: Client, change: dict[str, Any], message: str
) -> None:
    body = {"url": URL, "events": READ} | change

    assert await onlooker.error("POST", "/webhooks", json=body) == (400, message)
    assert await onlooker.get("/webhooks") == []


async def test_new_address_of_a_webhook_is_checked(client: Client) -> None:
    created = await client.post("/webhooks", url=URL, events=READ)
    path = f"/webhooks/{created['id']}"

    error = await client.error("PUT", path, json={"url": "http://169.254.169.254/"})

    assert error == (400, f"url cannot be used: {NOT_PUBLIC}")
    assert (await client.get(path))["url"] == URL


async def test_account_has_so_many_webhooks_and_no_more(client: Client, stranger: Client) -> None:
    for _ in range(MAX_WEBHOOKS):
        await client.post("/webhooks", url=URL, events=READ)

    status, message = await client.error("POST", "/webhooks", json={"url": URL, "events": READ})

    assert (status, message) == (400, "the account has 50 webhooks, and can have no more")
    assert (await stranger.post("/webhooks", url=URL, events=READ))["url"] == URL


async def test_delivery_that_waits_is_in_the_log(
    client: Client, webhook: dict[str, Any], delivery: dict[str, Any]
) -> None:
    assert delivery.pop("id").startswith("dlv_")
    assert delivery.pop("created_at") == delivery.pop("next_attempt_at")
    assert delivery == {
        "event": "data_source.finished",
        "status": "pending",
        "attempts": 0,
        "last_status_code": None,
        "last_error": None,
        "last_attempt_at": None,
    }


async def test_log_is_newest_first_and_cut_into_pages(
    client: Client, webhook: dict[str, Any]
) -> None:
    for name in ("warehouse-lease.pdf", "delivery.eml"):
        await client.add(await client.create_engine(), FILES / name)
    path = f"/webhooks/{webhook['id']}/deliveries"

    whole = await client.get(path)
    first = await client.call("GET", f"/api/v1{path}?limit=1")

    assert [one["created_at"] for one in whole] == sorted(
        (one["created_at"] for one in whole), reverse=True
    )
    assert await first.get_json() == whole[:1]
    assert await client.get(f"{path}?limit=1&after={whole[0]['id']}") == whole[1:]


async def test_replayed_delivery_is_sent_again_under_its_id(
    client: Client,
    services: Services,
    receiver: Receiver,
    webhook: dict[str, Any],
    delivery: dict[str, Any],
) -> None:
    await deliver_due(services)

    replayed = await client.post(f"/webhooks/{webhook['id']}/deliveries/{delivery['id']}/replay")
    await deliver_due(services)

    first, second = receiver.requests
    assert (replayed["status"], replayed["attempts"]) == ("pending", 0)
    assert first.headers["webhook-id"] == second.headers["webhook-id"] == delivery["id"]
    assert first.verified(webhook["secret"]) == second.verified(webhook["secret"])


async def test_nothing_is_replayed_to_a_disabled_webhook(
    client: Client, webhook: dict[str, Any], delivery: dict[str, Any]
) -> None:
    path = f"/webhooks/{webhook['id']}"
    await client.call("PUT", f"/api/v1{path}", json={"disabled": True})

    error = await client.error("POST", f"{path}/deliveries/{delivery['id']}/replay")

    assert error == (400, "the webhook is disabled; enable it first")


async def test_delivery_of_another_webhook_is_not_replayed(
    client: Client, delivery: dict[str, Any]
) -> None:
    other = await client.post("/webhooks", url=URL, events=READ)

    path = f"/webhooks/{other['id']}/deliveries/{delivery['id']}/replay"

    assert await client.error("POST", path) == (404, "webhook delivery not found")


@pytest.mark.parametrize(
    ("method", "rest"),
    [
        ("GET", ""),
        ("PUT", ""),
        ("DELETE", ""),
        ("GET", "/deliveries"),
        ("POST", "/deliveries/{delivery}/replay"),
    ],
)
async def test_strangers_webhook_answers_as_one_that_does_not_exist(
    stranger: Client, webhook: dict[str, Any], delivery: dict[str, Any], method: str, rest: str
) -> None:
    rest = rest.format(delivery=delivery["id"])

    errors = [
        await stranger.error(method, f"/webhooks/{webhook_id}{rest}", json={"disabled": True})
        for webhook_id in (webhook["id"], new_id(WEBHOOK))
    ]

    assert errors == [(404, "webhook not found")] * 2
    assert await stranger.get("/webhooks") == []


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("/webhooks/7", "Invalid webhook ID"),
        ("/webhooks/kng_0123456789abcd", "Invalid webhook ID"),
        ("/webhooks/{webhook}/deliveries/7/replay", "Invalid webhook delivery ID"),
    ],
)
async def test_id_of_the_wrong_form_is_told(
    client: Client, webhook: dict[str, Any], path: str, message: str
) -> None:
    method = "POST" if path.endswith("replay") else "GET"

    assert await client.error(method, path.format(webhook=webhook["id"])) == (400, message)


async def test_unknown_delivery_is_not_found(client: Client, webhook: dict[str, Any]) -> None:
    path = f"/webhooks/{webhook['id']}/deliveries/{new_id(WEBHOOK_DELIVERY)}/replay"

    assert await client.error("POST", path) == (404, "webhook delivery not found")


async def test_change_of_a_webhook_that_is_just_being_deleted_finds_none(
    client: Client, services: Services, webhook: dict[str, Any]
) -> None:
    path = f"/api/v1/webhooks/{webhook['id']}"

    change = await while_deleted(
        services, "webhook", client.call("PUT", path, json={"disabled": True})
    )

    assert change.result().status_code == 404


async def test_webhook_that_is_just_being_deleted_is_not_deleted_twice(
    client: Client, services: Services, webhook: dict[str, Any]
) -> None:
    path = f"/api/v1/webhooks/{webhook['id']}"

    second = await while_deleted(services, "webhook", client.call("DELETE", path))

    assert second.result().status_code == 404


async def test_delivery_that_is_just_being_deleted_is_not_replayed(
    client: Client, services: Services, webhook: dict[str, Any], delivery: dict[str, Any]
) -> None:
    path = f"/api/v1/webhooks/{webhook['id']}/deliveries/{delivery['id']}/replay"

    replay = await while_deleted(services, "webhook_delivery", client.call("POST", path))

    assert replay.result().status_code == 404
