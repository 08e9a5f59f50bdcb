"""Questions with and without an answer, each with the passages that the service retrieves for it.

Read from the folders they lie in. Texts have, besides what `question_sets.py` reads,
`answers.jsonl` (`_id`, `answers`) and `unanswerable.jsonl` (`text`, `article`); an article is the
documents that share a title. Of pages, `questions.jsonl` has the `answer`, too.
"""

import ast
import asyncio
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from agents.answering import PASSAGES
from app.database import Database, sqlalchemy_url
from benchmarks.retrieval_quality import LoadedSet
from benchmarks.service import answered
from indexing.embedding import Embedder
from indexing.engine_index import EngineIndexes
from indexing.types import Chunk

TOP_K = 20  # More than an answer is given: copies of the same text do not count.


@dataclass(frozen=True, slots=True)
class AnswerQuestion:
    """A question, and what is accepted as its answer; nothing where it has none."""

    text: str
    accepted: Sequence[str] = ()  # one of them is enough
    parts: Sequence[str] = ()  # all of them are needed
    article: str = ""
    document_id: str = ""
    file_name: str = ""
    pages: Sequence[int] = ()

    @property
    def is_answerable(self) -> bool:
        """Whether the documents answer it."""
        return bool(self.accepted or self.parts)

    def is_answered_by(self, text: str) -> bool:
        """Tell whether a text holds an accepted answer, letters and digits alone compared."""
        plain = f" {_plain(text)} "
        one = any(f" {_plain(answer)} " in plain for answer in self.accepted)
        every = bool(self.parts) and all(f" {_plain(part)} " in plain for part in self.parts)
        return one or every


def read_text_questions(folder: Path) -> list[AnswerQuestion]:
    """Read the questions about texts, and those that seem to be."""
    articles = {one["_id"]: one["title"] for one in _lines(folder / "corpus.jsonl")}
    accepted = {one["_id"]: one for one in _lines(folder / "answers.jsonl")}
    answerable = [
        AnswerQuestion(
            one["text"],
            accepted[one["_id"]]["answers"],
            article=articles[accepted[one["_id"]]["corpus_id"]],
        )
        for one in _lines(folder / "queries.jsonl")
    ]
    tricks = [
        AnswerQuestion(one["text"], article=one["article"])
        for one in _lines(folder / "unanswerable.jsonl")
    ]
    return answerable + tricks


def read_page_questions(folder: Path) -> list[AnswerQuestion]:
    """Read the questions about the pages of documents that have a text layer."""
    documents = _lines(folder / "documents.jsonl")
    has_text = {one["doc_id"] for one in documents if one["text_layer"]}
    return [
        AnswerQuestion(
            one["question"],
            parts=_parts(one["answer"]),
            document_id=one["doc_id"],
            file_name=Path(one["pdf"]).name,
            pages=one["evidence_pages"],
        )
        for one in _lines(folder / "questions.jsonl")
        if one["doc_id"] in has_text
    ]


class Neighbours:
    """Joins chunks with those beside them, in the database of a service, as the service does."""

    def __init__(self, address: str, embedder: Embedder) -> None:
        self._database = Database(sqlalchemy_url(address), pool_size=1)
        self._indexes = EngineIndexes(self._database.engine, embedder)
        self._runner = asyncio.Runner()

    def join(self, loaded: LoadedSet, chunks: Sequence[Chunk]) -> list[Chunk]:
        """Return the passages that an answer is written from."""
        return self._runner.run(self._indexes.join_neighbours(loaded.engine_id, chunks))

    def close(self) -> None:
        """Give the connections back."""
        self._runner.run(self._indexes.close())
        self._runner.run(self._database.close())
        self._runner.close()


def retrieve(
    client: httpx.Client, loaded: LoadedSet, question: AnswerQuestion, *, document_known: bool
) -> list[Chunk]:
    """Return the chunks that an answer to the question is written from."""
    body: dict[str, object] = {"query": question.text, "top_k": TOP_K}
    if document_known:
        sources = {document: source for source, document in loaded.document_ids.items()}
        body["data_source_id"] = sources[question.document_id]
    address = f"/api/v1/knowledge-engines/{loaded.engine_id}/retrieve"
    distinct: dict[str, Chunk] = {}
    for one in answered(client.post(address, json=body))["chunks"]:
        chunk = Chunk(
            chunk_id=one["chunk_id"],
            data_source_id=one["data_source_id"],
            filename=one["filename"],
            page_number=one["page_number"],
            content=one["content"],
            section=one["section"],
        )
        distinct.setdefault(chunk.content, chunk)
    return list(distinct.values())[:PASSAGES]


def _parts(answer: str | None) -> list[str]:
    """Return the answers of a list, "['one', 'two']", or the one there is."""
    if answer is None:
        return []
    if answer.startswith("["):
        return [str(part) for part in ast.literal_eval(answer)]
    return [answer]


def _plain(text: str) -> str:
    """Keep words and numbers, these without signs, marks between thousands and empty decimals."""
    bare = re.sub(r"[,$%]|\.0+\b", "", text.lower())
    return " ".join(re.findall(r"\w+(?:\.\d+)*", bare))


def _lines(file: Path) -> list[dict[str, Any]]:
    # Not `splitlines`: texts may hold characters that it takes for the end of a line.
    return [json.loads(line) for line in file.read_text().split("\n") if line]
