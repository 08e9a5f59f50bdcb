import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from app.application import create_app
from app.services import Services
from tests.client import Client
from tests.fakes import ScriptedLLM
from tests.span_exporter import finished, parent_of

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def traced(spans: InMemorySpanExporter, client: Client, services: Services) -> Client:
    """A client of an application that was made when spans went somewhere."""
    return Client(create_app(services), services, client.key)


async def test_request_is_a_span_with_its_route_and_status(
    traced: Client, spans: InMemorySpanExporter
) -> None:
    engine_id = await traced.create_engine()
    spans.clear()

    headers = {"X-Request-ID": "req-1", "traceparent": PARENT}
    await traced.call("GET", f"/api/v1/knowledge-engines/{engine_id}", headers=headers)

    (span,) = spans.get_finished_spans()
    assert (span.name, span.kind) == (
        "GET /api/v1/knowledge-engines/<engine_id>",
        SpanKind.SERVER,
    )
    assert span.attributes == {
        "http.request.method": "GET",
        "http.route": "/api/v1/knowledge-engines/<engine_id>",
        "http.response.status_code": 200,
        "knowledge_engine.request_id": "req-1",
    }
    assert f"{span.context.trace_id:032x}" == PARENT.split("-")[1]
    assert parent_of(span) == int(PARENT.split("-")[2], 16)


async def test_request_without_a_route_tells_nothing_of_its_path(
    traced: Client, spans: InMemorySpanExporter
) -> None:
    await traced.call("GET", "/somewhere/secret")

    (span,) = spans.get_finished_spans()
    assert span.name == "GET"
    assert "secret" not in span.to_json()


async def test_answer_is_a_part_of_its_request(
    traced: Client, spans: InMemorySpanExporter, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March <source_id=1>."]]
    spans.clear()

    await traced.ask(engine, "When does the lease end?")

    found = finished(spans)
    request = found["POST /api/v1/workflows"]
    assert parent_of(found["invoke_workflow answer"]) == request.context.span_id
    assert request.status.status_code is StatusCode.UNSET


async def test_streamed_answer_is_a_part_of_its_request(
    traced: Client, spans: InMemorySpanExporter, engine: str, llm: ScriptedLLM
) -> None:
    llm.answers = [["In March <source_id=1>."]]
    spans.clear()

    await traced.query(engine, "When does the lease end?")

    found = finished(spans)
    request = found["POST /api/v1/knowledge-engines/<engine_id>/query"]
    answer = found["invoke_workflow answer"]
    assert parent_of(answer) == request.context.span_id
    assert request.end_time is not None
    assert answer.end_time is not None
    assert request.end_time >= answer.end_time


async def test_failed_request_is_an_error(traced: Client, spans: InMemorySpanExporter) -> None:
    @traced.app.get("/healthz/failure")
    async def fail() -> str:
        raise ZeroDivisionError

    await traced.call("GET", "/healthz/failure")

    (span,) = spans.get_finished_spans()
    assert span.attributes is not None
    assert span.attributes["http.response.status_code"] == 500
    assert span.status.status_code is StatusCode.ERROR
