"""Engines, by both clients at a real service."""

from typing import Any

import pytest

from knowledge_engine import InvalidRequest, NotFound


def test_engine_is_created_changed_and_deleted(client: Any) -> None:
    created = client.engines.create("Leases", description="What we rent", notes={"team": "legal"})
    changed = client.engines.update(created.id, name="Rents")

    assert created.is_ready
    assert (changed.name, changed.description, changed.notes) == (
        "Rents",
        "What we rent",
        {"team": "legal"},
    )
    assert client.engines.get(created.id) == changed
    assert client.engines.delete(created.id).deleted
    with pytest.raises(NotFound, match="knowledge engine not found"):
        client.engines.get(created.id)


def test_deletion_of_an_engine_has_the_receipt_that_was_asked_for(
    client: Any, engine_id: str, lease_id: str
) -> None:
    receipt = client.engines.delete(engine_id, receipt=True).receipt

    assert receipt.content["deleted_id"] == engine_id
    assert receipt.content["erased"]["rows"]["data_source"] == 1
    assert client.engines.delete(client.engines.create("Other").id).receipt is None


def test_list_is_whole_over_many_pages(client: Any) -> None:
    created = [client.engines.create(f"Engine {number}").id for number in range(5)]

    listed = [engine.id for engine in client.engines.list(page_size=2)]

    assert [one for one in listed if one in created] == created
    assert len(set(listed)) == len(listed)


def test_data_sources_of_an_engine_are_listed(client: Any, engine_id: str) -> None:
    tickets = [client.data_sources.create_ticket(f"T{number}", engine_id) for number in range(3)]

    listed = client.engines.data_sources(engine_id, page_size=2)

    assert [one.id for one in listed] == [ticket.id for ticket in tickets]


def test_refusal_has_the_words_of_the_service(client: Any) -> None:
    with pytest.raises(InvalidRequest) as refused:
        client.engines.create("x" * 51)

    assert refused.value.status_code == 400
    assert refused.value.message.startswith("Invalid knowledge engine name: exceeds maximum")


def test_id_that_is_none_leads_nowhere_else(client: Any) -> None:
    with pytest.raises(NotFound):
        client.engines.get("../data-sources/x")
