"""`ke` within this process, which has loaded what a process of its own would take seconds to load.

That a process of its own ends alike is shown in tests/app/test_cli.py.
"""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from typer.testing import CliRunner

from app.cli import main


def ke(*arguments: str | Path, **settings: str) -> CompletedProcess[str]:
    """Run a command of `ke` to its end, without settings of whoever runs the tests."""
    words = [str(one) for one in arguments]
    inherited = dict.fromkeys(name for name in os.environ if name.startswith("KE_"))
    runner = CliRunner()
    with _logs_as_before(), runner.isolation(env=inherited | settings) as (output, said, _):
        status = _status_of(words)
        texts = [stream.getvalue().decode() for stream in (output, said)]
    return CompletedProcess(["ke", *words], status, *texts)


def _status_of(words: list[str]) -> int:
    with pytest.raises(SystemExit) as end:
        main(words)
    for stream in (sys.stdout, sys.stderr):
        stream.flush()  # As a process does when it ends.
    return int(end.value.code or 0)


@contextmanager
def _logs_as_before() -> Iterator[None]:
    """Give back what a command has set for its process: where records go, and which."""
    loggers = [logging.getLogger(), *map(logging.getLogger, logging.root.manager.loggerDict)]
    levels = [(one, one.level) for one in loggers]
    handlers = logging.root.handlers[:]
    try:
        yield
    finally:
        logging.root.handlers[:] = handlers
        for one, level in levels:
            one.setLevel(level)
