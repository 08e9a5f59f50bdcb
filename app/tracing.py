"""What an answer did, as OpenTelemetry spans with the names of the GenAI conventions.

https://github.com/open-telemetry/semantic-conventions-genai. Spans are made when an answer has
ended, from its usage; without an exporter none is.
"""

from collections.abc import Mapping

from opentelemetry import trace
from opentelemetry.trace import ProxyTracerProvider, SpanKind, Status, StatusCode, Tracer
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


def start_tracing() -> None:
    """Send spans to where the standard variables of OpenTelemetry (`OTEL_…`) say."""
    # Who sends no traces does without the memory of these.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    provider = TracerProvider(resource=Resource.create({"service.name": "knowledge-engine"}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)


def trace_answer(usage: Usage) -> None:
    """Make the spans of an answer that has ended, with one for each of its steps."""
    provider = trace.get_tracer_provider()
    # What the API gives where nobody has set another.
    if isinstance(provider, ProxyTracerProvider) or not usage.steps:
        return
    tracer = provider.get_tracer("knowledge_engine")
    answer = tracer.start_span(
        "invoke_workflow answer",
        start_time=_nanoseconds(min(step.began_at for step in usage.steps)),
        attributes={
            "gen_ai.operation.name": "invoke_workflow",
            "gen_ai.workflow.name": "answer",
            "knowledge_engine.answered_by": usage.answered_by,
        },
    )
    with trace.use_span(answer):
        for step in usage.steps:
            _trace_step(tracer, step)
    answer.end(_nanoseconds(max(step.began_at + step.seconds for step in usage.steps)))


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
