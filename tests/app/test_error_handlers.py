import logging
from typing import Any

import pytest
from quart import Quart
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from werkzeug.exceptions import ImATeapot

from app.error_handlers import register_error_handlers
from config.errors import (
    AnswerFailed,
    NotFound,
    ServiceError,
    Unauthorized,
    Unavailable,
    UploadTooLarge,
)

LIMIT = "the upload exceeds the limit"
AWAY = "the database does not answer"


@pytest.fixture
def failing() -> Quart:
    """An application whose only page raises what the test puts into `extensions`."""
    app = Quart(__name__)
    register_error_handlers(app)

    @app.get("/")
    async def fail() -> str:
        raise app.extensions["failure"]

    return app


@pytest.mark.parametrize(
    ("failure", "status", "message", "header"),
    [
        pytest.param(NotFound("workflow"), 404, "workflow not found", None, id="not found"),
        pytest.param(
            Unauthorized(),
            401,
            "Unauthorized",
            ("WWW-Authenticate", 'Basic realm="Knowledge Engine"'),
            id="unauthorized",
        ),
        pytest.param(Unavailable("later"), 503, "later", ("Retry-After", "5"), id="unavailable"),
        pytest.param(UploadTooLarge(3 * 2**19), 413, f"{LIMIT} of 1.5 MB", None, id="413"),
        pytest.param(OperationalError("SELECT", {}, OSError("dsn")), 503, AWAY, None, id="away"),
        pytest.param(InterfaceError("SELECT", {}, OSError("dsn")), 503, AWAY, None, id="broken"),
        pytest.param(PoolTimeout("dsn"), 503, AWAY, ("Retry-After", "5"), id="no connection left"),
        pytest.param(ImATeapot(), 418, "I'm a teapot", None, id="the framework's own"),
        pytest.param(ServiceError("plain"), 500, "plain", None, id="ours"),
        pytest.param(ZeroDivisionError("secret"), 500, "Internal Server Error", None, id="unknown"),
    ],
)
async def test_every_failure_has_the_same_body(
    failing: Quart, failure: Exception, status: int, message: str, header: Any
) -> None:
    failing.extensions["failure"] = failure

    response = await failing.test_client().get("/")

    assert (response.status_code, await response.get_json()) == (status, {"error": message})
    assert header is None or response.headers[header[0]] == header[1]


async def test_wrong_method_says_which_are_right(failing: Quart) -> None:
    response = await failing.test_client().post("/")

    assert (response.status_code, await response.get_json()) == (
        405,
        {"error": "Method Not Allowed"},
    )
    assert set(response.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


@pytest.mark.parametrize("failure", [ZeroDivisionError("cause"), AnswerFailed("cause")])
async def test_failure_of_ours_is_logged_with_its_trace(
    failing: Quart, failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    failing.extensions["failure"] = failure

    with caplog.at_level(logging.ERROR):
        await failing.test_client().get("/")

    (record,) = caplog.records
    assert record.exc_info is not None
    assert record.exc_info[1] is failure


async def test_failure_of_the_client_is_not_logged(
    failing: Quart, caplog: pytest.LogCaptureFixture
) -> None:
    failing.extensions["failure"] = NotFound("workflow")

    await failing.test_client().get("/")

    assert caplog.records == []
