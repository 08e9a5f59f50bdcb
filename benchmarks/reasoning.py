"""What advanced reasoning is worth: does the answer see every passage that it needs.

Documents are loaded, and searches made, over HTTP; the reasoning itself (`agents/reasoning.py`)
runs here, so that what it gives the answer can be seen. Questions that need two documents show what
it gains, questions that need one what it costs.
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median

import httpx

from agents.abilities import Complete
from agents.prompts import Message
from agents.reasoning import MAX_PARTS, gather
from benchmarks.measures import paired_interval, recall
from benchmarks.question_sets import Question, QuestionSet, read_set, shortened
from benchmarks.report import publish, table
from benchmarks.retrieval_quality import DATA, LoadedSet, load
from benchmarks.service import answered, running_service
from config.settings import prepare_library_environment
from indexing.types import Chunk

SETS = ("retrieval/hotpotqa100", "retrieval/squad", "retrieval/cacm")
PASSAGES = 8
MOST_QUESTIONS = 300
QUICK_DOCUMENTS = 60

ONCE, RULES, TOLD = "one search", "by rules", "told what to look for"

HOW = f"""All documents that a question needs (hotpotqa100: two, squad: one) have to be among the
{PASSAGES} passages that its answer sees; cacm asks for many, so there only the recall counts.
"{ONCE}" is an ordinary question; "{RULES}" is advanced reasoning as it is without a language model;
"{TOLD}" is a script in the place of the model, which names the titles of the documents: it bounds
what taking a question apart can gain. Differences are to "{ONCE}", question by question, with the
bootstrap interval at 95 %. Milliseconds are those of all searches for a question, HTTP included.
The rules have been written with hotpotqa100 in sight, so on others they may gain less."""

Way = Callable[[Question], Awaitable[Sequence[Chunk]]]


@dataclass(slots=True)
class Measured:
    """How a set came out in one way, question by question."""

    found_all: list[float] = field(default_factory=list)
    recalls: list[float] = field(default_factory=list)
    searches: list[int] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)


class Searcher:
    """Searches one engine over HTTP and counts."""

    def __init__(self, client: httpx.AsyncClient, engine_id: str) -> None:
        self._client = client
        self._path = f"/api/v1/knowledge-engines/{engine_id}/retrieve"
        self.count = 0

    async def retrieve(self, query: str, top_k: int) -> list[Chunk]:
        """Return the chunks as the service ranks them."""
        self.count += 1
        body = {"query": query, "top_k": top_k}
        found = answered(await self._client.post(self._path, json=body))["chunks"]
        return [
            Chunk(
                chunk_id=one["chunk_id"],
                data_source_id=one["data_source_id"],
                filename=one["filename"],
                page_number=one["page_number"],
                content=one["content"],
                section=one["section"],
                score=one["score"],
            )
            for one in found
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--set", type=Path, action="append", help="a folder; instead of the usual")
    parser.add_argument("--quick", action="store_true", help="a few documents of each; not kept")
    arguments = parser.parse_args()
    folders = arguments.set or [arguments.data / name for name in SETS]
    missing = [str(folder) for folder in folders if not folder.is_dir()]
    if missing:
        raise SystemExit(f"There is no {', '.join(missing)}; name other folders with --set")
    prepare_library_environment()
    sets = [read_set(folder) for folder in folders]
    if arguments.quick:
        sets = [shortened(one, QUICK_DOCUMENTS) for one in sets]
    with (
        tempfile.TemporaryDirectory(prefix="ke-reasoning-", dir="/tmp") as directory,
        running_service(Path(directory) / "data") as service,
    ):
        loaded = [load(service.client, one) for one in sets]
        url = str(service.client.base_url)
        report = asyncio.run(_measure_all(url, service.key, loaded))
    if arguments.quick:
        print(report)
    else:
        publish("reasoning", "Advanced reasoning", HOW, report)


async def _measure_all(url: str, key: str, loaded: Sequence[LoadedSet]) -> str:
    rows: list[tuple[object, ...]] = []
    async with httpx.AsyncClient(base_url=url, auth=(key, ""), timeout=120) as client:
        for one in loaded:
            searcher = Searcher(client, one.engine_id)
            asked = one.questions.questions
            asked = asked[:: -(-len(asked) // MOST_QUESTIONS)]
            before: Measured | None = None
            for name, way in ways(searcher, one.questions).items():
                measured = await measure(one, asked, searcher, way)
                rows.append((f"{one.questions.name}, {len(asked)} questions", name))
                rows[-1] += _columns(measured, before)
                before = before or measured
    header = ("set", "way", "all found", "better by (95 %)", "recall", "better by (95 %)")
    return table((*header, "searches, mean and most", "ms, p50 and p95"), rows)


def ways(searcher: Searcher, questions: QuestionSet) -> dict[str, Way]:
    """Return the ways to find the passages for a question."""
    titles = {
        one.id: one.content.decode().split("\n")[0].removeprefix("# ")
        for one in questions.documents
    }

    async def once(question: Question) -> Sequence[Chunk]:
        return await searcher.retrieve(question.text, PASSAGES)

    async def by_rules(question: Question) -> Sequence[Chunk]:
        found = await gather(question.text, searcher.retrieve, None, passages=PASSAGES)
        return found.chunks

    async def told(question: Question) -> Sequence[Chunk]:
        model = _script([titles[document_id] for document_id, _ in question.relevant])
        found = await gather(question.text, searcher.retrieve, model, passages=PASSAGES)
        return found.chunks

    can_be_told = all(len(one.relevant) <= MAX_PARTS for one in questions.questions)
    ways: dict[str, Way] = {ONCE: once, RULES: by_rules}
    if can_be_told:
        ways[TOLD] = told
    return ways


def _script(sub_questions: Sequence[str]) -> Complete:
    """Return a model that takes a question apart into these, and then finds no gap."""
    replies = iter([json.dumps(sub_questions)])

    async def complete(messages: Sequence[Message]) -> str:
        return next(replies, "[]")

    return complete


async def measure(
    loaded: LoadedSet, asked: Sequence[Question], searcher: Searcher, way: Way
) -> Measured:
    """Ask every question and judge the documents that its answer would see."""
    measured = Measured()
    for question in asked:
        searches, began = searcher.count, time.monotonic()
        chunks = await way(question)
        measured.milliseconds.append(1000 * (time.monotonic() - began))
        measured.searches.append(searcher.count - searches)
        documents = [loaded.document_ids[chunk.data_source_id] for chunk in chunks]
        relevant = {document_id: gain for (document_id, _), gain in question.relevant.items()}
        share = recall(documents, relevant, PASSAGES)
        measured.recalls.append(share)
        measured.found_all.append(float(share == 1))
    return measured


def _columns(measured: Measured, before: Measured | None) -> tuple[object, ...]:
    times = sorted(measured.milliseconds)
    return (
        f"**{fmean(measured.found_all):.3f}**",
        _better(measured.found_all, before.found_all if before else None),
        f"{fmean(measured.recalls):.3f}",
        _better(measured.recalls, before.recalls if before else None),
        f"{fmean(measured.searches):.1f}, {max(measured.searches)}",
        f"{median(times):.0f}, {times[int(0.95 * len(times))]:.0f}",
    )


def _better(values: Sequence[float], before: Sequence[float] | None) -> str:
    if before is None:
        return ""
    differences = [new - old for new, old in zip(values, before, strict=True)]
    low, high = paired_interval(differences)
    return f"{fmean(differences):+.3f} ({low:+.3f} to {high:+.3f})"


if __name__ == "__main__":
    main()
