from datetime import UTC, datetime
from typing import Any

import pytest

from app.models.data_source import DataSource
from app.models.knowledge_engine import EngineCounts, KnowledgeEngine
from app.models.workflow import Workflow
from app.schemas import KnowledgeEngineResponse
from app.schemas_data_sources import DataSourceResponse
from app.schemas_retrieval import ChunkResponse, RetrievalResponse
from app.schemas_workflows import DoneEvent, WorkflowResponse
from config.settings import EngineReadyWhen
from indexing.types import NO_PAGE, Chunk

MOMENT = datetime(2024, 4, 2, 9, 0, 0, 999_999, tzinfo=UTC)
SECONDS = 1712048400

DOCUMENTED = {
    KnowledgeEngineResponse: "id name description notes status created_at",
    DataSourceResponse: "id name type status notes knowledge_engine_id created_at",
    WorkflowResponse: "id name query response context_id advanced_reasoning model citations "
    "status created_at",
    ChunkResponse: "content filename chunk_id data_source_id page_number",
    RetrievalResponse: "query knowledge_engine_id data_source_id chunks total_chunks",
}


@pytest.mark.parametrize("kind", DOCUMENTED, ids=lambda kind: kind.__name__)
def test_every_documented_field_is_there(kind: Any) -> None:
    assert set(DOCUMENTED[kind].split()) <= set(kind.model_fields)


def test_done_event_has_the_documented_fields_and_no_other() -> None:
    documented = "id name query type knowledge_engine_id status response citations created_at"

    assert " ".join(DoneEvent.model_fields) == documented


def test_timestamps_are_whole_seconds() -> None:
    engine = KnowledgeEngine(id="kng_1", account_id=1, name="n", created_at=MOMENT)

    response = KnowledgeEngineResponse.from_engine(
        engine, EngineCounts(3, 1, 2), EngineReadyWhen.ALL_PROCESSED
    )

    assert response.created_at == SECONDS
    assert (response.status, response.data_source_count) == ("processing", 3)


def test_new_data_source_is_processing_without_an_outcome() -> None:
    data_source = DataSource(
        id="ds_1",
        account_id=1,
        knowledge_engine_id="kng_1",
        name="Lease",
        file_name="lease.pdf",
        file_format="pdf",
        size_bytes=5_000_000_000,
        sha256="",
        blob_key="",
        progress=1 / 3,
        created_at=MOMENT,
    )

    response = DataSourceResponse.from_data_source(data_source)

    assert (response.type, response.status, response.outcome) == ("file", "processing", None)
    assert (response.progress, response.size_bytes) == (0.3333, 5_000_000_000)


def test_chunk_without_a_page_has_minus_one() -> None:
    chunk = Chunk("ds_1_0", "ds_1", "prices.xlsx", NO_PAGE, "LN-100", score=0.123456789)

    response = ChunkResponse.from_chunk(chunk)

    assert (response.page_number, response.score) == (-1, 0.123457)


def test_workflow_cites_by_key_and_the_stream_by_text() -> None:
    citation = {
        "citation_key": "<source_id=1>",
        "data_source_id": "ds_1",
        "file_name": "lease.pdf",
        "page_number": 2,
        "text": "It ends in March.",
    }
    stored = workflow(citations=[citation])

    (of_workflow,) = WorkflowResponse.from_workflow(stored).citations or []
    (of_stream,) = DoneEvent.from_workflow(stored).citations

    assert of_workflow.model_dump() == {key: citation[key] for key in list(citation)[:4]}
    assert of_stream.model_dump() == {"text": "It ends in March.", "source": "lease.pdf", "page": 2}


def test_no_citations_are_null_in_a_workflow_and_a_list_in_the_stream() -> None:
    assert WorkflowResponse.from_workflow(workflow()).citations is None
    assert DoneEvent.from_workflow(workflow()).citations == []


def test_stream_writes_the_status_in_lower_case() -> None:
    assert WorkflowResponse.from_workflow(workflow()).status == "PROCESSED"
    assert DoneEvent.from_workflow(workflow()).status == "processed"


def workflow(**fields: Any) -> Workflow:
    return Workflow(
        id="wfl_1",
        account_id=1,
        knowledge_engine_id="kng_1",
        context_id="ctx_1",
        name="n",
        query="When?",
        response="In March.",
        model="auto",
        resolved_model="delta-4.1",
        routing_reason="",
        created_at=MOMENT,
        **fields,
    )
