"""Logging: one line a record on standard error, and nothing a document or a user said in it raw."""

import logging
import sys

_LINE = "%(asctime)s %(levelname)-7s %(name)s: %(message)s"


class _OneLine(logging.Formatter):
    """Keeps a record on one line, so that no text from outside can forge another record."""

    def format(self, record: logging.LogRecord) -> str:
        message = super().format(record)
        if record.exc_info:
            return message
        return message.replace("\r", "\\r").replace("\n", "\\n")


def configure_logs(level: str) -> None:
    """Send every record of `level` and above to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_OneLine(_LINE))
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
