import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agents.usage import Purpose, Step, Usage
from app.tracing import trace_answer
from config.model_table import BUILT_IN


@pytest.fixture(scope="module")
def exporter() -> InMemorySpanExporter:
    """Where all spans of this process go from here on: OpenTelemetry takes one provider only."""
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


@pytest.fixture
def spans(exporter: InMemorySpanExporter) -> InMemorySpanExporter:
    exporter.clear()
    return exporter


def test_call_of_a_model_is_a_span_with_the_names_of_the_conventions(
    spans: InMemorySpanExporter,
) -> None:
    usage = Usage()
    usage.steps = [
        Step(Purpose.RETRIEVE, began_at=100.0, seconds=0.5),
        Step(
            Purpose.ANSWER,
            "gamma-2.5",
            "gemini/gemini-2.5-pro",
            prompt_tokens=100,
            completion_tokens=20,
            price_usd=0.5,
            began_at=100.5,
            seconds=2.0,
            first_word_seconds=0.25,
        ),
    ]

    trace_answer(usage)

    search, call, answer = spans.get_finished_spans()
    assert [one.name for one in (answer, search, call)] == [
        "invoke_workflow answer",
        "retrieval",
        "chat gemini-2.5-pro",
    ]
    assert (answer.start_time, answer.end_time) == (100_000_000_000, 102_500_000_000)
    assert parent_of(search) == parent_of(call) == answer.context.span_id
    assert call.attributes == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "gcp.gemini",
        "gen_ai.request.model": "gemini-2.5-pro",
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.response.time_to_first_chunk": 0.25,
        "knowledge_engine.purpose": "answer",
        "knowledge_engine.model": "gamma-2.5",
        "knowledge_engine.price_usd": 0.5,
    }


def test_failed_call_says_why(spans: InMemorySpanExporter) -> None:
    usage = Usage()
    usage.steps = [Step(Purpose.ANSWER, "delta-4.1", "openai/gpt-4.1", error="it failed")]

    trace_answer(usage)

    call, _ = spans.get_finished_spans()
    assert call.attributes is not None
    assert call.attributes["error.type"] == "it failed"
    assert not call.status.is_ok


def test_built_in_answerer_is_a_provider_too(spans: InMemorySpanExporter) -> None:
    usage = Usage()
    usage.steps = [Step(Purpose.ANSWER, BUILT_IN)]

    trace_answer(usage)

    call, _ = spans.get_finished_spans()
    assert (call.name, call.kind) == (f"chat {BUILT_IN}", trace.SpanKind.INTERNAL)


def parent_of(span: ReadableSpan) -> int | None:
    return span.parent.span_id if span.parent else None
