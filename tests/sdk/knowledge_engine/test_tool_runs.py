"""Tool runs and extractions, by both clients at a real service."""

from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from knowledge_engine import (
    Currency,
    InvalidRequest,
    NotFound,
    RequestedField,
    TaggedDataSource,
    ToolRun,
)

DEPOSIT = RequestedField(
    field_name="deposit", description="The deposit that the tenant pays", type="currency"
)
TENANT = RequestedField(field_name="tenant", description="The tenant")


def test_run_is_finished_when_it_is_answered_and_can_be_found_and_deleted(
    client: Any, engine_id: str, lease_id: str
) -> None:
    pages = TaggedDataSource(id=lease_id, page_range="1-2")
    run = client.tool_runs.create(engine_id, [DEPOSIT, TENANT], [pages], notes={"case": 7})

    assert run.status == "completed"
    assert list(run.result.extracted_fields) == ["deposit", "tenant"]
    assert 0 <= run.result.extracted_fields["deposit"].confidence <= 1
    assert client.tool_runs.get(run.id).result == run.result
    assert run.id in [one.id for one in client.tool_runs.list(knowledge_engine_id=engine_id)]
    client.tool_runs.delete(run.id)
    with pytest.raises(NotFound):
        client.tool_runs.get(run.id)


def test_queued_run_is_waited_for(client: Any, engine_id: str, lease_id: str) -> None:
    queued = client.tool_runs.create(
        engine_id, [DEPOSIT], [lease_id], async_response=True, include_confidence_scores=False
    )

    run = client.tool_runs.wait(queued.id)

    assert not queued.is_over
    assert run.status == "completed"
    assert run.result.extracted_fields["deposit"].confidence is None


def test_fields_are_streamed_as_they_are_finished(
    client: Any, engine_id: str, lease_id: str
) -> None:
    *fields, run = client.tool_runs.stream(engine_id, [DEPOSIT, TENANT], [lease_id])

    assert isinstance(run, ToolRun)
    assert run.result is not None
    assert {field.field_name for field in fields} == {"deposit", "tenant"}
    by_name = {field.field_name: field.value for field in fields}
    assert by_name == {name: one.value for name, one in run.result.extracted_fields.items()}


def test_wrong_request_is_refused(client: Any, engine_id: str, lease_id: str) -> None:
    with pytest.raises(InvalidRequest, match="Options"):
        client.tool_runs.create(
            engine_id,
            [RequestedField(field_name="a", description="a", type="single_select")],
            [lease_id],
        )


class Lease(BaseModel):
    deposit: Currency | None = Field(None, description="The deposit that the tenant pays")
    purpose: Literal["storage", "sale"] | None = None


def test_pydantic_model_is_filled(client: Any, engine_id: str, lease_id: str) -> None:
    extraction = client.extract(engine_id, Lease, [lease_id])

    assert isinstance(extraction.value, Lease)
    assert set(extraction.confidence) == set(extraction.evidence) == {"deposit", "purpose"}
    found = extraction.tool_run.result.extracted_fields
    assert extraction.value.deposit == found["deposit"].value
    assert extraction.tool_run.tool["fields"][1]["options"] == ["storage", "sale"]
