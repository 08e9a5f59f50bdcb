"""Public identifiers: a prefix, an underscore and 14 characters; synonyms of a prefix are one."""

import hashlib
import hmac
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
WEBHOOK = IdKind("webhook", "whk")
WEBHOOK_DELIVERY = IdKind("webhook delivery", "dlv")
DELETION_RECEIPT = IdKind("deletion receipt", "drc")


def new_id(kind: IdKind) -> str:
    """Make an identifier nobody can guess (72 bits)."""
    return f"{kind.prefix}_{''.join(secrets.choice(_ALPHABET) for _ in range(_LENGTH))}"


def derive_id(kind: IdKind, seed: bytes, item: int = 0) -> str:
    """Make the identifier that this secret stands for; the items of one kind have one each."""
    digest = hmac.digest(seed, f"{kind.prefix}_{item}".encode(), hashlib.sha256)
    number, suffix = int.from_bytes(digest), ""
    for _ in range(_LENGTH):
        number, rest = divmod(number, len(_ALPHABET))
        suffix += _ALPHABET[rest]
    return f"{kind.prefix}_{suffix}"


def id_pattern(kind: IdKind) -> str:
    """Return the regular expression of the identifiers that are accepted, as JSON Schema has it."""
    prefixes = "|".join(filter(None, (kind.prefix, kind.synonym)))
    return f"^({prefixes})_{_SUFFIX.pattern}$"


def parse_id(kind: IdKind, text: str) -> str:
    """Return the canonical form of an identifier that a client sent.

    Raises:
        InvalidId: it is not of the form this kind has.
    """
    prefix, _, suffix = text.partition("_")
    if not prefix or prefix not in (kind.prefix, kind.synonym) or not _SUFFIX.fullmatch(suffix):
        raise InvalidId(kind.noun)
    return f"{kind.prefix}_{suffix}"
