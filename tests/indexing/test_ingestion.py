import asyncio
import threading
from collections.abc import AsyncGenerator, Sequence

import pytest

from indexing.embedding import EmbedderAway, Vectors
from indexing.embedding_line import AT_THE_EMBEDDER, EMBEDDING_BATCH, EmbeddingLine
from indexing.ingestion import Ingested, ingest
from indexing.partition.processes.isolation import DocumentHead
from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import NO_PAGE, Block, BlockKind, Page
from tests.fakes import HashEmbedder

Item = DocumentHead | Page


class ListeningEmbedder(HashEmbedder):
    """Keeps the texts it was given, batch by batch."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.batches.append(list(texts))
        return super().embed(texts)


class AwayEmbedder(HashEmbedder):
    """Is a service that does not answer."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        raise EmbedderAway("away")


class HeldEmbedder(HashEmbedder):
    """Embeds nothing before it is let go."""

    def __init__(self) -> None:
        self.go = threading.Event()

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.go.wait(timeout=10)
        return super().embed(texts)


class Ledger:
    """Keeps what is handed over."""

    def __init__(self) -> None:
        self.entries: list[tuple[float, int, Sequence[Page]]] = []

    async def enter(self, share: float, first: int, pages: Sequence[Page]) -> None:
        assert 0 <= share <= 1
        self.entries.append((share, first, pages))

    def pages(self) -> list[Page]:
        return [page for _, _, pages in self.entries for page in pages]


def page(number: int, text: str = "", warning: str = "", label: str = "") -> Page:
    blocks = (Block(BlockKind.TEXT, text or f"Page {number}."),)
    return Page(number, blocks, warning=warning, label=label)


async def document(*items: Item | Exception) -> AsyncGenerator[Item, None]:
    for item in items:
        if isinstance(item, Exception):
            raise item
        yield item


async def test_passages_stand_in_the_order_of_the_pages() -> None:
    found = await ingested(DocumentHead("Lease", 2), page(1), page(2))

    assert [passage.content for passage, _ in found.passages] == ["Page 1.", "Page 2."]
    assert found.page_count == 2


async def test_document_is_named_by_its_title_and_its_file() -> None:
    found = await ingested(DocumentHead("Lease", 1), page(1), file_name="Dock_Road-2024.pdf")

    assert found.name == "Lease - Dock Road 2024"


async def test_whole_batches_are_embedded_while_pages_are_read() -> None:
    embedder = ListeningEmbedder()
    pages = [page(number) for number in range(1, EMBEDDING_BATCH + 11)]

    found = await ingested(DocumentHead("Lease", len(pages)), *pages, embedder=embedder)

    assert [len(batch) for batch in embedder.batches] == [EMBEDDING_BATCH]
    assert [passage.position for passage, _ in found.passages] == list(range(len(pages)))
    known = [vector for _, vector in found.passages if vector is not None]
    assert len(known) == EMBEDDING_BATCH
    (last,) = HashEmbedder().embed([f"Page {EMBEDDING_BATCH}."])
    assert known[-1] == pytest.approx(last)
    assert found.passages[EMBEDDING_BATCH][1] is None


async def test_reading_does_not_wait_for_the_embedding() -> None:
    embedder = HeldEmbedder()
    pages = [page(number) for number in range(1, 3 * EMBEDDING_BATCH)]
    ledger = Ledger()

    async def until_all_are_handed_over() -> None:
        while len(ledger.pages()) < len(pages):  # noqa: ASYNC110 Nothing tells it.
            await asyncio.sleep(0.01)

    head = DocumentHead("", len(pages))
    task = asyncio.create_task(ingested(head, *pages, embedder=embedder, ledger=ledger))
    await asyncio.wait_for(until_all_are_handed_over(), timeout=10)
    embedder.go.set()
    found = await task

    assert sum(vector is not None for _, vector in found.passages) == EMBEDDING_BATCH


async def test_document_whose_embedder_is_away_has_its_passages_without_vectors() -> None:
    pages = [page(number) for number in range(1, EMBEDDING_BATCH + 2)]

    found = await ingested(DocumentHead("Lease", len(pages)), *pages, embedder=AwayEmbedder())

    assert len(found.passages) == len(pages)
    assert [vector for _, vector in found.passages if vector is not None] == []


