"""A process that moves an engine to Milvus and dies by SIGKILL amid its second batch."""

import asyncio
import os
import signal
import sys
from collections.abc import Iterable

from sqlalchemy.ext.asyncio import create_async_engine

from config.settings import VectorStoreName
from indexing.embedding import Vectors
from indexing.engine_index import EngineIndexes
from indexing.milvus import Milvus
from tests.fakes import HashEmbedder


class DeadlyMilvus(Milvus):
    """A Milvus that stores, the second time as the last thing its process does."""

    batches = 0

    def put(self, engine_id: str, vectors: Iterable[tuple[str, str, Vectors]]) -> None:
        super().put(engine_id, vectors)
        self.batches += 1
        if self.batches == 2:
            os.kill(os.getpid(), signal.SIGKILL)


async def main(database_url: str, milvus_uri: str, engine_id: str) -> None:
    indexes = EngineIndexes(create_async_engine(database_url), HashEmbedder())
    indexes.milvus = DeadlyMilvus(milvus_uri, dimensions=HashEmbedder.dimensions)
    await indexes.move(engine_id, VectorStoreName.MILVUS, lambda count: None)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
