"""How fast documents are read, embedded and found, and what memory that takes.

Every figure stands beside its bound of the same run: reading beside PDFium alone, the whole way
beside the embedding alone of the very same passages.
"""

import argparse
import asyncio
import itertools
import json
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import psutil
import pypdfium2

from app.reading import read_limits
from app.scheduling import take_longer_turns
from benchmarks.report import publish, table
from benchmarks.service import RunningService, answered, running_service, wait_until_processed
from config.settings import Settings
from indexing.chunking import Chunker
from indexing.embedding import MiniLMEmbedder
from indexing.embedding_line import EMBEDDING_BATCH
from indexing.partition.formats import DocumentFormat
from indexing.partition.processes.allocator import jemalloc
from indexing.partition.processes.isolation import ReadLimits, read_isolated
from indexing.partition.processes.recovery import read_past_failures
from indexing.passage_embedding import embed_passages
from indexing.types import Page, ReadBy

DATA = Path(__file__).parents[2] / "shared" / "data" / "page_qa" / "financebench"
PAGES = 300
ROUNDS = 6  # of which the best counts: a machine whose cores others use has many a slow second
IN_A_ROW = 2  # times in each round: the second time readers wait for it, as in a queue of documents
EXCERPT_PAGES = 50
LARGE_PAGES = 2000
SMALL_PAGES = 10
SCAN_PAGES = 20
SCAN_PIXELS_PER_POINT = 150 / 72
SAMPLE_SECONDS = 1.0  # for a look at all its memory stops a process for a moment
LIMITS = ReadLimits(wall_seconds=600, cpu_seconds=600, memory_bytes=2**31, owner="ke_benchmark")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="a folder with PDFs")
    parser.add_argument("--pages", type=int, default=PAGES, help="how many are uploaded")
    parser.add_argument("--large", type=int, default=LARGE_PAGES, help="pages of the large one")
    arguments = parser.parse_args()
    originals = sorted(arguments.data.rglob("*.pdf"))
    if not originals:
        raise SystemExit(f"{arguments.data} holds no PDF; name another folder with --data")
    with tempfile.TemporaryDirectory(prefix="ke-ingestion-", dir="/tmp") as directory:
        folder = Path(directory)
        documents = list(_excerpts(originals, arguments.pages, folder / "uploaded"))
        small = _bound(originals[-1:], SMALL_PAGES, folder / "small.pdf")
        large = _bound(originals, arguments.large, folder / "large.pdf")
        scan = _scan(originals, folder / "scan.pdf")
        # Readers have their turns from who starts them. The service below gives its own to them.
        with ThreadPoolExecutor(1, initializer=take_longer_turns) as like_a_worker:
            reading = like_a_worker.submit(measure_reading, originals, folder / "texts")
            recognition = like_a_worker.submit(measure_scan, scan)
        sections = [
            reading.result(),
            recognition.result(),
            measure_whole_way(documents, folder),
            measure_small(small, folder),
            measure_large(large, arguments.large, folder),
        ]
    publish("ingestion", "Ingestion", *sections)


