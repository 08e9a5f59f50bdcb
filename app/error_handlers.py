"""Every failure leaves as `{"error": …}`, whoever raised it; to a person it is told in a page."""

import logging

from quart import Quart, Response, jsonify
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from app.auth import REALM
from app.console.error_pages import error_for_a_person, is_for_a_person
from app.current import get_services
from config.errors import (
    RangeNotSatisfiable,
    ServiceError,
    Unauthorized,
    Unavailable,
    UploadTooLarge,
)

_logger = logging.getLogger(__name__)

RETRY_AFTER_SECONDS = 5


def register_error_handlers(app: Quart) -> None:
    """Answer every exception of the application with the documented body."""
    app.register_error_handler(ServiceError, _handle_service_error)
    app.register_error_handler(RequestEntityTooLarge, _handle_too_large)
    app.register_error_handler(HTTPException, _handle_http_exception)
    for away in (OperationalError, InterfaceError, PoolTimeout):
        app.register_error_handler(away, _handle_away)
    app.register_error_handler(Exception, _handle_unknown)


async def _handle_service_error(error: ServiceError) -> Response:
    if isinstance(error, Unavailable) and error.__cause__ is None:
        _logger.warning("%s", error.message)  # A refusal, and no fault of anything.
    elif error.status_code >= 500:
        _logger.error("%s", error.message, exc_info=error)
    response = await _error_response(error.message, error.status_code)
    if isinstance(error, Unauthorized):
        response.headers["WWW-Authenticate"] = REALM
    if isinstance(error, RangeNotSatisfiable):
        response.headers["Content-Range"] = f"bytes */{error.size_bytes}"
    if isinstance(error, Unavailable):
        response.headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    return response


async def _handle_too_large(_: RequestEntityTooLarge) -> Response:
    settings = get_services().settings
    return await _handle_service_error(UploadTooLarge(settings.max_upload_bytes))


async def _handle_away(error: Exception) -> Response:
    _logger.warning("The database does not answer: %s", error)
    return await _handle_service_error(Unavailable("the database does not answer"))


async def _handle_http_exception(error: HTTPException) -> Response:
    """Give the framework's own errors (unknown route, wrong method) the body of all others."""
    response = await _error_response(error.name, error.code or 500)
    if allowed := dict(error.get_headers()).get("Allow"):
        response.headers["Allow"] = allowed
    return response


async def _handle_unknown(error: Exception) -> Response:
    _logger.error("A request failed", exc_info=error)
    return await _error_response("Internal Server Error", 500)


async def _error_response(message: str, status_code: int) -> Response:
    if is_for_a_person():
        return await error_for_a_person(message, status_code)
    response = jsonify({"error": message})
    response.status_code = status_code
    return response
