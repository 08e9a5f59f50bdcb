"""The whole way of a document, as a client of a fresh installation sees it: no model has a key."""

from pathlib import Path
from typing import Any

import pytest

from agents.gateway import LLMGateway
from app.services import Services
from config.model_table import load_model_table
from config.settings import Settings
from indexing.embedding import MiniLMEmbedder
from indexing.engine_index import EngineIndexes
from tests.client import Client
from tests.conftest import FILES

LEASE = FILES / "warehouse-lease.pdf"
HANDBOOK = FILES / "supplier-handbook.docx"
REVIEW = FILES / "quarterly-review.pptx"
PRICES = FILES / "price-list.xlsx"


@pytest.fixture
def services(services: Services, embedder: MiniLMEmbedder) -> Services:
    """The services of an installation without credentials, with the real embedder and answerer."""
    services.models = load_model_table(Settings().models_file, lambda name: "")
    services.embedder = embedder
    services.indexes = EngineIndexes(services.database.engine, embedder)
    services.gateway = LLMGateway(services.models, embedder.embed)
    return services


@pytest.fixture
async def library(client: Client) -> str:
    """The id of an engine that holds a document of each format, read."""
    engine_id = await client.create_engine("Harbour Light")
    for path in (LEASE, HANDBOOK, REVIEW, PRICES):
        await client.add(engine_id, path)
    return engine_id


@pytest.mark.parametrize(
    ("path", "question", "answer", "page"),
    [
        pytest.param(LEASE, "When does the lease end?", "31 March 2024", 1, id="pdf"),
        pytest.param(HANDBOOK, "When are invoices paid?", "within thirty days", 3, id="docx"),
        pytest.param(REVIEW, "By how much did revenue grow?", "14 percent", 2, id="pptx"),
        pytest.param(PRICES, "What is the price of the deck lamp?", "61", -1, id="xlsx"),
    ],
)
async def test_document_of_each_format_goes_the_whole_way(
    client: Client, path: Path, question: str, answer: str, page: int
) -> None:
    engine_id = await client.create_engine()
    data_source = await client.add(engine_id, path)

    found = await client.post(f"/knowledge-engines/{engine_id}/retrieve", query=question)
    workflow = await client.ask(engine_id, question)
    *_, done = await client.query(engine_id, question)
    await client.call("DELETE", f"/api/v1/data-sources/{data_source['id']}")
    after = await client.post(f"/knowledge-engines/{engine_id}/retrieve", query=question)

    assert data_source["outcome"] == "ok"
    assert any(answer in one["content"] and one["page_number"] == page for one in found["chunks"])
    assert_cites(workflow, answer, path.name, page)
    assert done.data["response"] == workflow["response"]
    assert (done.data["citations"][0]["source"], done.data["citations"][0]["page"]) == (
        path.name,
        page,
    )
    assert after["chunks"] == []


async def test_right_one_of_several_documents_is_cited(client: Client, library: str) -> None:
    answers = {
        name: await client.ask(library, question)
        for name, question in {
            "warehouse-lease.pdf": "How much is the deposit?",
            "supplier-handbook.docx": "To which gate are goods delivered?",
            "quarterly-review.pptx": "By how much did revenue grow?",
        }.items()
    }

    for name, workflow in answers.items():
        assert workflow["citations"][0]["file_name"] == name, workflow
        assert (workflow["model"], workflow["resolved_model"]) == ("auto", "built-in")


async def test_question_that_no_document_answers_is_answered_with_no(
    client: Client, library: str
) -> None:
    workflow = await client.ask(library, "What is the capital of Mongolia?")

    assert workflow["response"] == "The documents do not answer this question."
    assert workflow["citations"] is None


async def test_named_model_is_not_enabled_without_credentials(client: Client, library: str) -> None:
    failure = await client.ask(library, "When does the lease end?", model="delta-4.1")

    assert failure == {"error": "Model Delta 4.1 is not enabled"}


async def test_question_that_leans_on_the_last_finds_its_answer(
    client: Client, library: str
) -> None:
    first = await client.ask(library, "When does the lease end?")

    second = await client.ask(
        library, "Can it be renewed by the tenant?", context_id=first["context_id"]
    )

    assert "renew" in second["response"]
    assert second["citations"][0]["file_name"] == LEASE.name


def assert_cites(workflow: Any, answer: str, file_name: str, page: int) -> None:
    assert answer in workflow["response"], workflow
    assert "<source_id=1>" in workflow["response"]
    first = workflow["citations"][0]
    assert (first["citation_key"], first["file_name"]) == ("<source_id=1>", file_name)
    assert first["page_number"] == page