def measure_reading(originals: Sequence[Path], folder: Path) -> str:
    """Time our reading beside PDFium's text of the same pages, round by round.

    One document at a time, by one reader and as a worker reads, and as many at once as a worker
    takes. The pictures of pages are left out there, for which PDFium does nothing: the documents
    that are read have all pages of the originals but those that were looked at.
    """
    texts, seen = _texts(originals, folder)
    pages = sum(map(_page_count, texts))
    readers = read_limits(Settings(), 0).readers
    at_once = Settings().worker_concurrency
    ways = {
        "blocks, tables and headings, one document after the other, by one reader": (1, 1),
        f"the same, as a worker reads: by {readers} readers where that helps": (1, readers),
        f"{at_once} documents at once, as a worker reads": (at_once, readers),
    }
    took: dict[str, list[float]] = {what: [] for what in ways}
    bare: list[float] = []

    async def measure() -> None:
        for _ in range(ROUNDS):
            for what, (documents_at_once, allowed) in ways.items():
                limits = replace(LIMITS, readers=allowed)
                for _ in range(IN_A_ROW):
                    began = time.monotonic()
                    await _read_all(texts, documents_at_once, limits)
                    took[what].append(time.monotonic() - began)
            for _ in range(IN_A_ROW):
                bare.append(_seconds(lambda: [_bare_text(path) for path in texts]))

    asyncio.run(measure())
    rows = [
        (what, f"{min(seconds):.2f}", f"**{min(bare) / min(seconds):.2f}**")
        for what, seconds in {"PDFium's text alone, a loop in one process": bare, **took}.items()
    ]
    return "\n\n".join(
        (
            f"Reading alone, {pages} pages of text in {len(texts)} PDFs, "
            f"in processes of their own{' with jemalloc' if jemalloc() else ''}; "
            f"best of {ROUNDS * IN_A_ROW}:",
            table(("", "seconds", "ratio (target 0.8)"), rows),
            f"The {len(seen)} pages with pictures beside these took {sum(seen):.2f} s.",
        )
    )


def measure_scan(scan: Path) -> str:
    """Time the reading of one document whose pages are pictures, while nothing else is read."""
    limits = read_limits(Settings(), scan.stat().st_size)
    timed = {
        "by one reader alone": replace(limits, readers=1),
        "as a worker reads": limits,
    }
    rows = []
    for what, allowed in timed.items():
        seconds = _seconds(lambda allowed=allowed: asyncio.run(_whole(scan, allowed)))
        rows.append((what, f"{seconds:.1f}", f"{SCAN_PAGES / seconds:.2f}"))
    return "\n\n".join(
        (
            f"One scan of {SCAN_PAGES} pages, alone, at 150 dots an inch:",
            table(("", "seconds", "pages/s"), rows),
        )
    )


def measure_whole_way(documents: Sequence[Path], folder: Path) -> str:
    """Time from the first upload to the last outcome beside the embedding alone."""
    texts, pages = _passages(documents)
    threads = Settings().embedding_threads
    whole_model = MiniLMEmbedder(folder / "models", threads=threads, quantized=False)
    quantized = MiniLMEmbedder(folder / "models", threads=threads)
    whole_seconds = _embedding_seconds(whole_model, texts)
    before = _embedding_seconds(quantized, texts)
    with running_service(folder / "whole-way") as service:
        engine_id = _new_engine(service.client)
        _upload_and_wait(service.client, engine_id, documents[0])  # all is loaded then
        began = time.monotonic()
        uploaded = [_upload(service.client, engine_id, path) for path in documents[1:]]
        found_after = _until_found(service.client, engine_id, uploaded[-1]) - began
        for one in uploaded:
            wait_until_processed(service.client, one)
        seconds = time.monotonic() - began
    after = _embedding_seconds(quantized, texts)
    first_texts, first_pages = _passages(documents[:1])
    pages -= first_pages
    share = 1 - len(first_texts) / len(texts)
    bound, own_bound = whole_seconds * share, (before + after) / 2 * share
    timed = {
        "embedding alone, the whole model": bound,
        "embedding alone, quantised, a text on each core, as the service does": own_bound,
        "upload to outcome": seconds,
    }
    rows = [(what, f"{took:.1f}", f"{pages / took:.2f}") for what, took in timed.items()]
    return "\n\n".join(
        (
            f"The whole way over HTTP, {pages} pages, {len(texts) - len(first_texts)} passages:",
            table(("", "seconds", "pages/s"), rows),
            f"Ratio **{bound / seconds:.2f}** to the embedding by the model as it is (target "
            f"0.85), **{own_bound / seconds:.2f}** to the service's own, which took {before:.1f} s "
            f"before and {after:.1f} s after. The last document of the queue was found by its "
            f"words after {found_after:.1f} s.",
        )
    )


