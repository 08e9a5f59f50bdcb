"""Logging: one line a record on standard error, and nothing a document or a user said in it raw."""

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from enum import StrEnum

_LINE = "%(asctime)s %(levelname)-7s %(name)s%(request)s: %(message)s"

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The request that what is being done here goes back to; "" where it goes back to none."""


class LogFormat(StrEnum):
    """How a record is written."""

    TEXT = "text"
    JSON = "json"


class _OneLine(logging.Formatter):
    """Keeps a record on one line, so that no text from outside can forge another record."""

    def format(self, record: logging.LogRecord) -> str:
        message = super().format(record)
        if record.exc_info:
            return message
        return message.replace("\r", "\\r").replace("\n", "\\n")

    def formatMessage(self, record: logging.LogRecord) -> str:
        request = f" [{one}]" if (one := request_id.get()) else ""
        return _LINE % (record.__dict__ | {"request": request})


class _JsonLine(logging.Formatter):
    """Writes a record as a JSON object, tracebacks included; what it lacks is left out."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC)
        line = {
            "time": moment.isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        if one := request_id.get():
            line["request_id"] = one
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line)


def configure_logs(level: str, log_format: LogFormat = LogFormat.TEXT) -> None:
    """Send every record of `level` and above to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_JsonLine() if log_format is LogFormat.JSON else _OneLine(_LINE))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    # These narrate every request, job and statement at INFO.
    for name in ("httpx", "procrastinate", "alembic", "_granian"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # These quote what providers and models say, which may hold a key or the words of a document;
    # agents/gateway.py says what matters.
    for name in ("LiteLLM", "LiteLLM Router", "instructor"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
