"""What `ke doctor` says: a line for each thing that it has looked at."""

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    """How bad it is."""

    OK = "ok"
    WARNING = "warning"  # it works, but less well or not for long
    PROBLEM = "problem"  # it does not work


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found of one thing, and what to do about it."""

    subject: str
    level: Level
    text: str
    advice: str = ""


def ok(subject: str, text: str) -> Finding:
    """All is well."""
    return Finding(subject, Level.OK, text)


def warning(subject: str, text: str, advice: str) -> Finding:
    """It works, but something should be done."""
    return Finding(subject, Level.WARNING, text, advice)


def problem(subject: str, text: str, advice: str) -> Finding:
    """It does not work until something is done."""
    return Finding(subject, Level.PROBLEM, text, advice)
