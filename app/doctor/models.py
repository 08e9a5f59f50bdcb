"""The routing file, and, only when asked to, whether the models answer."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from app.doctor.findings import Finding, ok, problem
from config.errors import AnswerFailed
from config.model_table import InvalidModelTable, ModelTable, load_model_table
from config.search_services import EmbeddingService, RerankService
from config.settings import Settings, credential
from indexing.embedding import Vectors

if TYPE_CHECKING:
    from agents.gateway import LLMGateway

QUESTION = "Answer with the one word: yes"
WORD = "lease"
SEARCH_ADVICE = "See its section of the routing file: docs/how-to/embedding-and-reranking.md."


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
    if table.embedding is not None:
        yield _ask_embedding(table.embedding)
    if table.rerank is not None:
        yield asyncio.run(_ask_reranking(table.rerank))


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


def _ask_embedding(service: EmbeddingService) -> Finding:
    from agents.search_calls import CallFailed, embed

    subject = f"embedding {service.model}"
    try:
        embed(service, [WORD], service.query_input_type, service.timeout_seconds)
    except CallFailed as error:
        return problem(subject, str(error), SEARCH_ADVICE)
    return ok(subject, f"embeds a word in {service.dimensions} dimensions")


async def _ask_reranking(service: RerankService) -> Finding:
    from agents.search_calls import CallFailed, rerank

    subject = f"reranking {service.model}"
    try:
        await rerank(service, WORD, [WORD, QUESTION])
    except CallFailed as error:
        return problem(subject, str(error), SEARCH_ADVICE)
    return ok(subject, "reranks two texts")


def _enabled(table: ModelTable) -> list[str]:
    return [one.identifier for one in table.models.values() if one.is_enabled]


def _embed_nothing(texts: Sequence[str]) -> Vectors:
    raise AssertionError("only the built-in answerer embeds, and it is not asked")
