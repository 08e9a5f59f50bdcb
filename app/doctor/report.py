"""`ke doctor`: looks at everything a service needs, and says what to do."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict

from rich.table import Table
from rich.text import Text

from app.doctor.database import check_database
from app.doctor.findings import Finding, Level
from app.doctor.machine import check_limits, check_memory
from app.doctor.models import ask_models, check_models
from app.doctor.reading import (
    check_calls,
    check_embedding,
    check_jemalloc,
    check_libreoffice,
    check_recognition,
    check_tesseract,
)
from app.doctor.replica import check_replica
from app.doctor.storage import check_disk, check_store
from app.doctor.vectors import check_milvus
from app.people.writing import printable
from config.settings import Settings

Check = Callable[[Settings], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    check_database,
    check_replica,
    check_store,
    check_milvus,
    check_disk,
    check_memory,
    check_limits,
    check_models,
    check_embedding,
    check_recognition,
    check_libreoffice,
    check_tesseract,
    check_jemalloc,
    check_calls,
)

_STYLES = {Level.OK: "green", Level.WARNING: "yellow", Level.PROBLEM: "bold red"}


def examine(settings: Settings, *, ask: bool = False) -> list[Finding]:
    """Look at everything, one after the other; the models are asked only on request."""
    checks = (*CHECKS, ask_models) if ask else CHECKS
    return [finding for check in checks for finding in check(settings)]


def has_problem(findings: Sequence[Finding]) -> bool:
    """Tell whether something does not work."""
    return any(one.level is Level.PROBLEM for one in findings)


def render_findings(findings: Sequence[Finding]) -> Table:
    """Return a line for each finding, and below it what to do."""
    shown = Table.grid(padding=(0, 2))
    for one in findings:
        text = f"{one.text}\n{one.advice}" if one.advice else one.text
        level = Text(one.level, style=_STYLES[one.level])
        # As Text, for in what others have said brackets are no markup.
        shown.add_row(level, Text(one.subject), Text(printable(text)))
    return shown


def findings_as_json(findings: Sequence[Finding]) -> str:
    """Return the same as JSON."""
    return json.dumps([asdict(one) for one in findings], indent=2)
