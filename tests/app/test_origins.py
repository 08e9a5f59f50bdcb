from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from app.origins import continued, current_origin
from app.tracing import span
from config.logs import request_id
from tests.span_exporter import finished, parent_of


def test_what_nobody_asked_for_has_no_origin() -> None:
    assert current_origin() == {}


def test_work_is_done_on_behalf_of_who_asked_for_it(spans: InMemorySpanExporter) -> None:
    token = request_id.set("req-1")
    with span("upload"):
        origin = current_origin()
    request_id.reset(token)

    with continued(origin, "read", {"knowledge_engine.data_source_id": "ds_1"}):
        inside = request_id.get()

    found = finished(spans)
    assert (inside, request_id.get()) == ("req-1", "")
    assert found["read"].kind is SpanKind.CONSUMER
    assert found["read"].attributes == {"knowledge_engine.data_source_id": "ds_1"}
    assert parent_of(found["read"]) == found["upload"].context.span_id


def test_work_of_unknown_origin_begins_a_trace(spans: InMemorySpanExporter) -> None:
    with continued({}, "read", {}):
        inside = request_id.get()

    (read,) = spans.get_finished_spans()
    assert (inside, parent_of(read)) == ("", None)
