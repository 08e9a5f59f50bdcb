"""Where queued work comes from: the request that asked for it, and the trace that it belongs to.

A job carries this, so that what a worker logs and traces can be found by the upload's own.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry.trace import SpanKind

from app.tracing import inject_trace, span
from config.logs import request_id


def current_origin() -> dict[str, str]:
    """Return where what is done here comes from, to be stored; empty where nobody asked for it."""
    origin: dict[str, str] = {}
    if request := request_id.get():
        origin["request_id"] = request
    inject_trace(origin)
    return origin


@contextmanager
def continued(
    origin: Mapping[str, str], name: str, attributes: Mapping[str, str]
) -> Iterator[None]:
    """Do what is inside on behalf of who asked for it, as a span of that trace."""
    token = request_id.set(origin.get("request_id", ""))
    try:
        with span(name, attributes, kind=SpanKind.CONSUMER, parent=origin):
            yield
    finally:
        request_id.reset(token)
