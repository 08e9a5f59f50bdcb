"""The routing file, and, only when asked to, whether the models answer."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from app.doctor.findings import Finding, ok, problem
from config.errors import AnswerFailed
from config.model_table import InvalidModelTable, ModelTable, load_model_table
from config.settings import Settings, credential
from indexing.embedding import Vectors

if TYPE_CHECKING:
    from agents.gateway import LLMGateway

QUESTION = "Answer with the one word: yes"


def check_models(settings: Settings) -> Iterator[Finding]:
    """See that the routing file can be used, and say what is enabled; nobody is asked."""
    try:
        table = load_model_table(settings.models_file, credential)
    except (InvalidModelTable, OSError) as error:
        advice = "Put it right as docs/models.md shows; `ke models` checks it again."
        yield problem("models", str(error), advice)
        return
    yield ok("models", ", ".join(_enabled(table)) or "none enabled: the built-in answerer answers")


def ask_models(settings: Settings) -> Iterator[Finding]:
    """Ask each enabled model for one word; it is paid for."""
    try:
        table = load_model_table(settings.models_file, credential)
    except (InvalidModelTable, OSError):
        return  # `check_models` has said so.
    yield from asyncio.run(_ask_all(table))


async def _ask_all(table: ModelTable) -> list[Finding]:
    from agents.gateway import LLMGateway

    gateway = LLMGateway(table, _embed_nothing)
    return [await _ask(gateway, identifier) for identifier in _enabled(table)]


async def _ask(gateway: "LLMGateway", identifier: str) -> Finding:
    from agents.prompts import Message
    from agents.usage import Purpose

    subject, question = f"model {identifier}", [Message(role="user", content=QUESTION)]
    try:
        await gateway.complete(identifier, question, purpose=Purpose.ANSWER)
    except AnswerFailed as error:
        advice = "See its key, address and name; `ke models` shows what stands behind it."
        return problem(subject, error.message, advice)
    return ok(subject, "answers")


def _enabled(table: ModelTable) -> list[str]:
    return [one.identifier for one in table.models.values() if one.is_enabled]


def _embed_nothing(texts: Sequence[str]) -> Vectors:
    raise AssertionError("only the built-in answerer embeds, and it is not asked")
