"""Counters of one process, as Prometheus reads them at GET /metrics."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from agents.usage import Purpose, Step, Usage

_SEARCH_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
_FIRST_WORD_SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


@dataclass(frozen=True, slots=True)
class Backlog:
    """What all processes together have to do, and how many are there to do it.

    Nothing and nobody where the database is away.
    """

    data_sources: Mapping[str, int] = field(default_factory=dict)  # by their stage
    tool_runs: Mapping[str, int] = field(default_factory=dict)  # by their status
    workers: int = 0


class Metrics:
    """What a process has done since it began.

    Every label has few values, and none of them is text of a user, a document or a provider.
    """

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = self._counter("requests", "Requests", "method", "route", "status")
        self._answers = self._counter("answers", "Answers", "model", "outcome")
        self._extractions = self._counter("extractions", "Tool runs", "model", "outcome")
        self._tokens = self._counter("tokens", "Tokens of models", "model", "kind")
        self._price = self._counter("price_usd", "Price of the tokens in USD", "model")
        self._unpriced = self._counter("unpriced_calls", "Calls of unknown price", "model")
        self._errors = self._counter("provider_errors", "Failed calls", "model", "reason")
        self._reranking = self._counter("rerankings", "Searches with a reranker", "outcome")
        self._retrieval = Histogram(
            "ke_retrieval_seconds",
            "Time of a search for an answer, with its wait in line",
            buckets=_SEARCH_SECONDS,
            registry=self._registry,
        )
        self._first_word = Histogram(
            "ke_first_word_seconds",
            "Time from asking a model to its first word",
            ["model"],
            buckets=_FIRST_WORD_SECONDS,
            registry=self._registry,
        )
        self._runs = Gauge(
            "ke_tool_runs_unfinished",
            "Tool runs that are not finished yet, in all processes",
            ["status"],
            registry=self._registry,
        )
        self._workers = Gauge(
            "ke_queue_workers",
            "Workers of the queues that were heard of lately, in all processes",
            registry=self._registry,
        )
        self._queue = Gauge(
            "ke_data_sources_processing",
            "Data sources that are not read yet, in all processes",
            ["stage"],
            registry=self._registry,
        )

    def count_request(self, method: str, route: str, status: int) -> None:
        """Count a request; `route` is the pattern of its path, without ids."""
        self._requests.labels(method, route, str(status)).inc()

    def count_answer(self, usage: Usage, outcome: str) -> None:
        """Count an answer that has ended, with all its steps."""
        self._answers.labels(usage.answered_by or "none", outcome).inc()
        self._count_steps(usage)

    def count_extraction(self, usage: Usage, model: str | None, outcome: str) -> None:
        """Count a tool run that has ended, with all its steps."""
        self._extractions.labels(model or "none", outcome).inc()
        self._count_steps(usage)

    def count_reranking(self, outcome: str) -> None:
        """Count a search that was given to the reranker."""
        self._reranking.labels(outcome).inc()

    def render(self, backlog: Backlog) -> bytes:
        """Return everything in Prometheus's text format."""
        for gauge, counts in ((self._queue, backlog.data_sources), (self._runs, backlog.tool_runs)):
            gauge.clear()
            for label, count in counts.items():
                gauge.labels(label).set(count)
        self._workers.set(backlog.workers)
        return generate_latest(self._registry)

    def _count_steps(self, usage: Usage) -> None:
        for step in usage.steps:
            if step.purpose is Purpose.RETRIEVE:
                self._retrieval.observe(step.seconds)
            else:
                self._count_call(step)

    def _count_call(self, step: Step) -> None:
        self._tokens.labels(step.model, "prompt").inc(step.prompt_tokens)
        self._tokens.labels(step.model, "completion").inc(step.completion_tokens)
        if step.price_usd is None:
            self._unpriced.labels(step.model).inc()
        else:
            self._price.labels(step.model).inc(step.price_usd)
        if step.error is not None:
            self._errors.labels(step.model, step.error).inc()
        if step.first_word_seconds is not None:
            self._first_word.labels(step.model).observe(step.first_word_seconds)

    def _counter(self, name: str, description: str, *labels: str) -> Counter:
        return Counter(f"ke_{name}", description, labels, registry=self._registry)
