import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agents.usage import Purpose, Step, Usage
from app.tracing import inject_trace, is_tracing, span, trace_answer, trace_extraction
from config.model_table import BUILT_IN
from tests.span_exporter import parent_of


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


def test_extraction_is_traced_as_an_answer_is(spans: InMemorySpanExporter) -> None:
    usage = Usage()
    usage.steps = [Step(Purpose.EXTRACT, "delta-4.1", "openai/gpt-4.1")]

    with span("extract_fields"):
        trace_extraction(usage)

    call, extraction, job = spans.get_finished_spans()
    assert [one.name for one in (call, extraction)] == [
        "chat gpt-4.1",
        "invoke_workflow extraction",
    ]
    assert parent_of(call) == extraction.context.span_id
    assert parent_of(extraction) == job.context.span_id


def test_trace_is_gone_on_with_by_what_was_written_down(spans: InMemorySpanExporter) -> None:
    carrier: dict[str, str] = {}
    with span("upload"):
        inject_trace(carrier)

    with span("read", parent=carrier):
        pass

    upload, read = spans.get_finished_spans()
    assert carrier.keys() == {"traceparent"}
    assert parent_of(read) == upload.context.span_id
    assert read.context.trace_id == upload.context.trace_id


def test_span_says_what_failed_and_not_with_which_words(spans: InMemorySpanExporter) -> None:
    with pytest.raises(ValueError, match="secret"), span("read"):
        raise ValueError("the secret words of a document")

    (failed,) = spans.get_finished_spans()
    assert is_tracing()
    assert (failed.status.status_code, failed.events) == (trace.StatusCode.ERROR, ())
    assert failed.attributes == {"error.type": "ValueError"}
    assert failed.status.description is None


def test_outside_of_a_trace_nothing_is_written_down() -> None:
    carrier: dict[str, str] = {}

    inject_trace(carrier)

    assert carrier == {}
