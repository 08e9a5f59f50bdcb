import io
import logging
from collections.abc import Iterator
from contextlib import redirect_stderr

import pytest

from config.logs import configure_logs


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


def test_talkative_libraries_are_quiet() -> None:
    configure_logs("info")

    assert not logging.getLogger("httpx").isEnabledFor(logging.INFO)
    assert not logging.getLogger("LiteLLM Router").isEnabledFor(logging.INFO)
