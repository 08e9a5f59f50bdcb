import pytest

from agents.usage import Purpose, Step, Usage
from app.metrics import Backlog, Metrics


def test_answer_counts_tokens_and_price_by_model() -> None:
    usage = Usage()
    with usage.step(Purpose.ANSWER, "delta-4.1") as step:
        step.prompt_tokens, step.completion_tokens, step.price_usd = 100, 20, 0.5
        step.note_first_word()

    lines = counted(usage, "answered")

    assert 'ke_answers_total{model="delta-4.1",outcome="answered"} 1.0' in lines
    assert 'ke_tokens_total{kind="prompt",model="delta-4.1"} 100.0' in lines
    assert 'ke_tokens_total{kind="completion",model="delta-4.1"} 20.0' in lines
    assert 'ke_price_usd_total{model="delta-4.1"} 0.5' in lines
    assert 'ke_first_word_seconds_count{model="delta-4.1"} 1.0' in lines


def test_failed_call_is_counted_by_its_reason() -> None:
    usage = Usage()
    with usage.step(Purpose.ANSWER, "delta-4.1") as step:
        step.error = "the model provider failed"

    lines = counted(usage, "failed")

    assert 'ke_answers_total{model="none",outcome="failed"} 1.0' in lines
    reason = 'reason="the model provider failed"'
    assert f'ke_provider_errors_total{{model="delta-4.1",{reason}}} 1.0' in lines


def test_call_of_unknown_price_is_counted_apart() -> None:
    usage = Usage()
    with usage.step(Purpose.ANSWER, "delta-4.1") as step:
        step.price_usd = None

    assert 'ke_unpriced_calls_total{model="delta-4.1"} 1.0' in counted(usage, "answered")


def test_tool_run_counts_by_its_end_and_its_calls() -> None:
    usage = Usage()
    with usage.step(Purpose.EXTRACT, "gamma-1.5-pro") as step:
        step.prompt_tokens = 100
    metrics = Metrics()

    metrics.count_extraction(usage, "gamma-1.5-pro", "completed")
    metrics.count_extraction(Usage(), None, "failed")

    lines = metrics.render(Backlog(tool_runs={"queued": 3})).decode().splitlines()
    assert 'ke_extractions_total{model="gamma-1.5-pro",outcome="completed"} 1.0' in lines
    assert 'ke_extractions_total{model="none",outcome="failed"} 1.0' in lines
    assert 'ke_tokens_total{kind="prompt",model="gamma-1.5-pro"} 100.0' in lines
    assert 'ke_tool_runs_unfinished{status="queued"} 3.0' in lines


def test_search_is_timed() -> None:
    usage = Usage()
    usage.steps.append(Step(Purpose.RETRIEVE, seconds=0.2))

    lines = counted(usage, "answered")

    assert 'ke_retrieval_seconds_bucket{le="0.1"} 0.0' in lines
    assert 'ke_retrieval_seconds_bucket{le="0.25"} 1.0' in lines


@pytest.mark.parametrize(
    ("processing", "gauges"),
    [
        pytest.param({"queued": 2}, ['ke_data_sources_processing{stage="queued"} 2.0'], id="some"),
        pytest.param({}, [], id="none"),
    ],
)
def test_stages_are_those_of_now(processing: dict[str, int], gauges: list[str]) -> None:
    metrics = Metrics()
    metrics.render(Backlog({"reading": 1}))

    lines = metrics.render(Backlog(processing)).decode().splitlines()

    assert [line for line in lines if line.startswith("ke_data_sources")] == gauges


def test_workers_are_counted() -> None:
    assert b"\nke_queue_workers 2.0\n" in Metrics().render(Backlog(workers=2))


def counted(usage: Usage, outcome: str) -> list[str]:
    metrics = Metrics()
    metrics.count_answer(usage, outcome)
    return metrics.render(Backlog()).decode().splitlines()
