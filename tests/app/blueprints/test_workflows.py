from io import BytesIO
from typing import Any

import docx
import pytest

from app.ids import CONTEXT, WORKFLOW, new_id
from app.services import Services
from config.errors import AnswerFailed
from config.settings import EngineReadyWhen
from tests.app.live_streams import DeletingLLM
from tests.app.test_deleting import while_deleted
from tests.client import Client
from tests.conftest import FILES, ReadLease
from tests.fakes import ScriptedLLM

REQUIRED = (
    "Key: 'WorkflowRequest.{0}' Error:Field validation for '{0}' failed on the 'required' tag"
)


async def test_answer_cites_the_page_it_comes_from(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["The lease ends ", "in March <source_id=1>."]]

    workflow = await client.ask(engine, "When does the lease end?")

    assert workflow["response"] == "The lease ends in March <source_id=1>."
    assert workflow["citations"][0]["file_name"] == "warehouse-lease.pdf"


async def test_created_workflow_is_found_at_its_location(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March <source_id=1>."]]
    body = {"name": "n", "type": "query", "query": "When?", "knowledge_engine_id": engine}

    response = await client.call("POST", "/api/v1/workflows", json=body)

    created = await response.get_json()
    assert (response.status_code, created["status"]) == (201, "PROCESSED")
    assert response.headers["Location"] == f"/api/v1/workflows/{created['id']}"
    assert await client.get(f"/workflows/{created['id']}") == created


async def test_workflow_has_the_documented_fields(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March <source_id=2>."]]

    workflow = await client.ask(engine, "When?", description="d", advanced_reasoning=True)

    (data_source,) = await client.get(f"/knowledge-engines/{engine}/data-sources")
    (citation,) = workflow["citations"]
    assert citation.pop("page_number") in (1, 2, 3)
    assert citation == {
        "citation_key": "<source_id=1>",
        "data_source_id": data_source["id"],
        "file_name": "warehouse-lease.pdf",
    }
    assert (workflow["model"], workflow["resolved_model"]) == ("auto", "delta-5.4")
    assert (workflow["description"], workflow["advanced_reasoning"]) == ("d", True)
    assert workflow["context_id"].startswith("ctx_")


async def test_answer_without_a_source_has_null_for_citations(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["The documents do not say <source_id=77>."]]

    workflow = await client.ask(engine, "Who?")

    assert workflow["citations"] is None
    assert workflow["response"] == "The documents do not say ."


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        pytest.param({"query": ""}, REQUIRED.format("Query"), id="empty"),
        pytest.param({"query": None}, REQUIRED.format("Query"), id="null"),
        pytest.param(
            {"name": None, "query": None, "type": None, "knowledge_engine_id": None},
            "\n".join(
                REQUIRED.format(name) for name in ("Query", "Name", "KnowledgeEngineID", "Type")
            ),
            id="all",
        ),
        pytest.param(
            {"type": "chat"},
            "Key: 'WorkflowRequest.Type' Error:Field validation for 'Type' failed on the "
            "'oneof' tag",
            id="type",
        ),
        pytest.param(
            {"name": "🏠" * 51},
            "Invalid workflow name: exceeds maximum length of 50 characters",
            id="51 emoji",
        ),
        pytest.param(
            {"advanced_reasoning": "yes"},
            "Key: 'WorkflowRequest.AdvancedReasoning' Error:Field validation for "
            "'AdvancedReasoning' failed on the 'type' tag",
            id="not a boolean",
        ),
        pytest.param({"context_id": "wfl_0123456789"}, "Invalid context ID", id="context"),
        pytest.param({"context_id": "ctx_short"}, "Invalid context ID", id="short context"),
    ],
)
async def test_question_with_a_fault_is_refused(
    onlooker: Client, read_lease: ReadLease, changes: dict[str, Any], message: str
) -> None:
    asked = {"name": "n", "type": "query", "query": "q"}
    body = asked | {"knowledge_engine_id": read_lease.engine_id} | changes

    assert await onlooker.error("POST", "/workflows", json=body) == (400, message)
    assert await onlooker.get("/workflows") == []


async def test_fifty_emoji_are_a_name(client: Client, engine: str, llm: ScriptedLLM) -> None:
    llm.answers = [["In March."]]

    assert (await client.ask(engine, "When?", name="🏠" * 50))["name"] == "🏠" * 50


async def test_conversation_goes_on(client: Client, engine: str, llm: ScriptedLLM) -> None:
    llm.answers = [["In March."], ["Yes."]]
    first = await client.ask(engine, "When does the lease end?")

    second = await client.ask(engine, "Can it be renewed?", context_id=first["context_id"])

    assert second["context_id"] == first["context_id"]
    assert [message["content"] for message in llm.prompts[1][1:3]] == [
        "When does the lease end?",
        "In March.",
    ]


