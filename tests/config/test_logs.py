import io
import json
import logging
from collections.abc import Iterator
from contextlib import redirect_stderr
from datetime import datetime
from typing import Any

import pytest

from config.logs import LogFormat, configure_logs, request_id


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def logged(level: str, *records: tuple[int, str]) -> list[str]:
    with redirect_stderr(io.StringIO()) as errors:
        configure_logs(level)
        for number, message in records:
            logging.getLogger("app.reading").log(number, message)
    return errors.getvalue().splitlines()


def test_record_is_one_line_with_level_and_name() -> None:
    (line,) = logged("info", (logging.WARNING, "The database is away"))

    assert line.endswith(" WARNING app.reading: The database is away")


def test_text_from_outside_cannot_forge_a_record() -> None:
    (line,) = logged("info", (logging.INFO, "name\r\n2026-01-01 ERROR forged"))

    assert line.endswith("name\\r\\n2026-01-01 ERROR forged")


@pytest.mark.parametrize(("level", "count"), [("debug", 2), ("INFO", 1), ("error", 0)])
def test_level_decides_what_is_said(level: str, count: int) -> None:
    assert len(logged(level, (logging.DEBUG, "a"), (logging.INFO, "b"))) == count


def test_trace_keeps_its_lines() -> None:
    with redirect_stderr(io.StringIO()) as errors:
        configure_logs("info")
        try:
            raise ZeroDivisionError
        except ZeroDivisionError:
            logging.getLogger("app").exception("It failed")

    lines = errors.getvalue().splitlines()
    assert lines[1] == "Traceback (most recent call last):"
    assert lines[-1] == "ZeroDivisionError"


def test_record_of_a_request_names_it() -> None:
    token = request_id.set("req-1")
    (line,) = logged("info", (logging.INFO, "It was refused"))
    request_id.reset(token)

    assert line.endswith(" INFO    app.reading [req-1]: It was refused")


def test_json_record_has_its_parts() -> None:
    token = request_id.set("req-1")
    (line,) = logged_as_json("name\r\n2026-01-01 ERROR forged")
    request_id.reset(token)

    moment = datetime.fromisoformat(line.pop("time"))
    assert moment.utcoffset() is not None
    assert line == {
        "level": "WARNING",
        "logger": "app.reading",
        "message": "name\r\n2026-01-01 ERROR forged",
        "request_id": "req-1",
    }


def test_json_record_holds_its_traceback() -> None:
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        (line,) = logged_as_json("It failed", exc_info=True)

    assert line["message"] == "It failed"
    assert line["traceback"].splitlines()[0] == "Traceback (most recent call last):"
    assert line["traceback"].splitlines()[-1] == "ZeroDivisionError"
    assert "request_id" not in line


def logged_as_json(message: str, **options: Any) -> list[Any]:
    with redirect_stderr(io.StringIO()) as errors:
        configure_logs("info", LogFormat.JSON)
        logging.getLogger("app.reading").warning(message, **options)
    return [json.loads(line) for line in errors.getvalue().splitlines()]


def test_talkative_libraries_are_quiet() -> None:
    configure_logs("info")

    assert not logging.getLogger("httpx").isEnabledFor(logging.INFO)
    assert not logging.getLogger("LiteLLM Router").isEnabledFor(logging.INFO)
