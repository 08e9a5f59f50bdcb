"""The dashboard of Grafana is held to the metrics that there are."""

import json
import re
from pathlib import Path
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

from agents.usage import Purpose, Step, Usage
from app.metrics import Backlog, Metrics

DASHBOARD = Path(__file__).parents[1] / "deploy" / "grafana" / "knowledge-engine.json"


def test_every_metric_that_is_queried_exists_with_its_labels() -> None:
    there = metrics_with_labels()

    for expression in expressions():
        names = set(re.findall(r"ke_\w+", expression))
        assert names
        assert names <= there.keys(), expression
        used = set(re.findall(r"(\w+)(?:=~|=)\"", expression))
        used |= {
            one for group in re.findall(r"by \(([^)]*)\)", expression) for one in group.split(", ")
        }
        known = {label for name in names for label in there[name]} | {"instance"}
        assert used <= known, expression


def test_every_metric_is_shown() -> None:
    shown = {name for expression in expressions() for name in re.findall(r"ke_\w+", expression)}

    families = {re.sub("_(bucket|sum|count|created)$", "", name) for name in metrics_with_labels()}
    assert families == {name.removesuffix("_bucket") for name in shown}


def test_panels_do_not_lie_on_each_other() -> None:
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in dashboard()["panels"]]

    assert len(set(places)) == len(places) > 0


def dashboard() -> Any:
    return json.loads(DASHBOARD.read_text())


def expressions() -> list[str]:
    return [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]


def metrics_with_labels() -> dict[str, set[str]]:
    """Return the labels of each metric that a process has which has done a bit of everything."""
    metrics = Metrics()
    usage = Usage()
    failed = Step(Purpose.ANSWER, "delta-4.1", price_usd=None, error="it failed")
    priced = Step(Purpose.ANSWER, "delta-4.1", price_usd=0.1, first_word_seconds=0.1)
    usage.steps = [Step(Purpose.RETRIEVE), failed, priced]
    metrics.count_request("GET", "/healthz", 200)
    metrics.count_answer(usage, "answered")
    metrics.count_extraction(usage, "delta-4.1", "completed")
    text = metrics.render(Backlog({"queued": 1}, {"queued": 1}, 1)).decode()
    return {
        sample.name: set(sample.labels)
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if not sample.name.endswith("_created")
    }