async def test_unknown_context_starts_a_conversation(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March."]]
    context_id = new_id(CONTEXT)

    assert (await client.ask(engine, "When?", context_id=context_id))["context_id"] == context_id
    assert len(llm.prompts[0]) == 2


async def test_engine_deleted_while_it_answers_is_named(client: Client, engine: str) -> None:
    client.services.gateway = DeletingLLM(client=client, engine_id=engine)

    failure = await client.ask(engine, "When?")

    assert failure == {"error": "knowledge engine not found"}


async def test_conversation_belongs_to_its_engine(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March."]]
    context_id = (await client.ask(engine, "When?"))["context_id"]
    other = await client.create_engine()
    await client.add(other, FILES / "supplier-handbook.docx")

    failure = await client.ask(other, "When?", context_id=context_id)

    assert failure == {"error": "context not found"}


async def test_context_of_another_account_counts_as_unknown(
    client: Client, stranger: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["A secret."], ["Nothing."]]
    context_id = (await client.ask(engine, "When?"))["context_id"]
    other = await stranger.create_engine()
    await stranger.add(other, FILES / "supplier-handbook.docx")

    workflow = await stranger.ask(other, "When?", context_id=context_id)

    assert workflow["context_id"] == context_id
    assert len(llm.prompts[1]) == 2


async def test_named_model_answers(client: Client, engine: str, llm: ScriptedLLM) -> None:
    llm.answers = [["In March."]]

    workflow = await client.ask(engine, "When?", model="beta-4-scout")

    assert (workflow["model"], workflow["resolved_model"]) == ("beta-4-scout", "beta-4-scout")
    assert workflow["routing_reason"] == "The request names this model."
    assert llm.models == ["beta-4-scout"]


async def test_question_that_failed_leaves_no_workflow(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In ", AnswerFailed("the model provider failed")]]

    await client.ask(engine, "When?")

    assert await client.get("/workflows") == []


async def test_growing_engine_can_be_asked_where_that_is_set(
    client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    services.settings.engine_ready_when = EngineReadyWhen.ANY_PROCESSED
    await client.upload(engine, FILES / "supplier-handbook.docx")
    llm.answers = [["In March."]]

    workflow = await client.ask(engine, "When?")

    assert workflow["response"] == "In March."


async def test_failed_data_source_is_not_active(onlooker: Client) -> None:
    engine_id = await onlooker.create_engine()
    without_text = BytesIO()
    docx.Document().save(without_text)
    await onlooker.upload(engine_id, without_text.getvalue())
    await onlooker.read_all(engine_id)

    failure = await onlooker.ask(engine_id, "When?")

    assert failure == {"error": "knowledge engine has no active data sources"}


async def test_list_is_newest_first_and_can_be_narrowed(
    client: Client, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["One."], ["Two."], ["Three."]]
    first = await client.ask(engine, "One?")
    second = await client.ask(engine, "Two?", context_id=first["context_id"])
    third = await client.ask(engine, "Three?")

    everything = await client.get("/workflows")
    of_the_engine = await client.get(f"/workflows?knowledge_engine_id=ke_{engine[4:]}")
    of_another = await client.get("/workflows?knowledge_engine_id=kng_0123456789abcd")
    of_the_context = await client.get(f"/workflows?context_id={first['context_id']}")

    assert everything == of_the_engine == [third, second, first]
    assert of_another == []
    assert of_the_context == [second, first]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        pytest.param("knowledge_engine_id=42", "Invalid knowledge engine ID", id="engine"),
        pytest.param("context_id=42", "Invalid context ID", id="context"),
    ],
)
async def test_filter_of_a_bad_form_is_refused(onlooker: Client, query: str, message: str) -> None:
    assert await onlooker.error("GET", f"/workflows?{query}") == (400, message)


async def test_pages_follow_their_links(client: Client, engine: str, llm: ScriptedLLM) -> None:
    llm.answers = [[str(number)] for number in range(3)]
    workflows = [await client.ask(engine, "?") for _ in range(3)]

    first = await client.call("GET", f"/api/v1/workflows?limit=2&knowledge_engine_id={engine}")
    link = first.headers["Link"].removeprefix("<").removesuffix('>; rel="next"')
    second = await client.call("GET", link)

    assert await first.get_json() == [workflows[2], workflows[1]]
    assert await second.get_json() == [workflows[0]]
    assert "Link" not in second.headers


async def test_deleted_workflow_is_gone(client: Client, engine: str, llm: ScriptedLLM) -> None:
    llm.answers = [["In March."]]
    workflow_id = (await client.ask(engine, "When?"))["id"]

    response = await client.call("DELETE", f"/api/v1/workflows/wf_{workflow_id[4:]}")

    assert await response.get_json() == {"id": workflow_id, "deleted": True}
    assert await client.get("/workflows") == []
    for method in ("GET", "DELETE"):
        failure = await client.error(method, f"/workflows/{workflow_id}")
        assert failure == (404, "workflow not found")


async def test_workflow_that_is_just_being_deleted_is_not_deleted_twice(
    client: Client, services: Services, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March."]]
    path = f"/api/v1/workflows/{(await client.ask(engine, 'When?'))['id']}"

    second = await while_deleted(services, "workflow", client.call("DELETE", path))

    assert second.result().status_code == 404


@pytest.mark.parametrize("method", ["GET", "DELETE"])
async def test_workflow_of_another_account_answers_as_a_missing_one(
    client: Client, stranger: Client, engine: str, llm: ScriptedLLM, method: str
) -> None:
    llm.answers = [["In March."]]
    workflow_id = (await client.ask(engine, "When?"))["id"]

    failures = [
        await stranger.error(method, f"/workflows/{one}") for one in (workflow_id, new_id(WORKFLOW))
    ]

    assert failures == [(404, "workflow not found")] * 2
    assert await stranger.get("/workflows") == []
    assert await client.get(f"/workflows/{workflow_id}")
