import asyncio
import threading
from collections.abc import Sequence

import pytest

from indexing.embedding import Vectors
from indexing.embedding_line import AT_THE_EMBEDDER, EMBEDDING_BATCH, EmbeddingLine, PlacedText
from indexing.passage_embedding import embed_passages
from tests.fakes import HashEmbedder


class HeldEmbedder(HashEmbedder):
    """Notes who comes, and embeds nothing before it is let go."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self.go = threading.Event()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.came.append(texts[0])
        self.go.wait(timeout=10)
        return super().embed(texts)


class BrokenEmbedder(HashEmbedder):
    def embed(self, texts: Sequence[str]) -> Vectors:
        raise ZeroDivisionError


async def test_every_text_comes_with_its_own_vector() -> None:
    texts = many("lease", 2 * EMBEDDING_BATCH + 5)

    found = await everything(EmbeddingLine(HashEmbedder()), texts)

    expected = embed_passages(HashEmbedder(), list(texts.values()))
    assert list(found) == list(texts)
    for vector, right in zip(found.values(), expected, strict=True):
        assert vector == pytest.approx(right)


async def test_next_batch_is_there_before_the_last_is_fetched() -> None:
    embedder = HeldEmbedder()

    embedding = asyncio.create_task(
        everything(EmbeddingLine(embedder), many("lease", 9 * EMBEDDING_BATCH))
    )
    await until(embedder, AT_THE_EMBEDDER)

    embedder.go.set()
    assert len(await embedding) == 9 * EMBEDDING_BATCH


async def test_small_document_comes_between_the_batches_of_a_long_one() -> None:
    embedder = HeldEmbedder()
    line = EmbeddingLine(embedder)

    long = asyncio.create_task(everything(line, many("long", 9 * EMBEDDING_BATCH)))
    await until(embedder, 1)
    small = asyncio.create_task(everything(line, many("small", 1)))
    await asyncio.sleep(0)
    embedder.go.set()
    await asyncio.gather(long, small)

    assert embedder.came.index("small 0") <= AT_THE_EMBEDDER + 1


async def test_line_is_free_until_as_many_stand_there_as_the_embedder_takes() -> None:
    embedder = HeldEmbedder()
    line = EmbeddingLine(embedder)
    free = [line.is_free]
    tasks = []

    for _ in range(AT_THE_EMBEDDER):
        tasks.append(asyncio.create_task(line.embed([("", "text")])))
        await asyncio.sleep(0)
        free.append(line.is_free)

    embedder.go.set()
    await asyncio.gather(*tasks)
    assert [*free, line.is_free] == [True] * AT_THE_EMBEDDER + [False, True]


async def test_failure_of_the_embedder_reaches_the_one_who_asked() -> None:
    line = EmbeddingLine(BrokenEmbedder())

    with pytest.raises(ZeroDivisionError):
        await everything(line, many("lease", 3 * EMBEDDING_BATCH))

    assert line.is_free


def many(name: str, count: int) -> dict[str, PlacedText]:
    return {f"{name}_{number}": ("", f"{name} {number}") for number in range(count)}


async def everything(line: EmbeddingLine, texts: dict[str, PlacedText]) -> dict[str, Vectors]:
    found: dict[str, Vectors] = {}
    async for ids, vectors in line.embed_all(texts):
        found |= dict(zip(ids, vectors, strict=True))
    return found


async def until(embedder: HeldEmbedder, count: int) -> None:
    """Wait until so many batches have come to the embedder."""
    async with asyncio.timeout(10):
        while len(embedder.came) < count:  # noqa: ASYNC110 Another thread tells.
            await asyncio.sleep(0.01)