def measure_small(path: Path, folder: Path) -> str:
    """Time from the answer of an upload until a search finds the document."""
    with running_service(folder / "small") as service:
        engine_id = _new_engine(service.client)
        _upload_and_wait(service.client, engine_id, _bound([path], 1, folder / "warm.pdf"))
        data_source_id = _upload(service.client, engine_id, path)
        began = time.monotonic()
        found = _until_found(service.client, engine_id, data_source_id) - began
        wait_until_processed(service.client, data_source_id)
        whole = time.monotonic() - began
    return (
        f"A text PDF of {SMALL_PAGES} pages is found by its words **{found:.2f} s** after its "
        f"upload returned (target 3), and by meaning after {whole:.2f} s."
    )


def measure_large(path: Path, pages: int, folder: Path) -> str:
    """Sample the memory of all processes while a large document is read."""
    with running_service(folder / "large") as service:
        engine_id = _new_engine(service.client)
        began = time.monotonic()
        with _memory(service) as samples:
            data_source_id = _upload(service.client, engine_id, path)
            found = _until_found(service.client, engine_id, data_source_id) - began
            outcome = wait_until_processed(service.client, data_source_id)
        seconds = time.monotonic() - began
    return (
        f"A PDF of {pages} pages ({path.stat().st_size / 2**20:.0f} MB, outcome "
        f"`{outcome['outcome']}`, {outcome['chunk_count']} chunks): found by its words after "
        f"{found:.1f} s, done after {seconds:.0f} s. All processes together, PostgreSQL's too, "
        f"held at most **{max(samples):.0f} MB** (target 1000), shared memory counted once."
    )


def _bare_text(path: Path) -> int:
    with pypdfium2.PdfDocument(path) as pdf:
        return sum(len(page.get_textpage().get_text_range()) for page in pdf)


def _passages(documents: Sequence[Path]) -> tuple[list[tuple[str, str]], int]:
    """Return places and texts that are embedded, and how many pages the documents have."""
    texts: list[tuple[str, str]] = []
    pages = 0
    for path in documents:
        chunker = Chunker()
        for page in asyncio.run(_pages(path)):
            pages += 1
            texts += [(one.place, one.content) for one in chunker.chunk_page(page)]
    return texts, pages


async def _read_all(documents: Sequence[Path], at_once: int, limits: ReadLimits) -> None:
    turns = asyncio.Semaphore(at_once)

    async def read(path: Path) -> None:
        async with turns:
            await _whole(path, limits)

    await asyncio.gather(*map(read, documents))


def _texts(originals: Sequence[Path], folder: Path) -> tuple[list[Path], list[float]]:
    """Write the pages of which only the text is read, as PDFs of 50 at most.

    Returned with them are the seconds that each of the other pages took.
    """
    folder.mkdir()
    texts: list[Path] = []
    seen: list[float] = []
    for original in originals:
        pages = asyncio.run(_pages(original))
        seen += [page.seconds for page in pages if page.read_by != ReadBy.TEXT]
        numbers = [page.number for page in pages if page.read_by == ReadBy.TEXT]
        with pypdfium2.PdfDocument(original) as pdf:
            for first in range(0, len(numbers), EXCERPT_PAGES):
                with pypdfium2.PdfDocument.new() as text:
                    part = numbers[first : first + EXCERPT_PAGES]
                    text.import_pages(pdf, [number - 1 for number in part])
                    texts.append(folder / f"{len(texts)}.pdf")
                    text.save(texts[-1])
    return texts, seen


async def _pages(path: Path) -> list[Page]:
    items = read_isolated(path, DocumentFormat.PDF, LIMITS)
    return [item async for item in items if isinstance(item, Page)]


def _page_count(path: Path) -> int:
    with pypdfium2.PdfDocument(path) as pdf:
        return len(pdf)


