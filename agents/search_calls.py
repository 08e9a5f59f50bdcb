"""Single calls of the services that embed and rerank.

This imports LiteLLM, which takes seconds, so it is itself imported late.
"""

from collections.abc import Sequence
from typing import Any

import litellm
import numpy as np
import openai

from agents.provider_faults import FAILURES, plain_words
from agents.retry_after import retry_after
from config.search_services import EmbeddingService, RerankService
from indexing.embedding import Vectors

litellm.suppress_debug_info = True
litellm.drop_params = True
# LiteLLM takes 0 for "as usual", which is twice more: it would retry what is retried already.
litellm.DEFAULT_MAX_RETRIES = 0

_OF_THE_TEXTS = (400, 413, 422)
"""What servers answer to a text that is too long, or to too many at once."""

_TOO_OFTEN, _SERVER_FAILED = 429, 500


class CallFailed(Exception):
    """A service has not done what it was asked for.

    The message repeats nothing of what the service has said, which may quote the key.
    """

    def __init__(
        self,
        words: str,
        *,
        may_pass: bool = False,
        is_of_texts: bool = False,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(words)
        self.may_pass = may_pass  # asked again in a moment, it may do it
        self.is_of_texts = is_of_texts  # fewer or shorter texts may fare better
        self.retry_after_seconds = retry_after_seconds  # what the service asks for, if anything


def embed(
    service: EmbeddingService, texts: Sequence[str], input_type: str, timeout_seconds: float
) -> Vectors:
    """Return a row of length 1 for each text (blocking).

    Raises:
        CallFailed: the service does not answer, refuses, or sends something else.
    """
    options: dict[str, Any] = {"input_type": input_type} if input_type else {}
    if service.asks_for_dimensions:
        # Without the second, LiteLLM sends the width only for models that it knows.
        options |= {"dimensions": service.dimensions, "allowed_openai_params": ["dimensions"]}
    try:
        response = litellm.embedding(
            model=service.model,
            input=list(texts),
            api_base=service.api_base or None,
            api_key=_key(service.api_key),
            timeout=timeout_seconds,
            max_retries=0,
            **options,
        )
    except FAILURES as error:
        failure = _failure(error)
    else:
        return _rows(response, len(texts), service.dimensions)
    # Not in the handler: the error that LiteLLM raised, with what the service said, goes here.
    raise failure


async def rerank(service: RerankService, query: str, texts: Sequence[str]) -> list[int]:
    """Return the numbers of the texts, the one first that fits the query best.

    Raises:
        CallFailed: the service does not answer, refuses, or sends something else.
    """
    try:
        response = await litellm.arerank(
            model=service.model,
            query=query,
            documents=list(texts),
            top_n=len(texts),
            return_documents=False,
            api_base=service.api_base or None,
            api_key=_key(service.api_key),
            timeout=service.timeout_seconds,
        )
    except FAILURES as error:
        failure = _failure(error)
    else:
        return _order(response, len(texts))
    raise failure


def _key(api_key: str) -> str:
    # OpenAI's client refuses to start without a key, also where the server asks for none.
    return api_key or "none"


def _failure(error: Exception) -> CallFailed:
    status = getattr(error, "status_code", _SERVER_FAILED)
    return CallFailed(
        plain_words(error),
        may_pass=(
            isinstance(error, openai.APIConnectionError)
            or status == _TOO_OFTEN
            or status >= _SERVER_FAILED
        ),
        is_of_texts=status in _OF_THE_TEXTS,
        retry_after_seconds=retry_after(error),
    )


def _rows(response: Any, count: int, dimensions: int) -> Vectors:
    try:
        parts = sorted(response.data, key=lambda part: part["index"])
        rows = np.array([part["embedding"] for part in parts], dtype=np.float32)
    except (AttributeError, KeyError, TypeError, ValueError):
        rows = np.empty(0, dtype=np.float32)
    if rows.ndim != 2 or len(rows) != count:
        raise CallFailed("the embedding service sent no vector for each text")
    if rows.shape[1] != dimensions:
        raise CallFailed(
            f"the embedding service sent vectors of {rows.shape[1]} dimensions; the routing file "
            f"says {dimensions}"
        )
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not (np.isfinite(lengths) & (lengths > 0)).all():
        raise CallFailed("the embedding service sent vectors without a direction")
    return np.asarray(rows / lengths, dtype=np.float32)


def _order(response: Any, count: int) -> list[int]:
    """Return the order by score; texts that the service leaves out come last, as they were."""
    try:
        scores = {int(one["index"]): float(one["relevance_score"]) for one in response.results}
    except (AttributeError, KeyError, TypeError, ValueError):
        scores = {}
    if not scores or not scores.keys() <= set(range(count)):
        raise CallFailed("the reranking service sent no order")
    return sorted(range(count), key=lambda number: -scores.get(number, -np.inf))