async def test_others_go_on_while_a_long_text_is_cut() -> None:
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    others = asyncio.create_task(count_turns())
    found = await ingested(DocumentHead("", 0), page(NO_PAGE, "lamp " * 1_000_000))
    others.cancel()

    assert turns > len(found.passages) / 1000


async def test_document_does_not_wait_behind_the_embedding_of_others() -> None:
    embedder = HeldEmbedder()
    line = EmbeddingLine(embedder)
    others = [asyncio.create_task(line.embed([("", "Other.")])) for _ in range(AT_THE_EMBEDDER)]
    await asyncio.sleep(0)
    pages = [page(number) for number in range(1, 2 * EMBEDDING_BATCH)]

    found = await asyncio.wait_for(
        ingested(DocumentHead("", len(pages)), *pages, line=line), timeout=5
    )
    embedder.go.set()
    await asyncio.gather(*others)

    assert [vector for _, vector in found.passages] == [None] * len(pages)


async def test_pages_are_handed_over_at_the_end() -> None:
    pages = [page(1), page(2)]
    ledger = Ledger()

    await ingested(DocumentHead("", 2), *pages, ledger=ledger)

    assert ledger.entries == [(1.0, 0, tuple(pages))]


async def test_work_goes_on_behind_the_pages_read_before() -> None:
    ledger = Ledger()

    found = await ingested(
        DocumentHead("Lease", 3), page(3), ledger=ledger, before=[page(1), page(2)]
    )

    assert ledger.entries == [(1.0, 2, (page(3),))]
    assert [passage.content for passage, _ in found.passages] == ["Page 1.", "Page 2.", "Page 3."]
    assert [passage.position for passage, _ in found.passages] == [0, 1, 2]
    assert found.page_count == 3


@pytest.mark.parametrize(
    ("items", "count"),
    [
        pytest.param([page(1), page(2)], 2, id="pages"),
        pytest.param([page(NO_PAGE, label="Prices"), page(NO_PAGE, label="Stock")], 2, id="sheets"),
        pytest.param([page(NO_PAGE)], 0, id="text without pages"),
        pytest.param([], 0, id="nothing"),
    ],
)
async def test_pages_that_are_known_are_counted(items: list[Page], count: int) -> None:
    assert (await ingested(DocumentHead("", 0), *items)).page_count == count


async def test_pages_that_were_not_read_are_counted_where_their_number_is_known() -> None:
    lost = Page(2, (), warning="pages 2 to 9 cannot be read: the document took longer than 75 s")

    assert (await ingested(DocumentHead("", 9), page(1), lost)).page_count == 9


@pytest.mark.parametrize(("page_count", "share"), [(4, 1 / 2), (0, 2 / 3), (1, 1)])
async def test_share_says_that_more_may_come_where_the_pages_are_not_known(
    page_count: int, share: float
) -> None:
    ledger = Ledger()

    await ingested(DocumentHead("", page_count), page(1), page(2), ledger=ledger)

    assert ledger.entries[-1][0] == pytest.approx(share)


async def test_document_that_breaks_off_is_unreadable() -> None:
    with pytest.raises(DocumentUnreadable, match="died"):
        await ingested(DocumentHead("", 2), page(1), DocumentUnreadable("the reader process died"))


async def test_reading_is_stopped_where_nobody_wants_the_pages() -> None:
    reading = document(DocumentHead("", 1), page(1))

    async def give_up(share: float, first: int, pages: Sequence[Page]) -> None:
        raise KeyError(share)

    with pytest.raises(KeyError):
        await ingest(reading, file_name="", line=EmbeddingLine(HashEmbedder()), checkpoint=give_up)

    assert [item async for item in reading] == []


async def ingested(
    *items: Item | Exception,
    embedder: HashEmbedder | None = None,
    line: EmbeddingLine | None = None,
    ledger: Ledger | None = None,
    before: Sequence[Page] = (),
    file_name: str = "lease.pdf",
) -> Ingested:
    return await ingest(
        document(*items),
        file_name=file_name,
        line=line or EmbeddingLine(embedder or HashEmbedder()),
        checkpoint=(ledger or Ledger()).enter,
        read_before=before,
    )