async def _whole(path: Path, limits: ReadLimits) -> None:
    async for _ in read_past_failures(path, DocumentFormat.PDF, limits):
        pass


def _embedding_seconds(embedder: MiniLMEmbedder, texts: Sequence[tuple[str, str]]) -> float:
    batches = [texts[n : n + EMBEDDING_BATCH] for n in range(0, len(texts), EMBEDDING_BATCH)]
    return _seconds(lambda: [embed_passages(embedder, batch) for batch in batches])


def _seconds(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def _excerpts(originals: Sequence[Path], pages: int, folder: Path) -> Iterator[Path]:
    """Cut the documents to their first pages, until there are enough."""
    folder.mkdir()
    for number, original in enumerate(originals):
        with pypdfium2.PdfDocument(original) as pdf:
            count = min(len(pdf), EXCERPT_PAGES, pages)
        if not count:
            return
        pages -= count
        yield _bound([original], count, folder / f"{number}.pdf")


def _bound(originals: Sequence[Path], pages: int, target: Path) -> Path:
    """Write the first pages of the documents, from the start again where they do not suffice."""
    with pypdfium2.PdfDocument.new() as bound:
        for original in itertools.cycle(originals):
            with pypdfium2.PdfDocument(original) as pdf:
                count = min(len(pdf), pages - len(bound))
                bound.import_pages(pdf, list(range(count)))
            if len(bound) >= pages:
                break
        bound.save(target)
    return target


def _scan(originals: Sequence[Path], target: Path) -> Path:
    """Write pages of the documents as pictures of them."""
    pictures = []
    for original in originals:
        with pypdfium2.PdfDocument(original) as pdf:
            for page in itertools.islice(pdf, 8):
                pictures.append(page.render(scale=SCAN_PIXELS_PER_POINT).to_pil())
        if len(pictures) >= SCAN_PAGES:
            break
    first, *others = pictures[:SCAN_PAGES]
    first.save(target, save_all=True, append_images=others, resolution=150)
    return target


def _new_engine(client: httpx.Client) -> str:
    body = {"name": "Ingestion"}
    engine_id: str = answered(client.post("/api/v1/knowledge-engines", json=body))["id"]
    return engine_id


def _upload(client: httpx.Client, engine_id: str, path: Path) -> str:
    data = {"name": path.stem, "type": "file", "knowledge_engine_id": engine_id}
    with path.open("rb") as file:
        response = client.post(
            "/api/v1/data-sources",
            data={"data": json.dumps(data)},
            files={"file": (path.name, file)},
        )
    data_source_id: str = answered(response)["id"]
    return data_source_id


def _upload_and_wait(client: httpx.Client, engine_id: str, path: Path) -> Any:
    return wait_until_processed(client, _upload(client, engine_id, path))


def _until_found(client: httpx.Client, engine_id: str, data_source_id: str) -> float:
    """Return the moment at which a search finds the document."""
    body = {"query": "the", "data_source_id": data_source_id}
    address = f"/api/v1/knowledge-engines/{engine_id}/retrieve"
    while not answered(client.post(address, json=body))["chunks"]:
        time.sleep(0.05)
    return time.monotonic()


@contextmanager
def _memory(service: RunningService) -> Iterator[list[float]]:
    """Sample the proportional sizes of all processes of the service together, in MB."""
    samples: list[float] = []
    is_over = threading.Event()

    def sample() -> None:
        root = psutil.Process(service.process.pid)
        while not is_over.wait(SAMPLE_SECONDS):
            samples.append(sum(map(_proportional_size, (root, *root.children(recursive=True)))))

    thread = threading.Thread(target=sample)
    thread.start()
    try:
        yield samples
    finally:
        is_over.set()
        thread.join()


def _proportional_size(process: psutil.Process) -> float:
    try:
        size: int = process.memory_full_info().pss
    except psutil.NoSuchProcess:
        return 0.0
    return size / 2**20


if __name__ == "__main__":
    main()
