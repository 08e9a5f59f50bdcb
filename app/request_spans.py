"""Requests as spans of OpenTelemetry, with the names of its HTTP conventions.

https://opentelemetry.io/docs/specs/semconv/http/http-spans/
"""

from http import HTTPMethod
from typing import Any

from opentelemetry import trace
from opentelemetry.trace import SpanKind, StatusCode
from quart import Quart, Response, request

from app.tracing import is_tracing, span
from config.logs import request_id


def trace_requests(app: Quart) -> None:
    """Make a span of each request; where spans go nowhere, leave the application as it is."""
    if is_tracing():
        app.asgi_app = _RequestSpans(app.asgi_app)  # type: ignore[method-assign]  # Quart's way
        app.after_request(_name_by_route)


class _RequestSpans:
    """An ASGI application that makes a span of each request, to the last byte of its answer."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {
            name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]
        }
        method = scope["method"] if scope["method"] in HTTPMethod.__members__ else "_OTHER"
        # Paths hold ids, and those of files what opens them: the route is named once it is known.
        attributes = {
            "http.request.method": method,
            "knowledge_engine.request_id": request_id.get(),
        }
        with span(method, attributes, kind=SpanKind.SERVER, parent=headers) as started:

            async def send_with_status(message: Any) -> None:
                if message["type"] == "http.response.start":
                    started.set_attribute("http.response.status_code", message["status"])
                    if message["status"] >= 500:
                        started.set_status(StatusCode.ERROR)
                await send(message)

            await self._app(scope, receive, send_with_status)


async def _name_by_route(response: Response) -> Response:
    if request.url_rule is not None:
        of_request = trace.get_current_span()
        of_request.update_name(f"{request.method} {request.url_rule.rule}")
        of_request.set_attribute("http.route", request.url_rule.rule)
    return response
