"""The audit log, read by both clients at a real service."""

from typing import Any

import pytest

from knowledge_engine import InvalidRequest


def test_what_was_done_is_listed_newest_first(client: Any) -> None:
    first, second = (client.engines.create(name).id for name in ("First", "Second"))
    client.engines.delete(first)

    entries = client.audit_log.list(page_size=2)

    newest = [next(entries) for _ in range(3)]
    assert [(entry.action, entry.resource_id) for entry in newest] == [
        ("knowledge_engine.deleted", first),
        ("knowledge_engine.created", second),
        ("knowledge_engine.created", first),
    ]
    assert {(entry.actor, entry.outcome) for entry in newest} == {("key", "done")}


def test_one_action_can_be_asked_for(client: Any, engine_id: str) -> None:
    client.engines.update(engine_id, name="Rents")

    changes = list(client.audit_log.list(action="knowledge_engine.changed"))

    assert changes[0].resource_id == engine_id
    assert {entry.action for entry in changes} == {"knowledge_engine.changed"}


def test_action_that_there_is_not_is_refused(client: Any) -> None:
    with pytest.raises(InvalidRequest):
        list(client.audit_log.list(action="knowledge_engine.painted"))
