"""Questions that are answered whole, by both clients at a real service."""

from typing import Any

import pytest

from knowledge_engine import NotFound


def test_workflow_is_created_found_and_deleted(client: Any, engine_id: str, lease_id: str) -> None:
    workflow = client.workflows.create(engine_id, "How much is the deposit?", name="Deposit")
    second = client.workflows.create(
        engine_id, "When does the lease end?" + " " * 40, context_id=workflow.context_id
    )

    assert workflow.citations[0].data_source_id == lease_id
    assert workflow.citations[0].citation_key in workflow.response
    assert (workflow.name, workflow.model) == ("Deposit", "auto")
    assert len(second.name) == 50
    listed = client.workflows.list(context_id=workflow.context_id, page_size=1)
    assert [one.id for one in listed] == [second.id, workflow.id]
    assert client.workflows.get(workflow.id) == workflow
    client.workflows.delete(workflow.id)
    with pytest.raises(NotFound):
        client.workflows.get(workflow.id)
