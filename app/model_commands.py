"""What `ke models` shows: the routing file as this environment makes it."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from rich.table import Table
from rich.text import Text

from config.model_table import Deployment, Model, ModelTable, Price
from config.search_services import EmbeddingService, RerankService

CAPTION = "Windows in tokens; prices in USD per million tokens, of the question / of the answer."


def render_models(table: ModelTable) -> Table:
    """Return a table of the identifiers: whether enabled, what answers or is missing, the cost."""
    shown = Table(show_lines=True, caption=CAPTION, caption_justify="left")
    shown.add_column("Model", no_wrap=True)
    shown.add_column("Window\nPrice", justify="right", no_wrap=True)
    shown.add_column("Answered by, in this order", overflow="fold")
    for model in table.all_models.values():
        shown.add_row(
            Text(f"{model.identifier}\n{'enabled' if model.is_enabled else 'not enabled'}"),
            f"{model.context_window:,}\n{_price(model.price)}",
            Text("\n".join(_answered_by(model))),
        )
    return shown


def describe_auto(table: ModelTable) -> str:
    """Say among what `auto` chooses."""
    enabled = sum(model.is_enabled for model in table.models.values())
    if not enabled:
        return "auto: no model is enabled, so the built-in extractive answerer answers."
    return f"auto: chooses among those that are enabled ({enabled})."


def describe_search(table: ModelTable) -> Iterator[str]:
    """Yield a line for each service that takes part in searching; none where there is none."""
    if (embedding := table.embedding) is not None:
        yield f"embedding: {_asked(embedding)}, {embedding.dimensions} dimensions"
    if (rerank := table.rerank) is not None:
        yield f"rerank: {_asked(rerank)}, the best {rerank.candidates} chunks"


def models_as_json(table: ModelTable) -> str:
    """Return the same as JSON, with the strengths and with what each deployment lacks."""
    return json.dumps([_as_json(model) for model in table.all_models.values()], indent=2)


def _answered_by(model: Model) -> Iterator[str]:
    """Yield a line for each deployment that answers; if none does, for each what it needs."""
    for deployment in model.deployments:
        weight = f", weight {deployment.weight}" if deployment.weight else ""
        yield f"{_asked(deployment)}{weight}"
    if not model.is_enabled:
        for unusable in model.unusable:
            yield f"{unusable.model} needs {' and '.join(unusable.missing)}"


def _asked(one: Deployment | EmbeddingService | RerankService) -> str:
    host = _host(one)
    return f"{one.model} at {host}" if host else one.model


def _host(one: Deployment | EmbeddingService | RerankService) -> str:
    """Return the host of an address, without a user and password that may stand before it."""
    return urlsplit(one.api_base).netloc.rpartition("@")[2]


def _price(price: Price | None) -> str:
    return f"{price.input:g} / {price.output:g}" if price else "not known"


def _as_json(model: Model) -> dict[str, Any]:
    return {
        "identifier": model.identifier,
        "display_name": model.display_name,
        "enabled": model.is_enabled,
        "why_not_enabled": model.why_not_enabled or None,
        "context_window": model.context_window,
        "price": _price_as_json(model.price),
        "strengths": sorted(model.strengths),
        "deployments": [
            {
                "model": one.model,
                "host": _host(one) or None,
                "timeout_seconds": one.timeout_seconds,
                "weight": one.weight,
                "context_window": one.context_window,
                "price": _price_as_json(one.price),
            }
            for one in model.deployments
        ],
        "unusable": [{"model": one.model, "missing": one.missing} for one in model.unusable],
    }


def _price_as_json(price: Price | None) -> dict[str, float] | None:
    return {"input": price.input, "output": price.output} if price else None
