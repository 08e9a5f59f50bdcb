"""What the service did, as OpenTelemetry spans: requests, jobs, answers and extractions.

Those of models have the names of the GenAI conventions,
https://github.com/open-telemetry/semantic-conventions-genai, and are made when an answer or an
extraction has ended, from its usage. No span holds words of users or documents. Without an exporter
none is made.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from opentelemetry import trace
from opentelemetry.context import get_current
from opentelemetry.trace import ProxyTracerProvider, Span, SpanKind, Status, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from opentelemetry.util.types import AttributeValue

from agents.usage import Purpose, Step, Usage
from config.model_table import BUILT_IN

_PROVIDER_NAMES = {
    "gemini": "gcp.gemini",
    "vertex_ai": "gcp.vertex_ai",
    "bedrock": "aws.bedrock",
    "azure": "azure.ai.openai",
    "mistral": "mistral_ai",
    "xai": "x_ai",
}
"""What the conventions call a provider, where LiteLLM's name differs."""


_NAME = "knowledge_engine"
_PROPAGATOR = TraceContextTextMapPropagator()


def start_tracing() -> Callable[[], None]:
    """Send spans to where the standard variables of OpenTelemetry (`OTEL_…`) say.

    Returns:
        What sends those that wait, and stops (blocking); the end of the process does it as well.
    """
    # Who sends no traces does without the memory of these.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": "knowledge-engine"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    return provider.shutdown


def is_tracing() -> bool:
    """Tell whether spans go anywhere."""
    # What the API gives where nobody has set another.
    return not isinstance(trace.get_tracer_provider(), ProxyTracerProvider)


@contextmanager
def span(
    name: str,
    attributes: Mapping[str, AttributeValue] | None = None,
    *,
    kind: SpanKind = SpanKind.INTERNAL,
    parent: Mapping[str, str] | None = None,
) -> Iterator[Span]:
    """Make a span of what is done inside; of an exception it says the class and nothing else.

    `parent` holds the trace to go on with, as `inject_trace` writes it or as headers have it.
    """
    with trace.get_tracer(_NAME).start_as_current_span(
        name,
        context=_PROPAGATOR.extract(parent or {}, get_current()),
        kind=kind,
        attributes=attributes,
        # Messages may quote documents.
        record_exception=False,
        set_status_on_exception=False,
    ) as started:
        try:
            yield started
        finally:
            if error := sys.exception():
                started.set_attribute("error.type", type(error).__qualname__)
                started.set_status(StatusCode.ERROR)


def inject_trace(carrier: dict[str, str]) -> None:
    """Write down which span this is done in, by the names of W3C's Trace Context, if in any."""
    _PROPAGATOR.inject(carrier)


def trace_answer(usage: Usage) -> None:
    """Make the spans of an answer that has ended, with one for each of its steps."""
    _trace_workflow("answer", usage, {"knowledge_engine.answered_by": usage.answered_by})


def trace_extraction(usage: Usage) -> None:
    """Make the spans of an attempt at a tool run that has ended, one for each of its steps."""
    _trace_workflow("extraction", usage, {})


def _trace_workflow(name: str, usage: Usage, attributes: Mapping[str, AttributeValue]) -> None:
    if not is_tracing() or not usage.steps:
        return
    tracer = trace.get_tracer(_NAME)
    workflow = tracer.start_span(
        f"invoke_workflow {name}",
        start_time=_nanoseconds(min(step.began_at for step in usage.steps)),
        attributes={
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.workflow.name": name,
            **attributes,
        },
    )
    with trace.use_span(workflow):
        for step in usage.steps:
            _trace_step(tracer, step)
    workflow.end(_nanoseconds(max(step.began_at + step.seconds for step in usage.steps)))


def _trace_step(tracer: Tracer, step: Step) -> None:
    is_search = step.purpose is Purpose.RETRIEVE
    span = tracer.start_span(
        "retrieval" if is_search else f"chat {_model(step)}",
        kind=SpanKind.CLIENT if step.deployment else SpanKind.INTERNAL,
        start_time=_nanoseconds(step.began_at),
        attributes={"gen_ai.operation.name": "retrieval"} if is_search else _of_call(step),
    )
    if step.error is not None:
        span.set_attribute("error.type", step.error)
        span.set_status(Status(StatusCode.ERROR, step.error))
    span.end(_nanoseconds(step.began_at + step.seconds))


def _of_call(step: Step) -> Mapping[str, AttributeValue]:
    provider, _, _ = step.deployment.partition("/")
    attributes: dict[str, AttributeValue] = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": _PROVIDER_NAMES.get(provider, provider) or BUILT_IN,
        "gen_ai.request.model": _model(step),
        "gen_ai.usage.input_tokens": step.prompt_tokens,
        "gen_ai.usage.output_tokens": step.completion_tokens,
        "knowledge_engine.purpose": step.purpose.value,
        "knowledge_engine.model": step.model,
    }
    if step.price_usd is not None:
        attributes["knowledge_engine.price_usd"] = step.price_usd
    if step.first_word_seconds is not None:
        attributes["gen_ai.response.time_to_first_chunk"] = step.first_word_seconds
    return attributes


def _model(step: Step) -> str:
    """Return the provider's name for a model; that of the service where none was reached."""
    _, _, name = step.deployment.partition("/")
    return name or step.model


def _nanoseconds(seconds: float) -> int:
    return int(seconds * 1e9)
