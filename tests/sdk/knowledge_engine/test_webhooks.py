"""Webhooks, by both clients at a real service."""

from typing import Any

import pytest

from knowledge_engine import InvalidRequest, NotFound

URL = "https://receiver.invalid/hook"
"""A name that never leads anywhere (RFC 6761)."""

READ = ["data_source.finished"]


def test_webhook_is_created_changed_and_deleted(client: Any) -> None:
    created = client.webhooks.create(URL, READ, description="Ours")
    changed = client.webhooks.update(created.id, events=["tool_run.finished"], disabled=True)

    assert created.secret.startswith("whsec_")
    assert (created.events, created.disabled, created.knowledge_engine_id) == (READ, False, None)
    assert (changed.url, changed.description) == (URL, "Ours")
    assert (changed.events, changed.disabled) == (["tool_run.finished"], True)
    assert client.webhooks.get(created.id) == changed
    assert "secret" not in changed.model_dump()
    assert client.webhooks.delete(created.id).deleted
    with pytest.raises(NotFound):
        client.webhooks.get(created.id)


def test_webhooks_are_listed_over_many_pages(client: Any) -> None:
    created = [client.webhooks.create(URL, READ).id for _ in range(3)]

    listed = [webhook.id for webhook in client.webhooks.list(page_size=2)]

    assert [one for one in listed if one in created] == created
    assert len(set(listed)) == len(listed)


def test_delivery_is_listed_and_replayed(client: Any, engine_id: str) -> None:
    webhook = client.webhooks.create(URL, READ, knowledge_engine_id=engine_id)
    tickets = [client.data_sources.create_ticket(name, engine_id) for name in "AB"]
    for ticket in tickets:
        client.data_sources.wait(ticket.id)

    newest, oldest = client.webhooks.deliveries(webhook.id, page_size=1)
    replayed = client.webhooks.replay(webhook.id, oldest.id)

    assert newest.id != oldest.id
    assert newest.event == "data_source.finished"
    assert (replayed.id, replayed.status, replayed.attempts) == (oldest.id, "pending", 0)


def test_address_that_is_not_public_is_refused(client: Any) -> None:
    with pytest.raises(InvalidRequest):
        client.webhooks.create("http://127.0.0.1/hook", READ)
