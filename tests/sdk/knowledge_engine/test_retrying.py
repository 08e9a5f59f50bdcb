"""What is sent again, and when."""

import httpx
import pytest

from knowledge_engine.calls import Call
from knowledge_engine.errors import ConnectionFailed, ServerError
from knowledge_engine.retrying import LONGEST_PAUSE_SECONDS, Retries, may_send_again

READING: Call[None] = Call("GET", "/x", lambda _: None)
CREATING: Call[None] = Call("POST", "/x", lambda _: None, is_repeatable=False)
REQUEST = httpx.Request("GET", "http://host.example/x")


@pytest.mark.parametrize(
    ("failure", "reading", "creating"),
    [
        (httpx.Response(400), False, False),
        (httpx.Response(404), False, False),
        (httpx.Response(429), False, False),
        (httpx.Response(500), True, True),
        (httpx.Response(502), True, True),
        (httpx.Response(503), True, True),
        (httpx.Response(504), True, True),
        (httpx.ConnectError(""), True, True),
        (httpx.WriteError(""), True, True),
        (httpx.ReadError(""), True, True),
        (httpx.ReadTimeout(""), True, False),
        (httpx.RemoteProtocolError(""), True, True),
        (httpx.DecodingError(""), False, False),
    ],
    ids=repr,
)
def test_only_what_may_still_be_created_is_not_sent_again(
    failure: httpx.Response | httpx.RequestError, reading: bool, creating: bool
) -> None:
    assert may_send_again(READING, failure) == reading
    assert may_send_again(CREATING, failure) == creating


def test_pause_doubles_and_the_third_failure_is_the_last() -> None:
    retries, failure = Retries(), httpx.Response(500)

    assert [retries.pause_after(READING, failure, attempt) for attempt in (1, 2)] == [0.5, 1.0]
    with pytest.raises(ServerError):
        retries.pause_after(READING, failure, 3)


@pytest.mark.parametrize(
    ("header", "pause"),
    [
        pytest.param("5", 5.0, id="longer"),
        pytest.param("0", 0.5, id="shorter"),
        pytest.param("99999", LONGEST_PAUSE_SECONDS, id="far too long"),
        pytest.param("Wed, 21 Oct 2026 07:28:00 GMT", 0.5, id="a date"),
        pytest.param("٥", 0.5, id="digits of another script"),
    ],
)
def test_service_may_ask_for_more_time(header: str, pause: float) -> None:
    busy = httpx.Response(503, headers=[(b"Retry-After", header.encode())])

    assert Retries().pause_after(READING, busy, 1) == pause


def test_connection_that_failed_names_the_address() -> None:
    failure = httpx.ConnectError("refused", request=REQUEST)

    with pytest.raises(ConnectionFailed, match=r"^http://host\.example: refused$") as raised:
        Retries(attempts=1).pause_after(READING, failure, 1)

    assert raised.value.__cause__ is failure
