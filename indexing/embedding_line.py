"""Batches of passages on their way to the embedder, which does one after the other."""

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence

from indexing.embedding import Embedder, Vectors
from indexing.passage_embedding import embed_passages

EMBEDDING_BATCH = 64
"""Passages that are embedded in one go: enough to sort by length, few enough to show progress."""

AT_THE_EMBEDDER = 2
"""Batches that have left the line: one is embedded, and one is there when that is done."""

PlacedText = tuple[str, str]
"""The place and the content of a passage."""


class EmbeddingLine:
    """The line before the embedder, one for all documents of a process.

    First come, first served, batch by batch: so a small document does not wait for a long one.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._turns = asyncio.Semaphore(AT_THE_EMBEDDER)

    @property
    def is_free(self) -> bool:
        """Whether a batch would be taken at once."""
        return not self._turns.locked()

    async def embed(self, texts: Sequence[PlacedText]) -> Vectors:
        """Return a row for each text when their turn has come."""
        async with self._turns:
            return await asyncio.to_thread(embed_passages, self._embedder, texts)

    async def embed_all(
        self, texts: Mapping[str, PlacedText]
    ) -> AsyncGenerator[tuple[Sequence[str], Vectors], None]:
        """Yield ids and their vectors, batch by batch; the next ones stand in line meanwhile."""
        ids = list(texts)
        batches = [ids[n : n + EMBEDDING_BATCH] for n in range(0, len(ids), EMBEDDING_BATCH)]
        tasks: list[asyncio.Task[Vectors]] = []
        try:
            for number, batch in enumerate(batches):
                for following in batches[len(tasks) : number + AT_THE_EMBEDDER]:
                    embed = self.embed([texts[one] for one in following])
                    tasks.append(asyncio.create_task(embed))
                yield batch, await tasks[number]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
