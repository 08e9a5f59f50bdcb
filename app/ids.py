"""Public identifiers: a prefix, an underscore and 14 characters; synonyms of a prefix are one."""

import re
import secrets
from dataclasses import dataclass

from config.errors import InvalidId

_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"
_LENGTH = 14
_SUFFIX = re.compile(r"[A-Za-z0-9]{10,20}", re.ASCII)


@dataclass(frozen=True, slots=True)
class IdKind:
    """A kind of resource: what it is called, its prefix, and a prefix that is read as the same."""

    noun: str
    prefix: str
    synonym: str = ""


KNOWLEDGE_ENGINE = IdKind("knowledge engine", "kng", "ke")
DATA_SOURCE = IdKind("data source", "ds", "dsc")
WORKFLOW = IdKind("workflow", "wfl", "wf")
CONTEXT = IdKind("context", "ctx")
TOOL_RUN = IdKind("tool run", "trun")


def new_id(kind: IdKind) -> str:
    """Make an identifier nobody can guess (72 bits)."""
    return f"{kind.prefix}_{''.join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))}"


def parse_id(kind: IdKind, text: str) -> str:
    """Return the canonical form of an identifier that a client sent.

    Raises:
        InvalidId: it is not of the form this kind has.
    """
    prefix, _, suffix = text.partition("_")
    if not prefix or prefix not in (kind.prefix, kind.synonym) or not _SUFFIX.fullmatch(suffix):
        raise InvalidId(kind.noun)
    return f"{kind.prefix}_{suffix}"
