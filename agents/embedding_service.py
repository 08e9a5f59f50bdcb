"""An embedder that asks a service, as the section `embedding` of the routing file says."""

import importlib
import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from agents.auto_rules import estimated_tokens
from agents.resting import Rest
from config.search_services import EmbeddingService
from indexing.embedding import EmbedderAway, Vectors

QUERY_SECONDS = 3.0
"""How long a search waits for the vector of its query; then it goes by words alone."""

PAUSES_FOR_PASSAGES: Sequence[float] = (0.5, 1.0, 2.0, 4.0)
"""Seconds before each further try: documents can wait, and are tried again later as well."""

PAUSES_FOR_QUERIES: Sequence[float] = (0.1,)
"""One more try, for a connection that the service has closed meanwhile."""

SHORTEST_TEXT = 200
"""Characters. What refuses even these does not do so for their length."""

_logger = logging.getLogger(__name__)


class ServiceEmbedder:
    """Embeds passages, or with `for_queries` queries, by a service.

    A service that has failed is left alone for a while, or for as long as it asks for: searches do
    not wait for it then, and documents are put off.
    """

    def __init__(self, service: EmbeddingService, *, for_queries: bool = False) -> None:
        self.dimensions = service.dimensions
        self._service = service
        self._pool = ThreadPoolExecutor(service.concurrency, "embedding-service")
        self._rest = Rest()
        if for_queries:
            self._prefix, self._input_type = service.query_prefix, service.query_input_type
            self._pauses = PAUSES_FOR_QUERIES
            self._timeout_seconds = min(service.timeout_seconds, QUERY_SECONDS)
            self._longest_seconds = self._timeout_seconds
        else:
            self._prefix, self._input_type = service.passage_prefix, service.passage_input_type
            self._pauses = PAUSES_FOR_PASSAGES
            self._timeout_seconds = service.timeout_seconds
            tries = len(self._pauses) + 1
            longest_pauses = len(self._pauses) * max(self._pauses)
            self._longest_seconds = tries * service.timeout_seconds + longest_pauses

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row of length 1 per text (blocking).

        Raises:
            EmbedderAway: the service does not embed them, or not in time.
        """
        # Now, for here it does not count as time that the service takes.
        importlib.import_module("agents.search_calls")
        batches = _batches([self._prefix + text for text in texts], self._service)
        pending = [self._pool.submit(self._embed_batch, batch) for batch in batches]
        try:
            # A timeout of the client is for each byte: a service that sends one now and then
            # would hold everybody up.
            rows = [batch.result(self._longest_seconds) for batch in pending]
        except TimeoutError:
            raise self._away("the model provider did not answer in time") from None
        finally:
            for batch in pending:
                batch.cancel()
        return np.concatenate([np.empty((0, self.dimensions), np.float32), *rows])

    def _embed_batch(self, texts: Sequence[str]) -> Vectors:
        from agents.search_calls import CallFailed

        pauses = iter(self._pauses)
        while True:
            if self._rest.is_on:
                raise EmbedderAway("the embedding service has failed a moment ago")
            try:
                return self._ask(texts)
            except CallFailed as error:
                pause = next(pauses, None) if error.may_pass else None
                failure, asked_seconds = str(error), error.retry_after_seconds or 0
            if pause is None or asked_seconds > max(self._pauses):
                raise self._away(failure, asked_seconds)
            time.sleep(max(pause, asked_seconds))

    def _ask(self, texts: Sequence[str]) -> Vectors:
        """Ask once; what is too much for the service is asked for in halves."""
        from agents.search_calls import CallFailed, embed

        try:
            return embed(self._service, texts, self._input_type, self._timeout_seconds)
        except CallFailed as error:
            if not error.is_of_texts or (len(texts) == 1 and len(texts[0]) <= SHORTEST_TEXT):
                raise
        if len(texts) == 1:
            return self._ask([texts[0][: len(texts[0]) // 2]])
        middle = len(texts) // 2
        return np.concatenate([self._ask(texts[:middle]), self._ask(texts[middle:])])

    def _away(self, failure: str, asked_seconds: float = 0) -> EmbedderAway:
        """Log a failure and leave the service alone for a while."""
        self._rest.begin(asked_seconds)
        _logger.warning("%s does not embed: %s", self._service.model, failure)
        return EmbedderAway(failure)


def _batches(texts: Sequence[str], service: EmbeddingService) -> Iterator[list[str]]:
    """Yield the texts in their order, as many at once as a request may have."""
    batch: list[str] = []
    tokens = 0
    for text in texts:
        tokens += estimated_tokens(text)
        if batch and (len(batch) == service.batch_size or tokens > service.batch_tokens):
            yield batch
            batch, tokens = [], estimated_tokens(text)
        batch.append(text)
    if batch:
        yield batch
