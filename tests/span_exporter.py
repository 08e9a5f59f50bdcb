"""Where the spans of this process go: OpenTelemetry takes one provider for good."""

from functools import lru_cache

from opentelemetry import trace
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter


@lru_cache(maxsize=1)
def span_exporter() -> InMemorySpanExporter:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return exporter


def parent_of(span: ReadableSpan) -> int | None:
    return span.parent.span_id if span.parent else None


def finished(exporter: InMemorySpanExporter) -> dict[str, ReadableSpan]:
    """Return the spans that have ended, by their names."""
    return {span.name: span for span in exporter.get_finished_spans()}
