from collections.abc import AsyncGenerator, Sequence

import pytest

from indexing.embedding import Vectors
from indexing.ingestion import EMBEDDING_BATCH, Ingested, ingest
from indexing.partition.isolation import DocumentHead, DocumentUnreadable
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


class Ledger:
    """Keeps what is handed over."""

    def __init__(self) -> None:
        self.entries: list[tuple[float, int, Sequence[Page]]] = []

    async def enter(self, share: float, first: int, pages: Sequence[Page]) -> None:
        assert 0 <= share <= 1
        self.entries.append((share, first, pages))


def page(number: int, text: str = "", warning: str = "", label: str = "") -> Page:
    blocks = (Block(BlockKind.TEXT, text or f"Page {number}."),)
    return Page(number, blocks, warning=warning, label=label)


async def document(*items: Item | Exception) -> AsyncGenerator[Item, None]:
    for item in items:
        if isinstance(item, Exception):
            raise item
        yield item


async def test_every_passage_has_its_vector() -> None:
    found = await ingested(DocumentHead("Lease", 2), page(1), page(2))

    contents = [passage.content for passage, _ in found.passages]
    vectors = HashEmbedder().embed([f"Lease\n{content}" for content in contents])
    assert contents == ["Page 1.", "Page 2."]
    assert [vector.tolist() for _, vector in found.passages] == vectors.tolist()
    assert (found.title, found.page_count, found.warnings) == ("Lease", 2, [])


async def test_file_lends_its_name_where_the_document_has_none() -> None:
    embedder = ListeningEmbedder()

    found = await ingested(DocumentHead("", 1), page(1), embedder=embedder)

    assert found.title == "lease of 2024"
    assert embedder.batches == [["lease of 2024\nPage 1."]]


async def test_passages_are_embedded_while_pages_are_read() -> None:
    embedder = ListeningEmbedder()
    pages = [page(number) for number in range(1, EMBEDDING_BATCH + 11)]

    found = await ingested(DocumentHead("", len(pages)), *pages, embedder=embedder)

    assert [len(batch) for batch in embedder.batches] == [EMBEDDING_BATCH, 10]
    assert [passage.position for passage, _ in found.passages] == list(range(len(pages)))


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


async def test_what_could_not_be_read_is_kept_to_be_told() -> None:
    found = await ingested(
        DocumentHead("", 2), page(1), page(2, warning="page 2 holds only an image")
    )

    assert found.warnings == ["page 2 holds only an image"]


async def test_document_that_breaks_off_is_unreadable() -> None:
    with pytest.raises(DocumentUnreadable, match="died"):
        await ingested(DocumentHead("", 2), page(1), DocumentUnreadable("the reader process died"))


async def test_reading_is_stopped_where_nobody_wants_the_pages() -> None:
    reading = document(DocumentHead("", 1), page(1))

    async def give_up(share: float, first: int, pages: Sequence[Page]) -> None:
        raise KeyError(share)

    with pytest.raises(KeyError):
        await ingest(reading, fallback_title="", embedder=HashEmbedder(), checkpoint=give_up)

    assert [item async for item in reading] == []


async def ingested(
    *items: Item | Exception,
    embedder: HashEmbedder | None = None,
    ledger: Ledger | None = None,
    before: Sequence[Page] = (),
) -> Ingested:
    return await ingest(
        document(*items),
        fallback_title="lease of 2024",
        embedder=embedder or HashEmbedder(),
        checkpoint=(ledger or Ledger()).enter,
        read_before=before,
    )
