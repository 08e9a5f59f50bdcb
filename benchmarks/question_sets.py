"""Sets of documents, questions, and where the answers stand: read from the folders they lie in.

Two forms are known. Texts: `corpus.jsonl` (`_id`, `title`, `text`), `queries.jsonl` (`_id`,
`text`), `qrels.tsv` (query, document, gain; a line of names first). Pages: `documents.jsonl`
(`doc_id`, `pdf`, `text_layer`), `questions.jsonl` (`question`, `doc_id`, `evidence_pages`, 1-based,
`answerable`).
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.measures import hit, ndcg, recall, reciprocal_rank
from indexing.types import NO_PAGE

Place = tuple[str, int]
"""A document's id and a page of it; of texts the page is always NO_PAGE."""

Measure = Callable[[Sequence[Place], Mapping[Place, float]], float]

TEXT_MEASURES: dict[str, Measure] = {
    "nDCG@10": partial(ndcg, depth=10),
    "recall@5": partial(recall, depth=5),
    "recall@10": partial(recall, depth=10),
    "MRR": reciprocal_rank,
}
PAGE_MEASURES: dict[str, Measure] = {
    "hit@1": partial(hit, depth=1),
    "hit@5": partial(hit, depth=5),
    "hit@10": partial(hit, depth=10),
    "MRR": reciprocal_rank,
}


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document as it is uploaded."""

    id: str
    file_name: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and where its answer stands."""

    text: str
    relevant: Mapping[Place, float]
    document_id: str | None = None  # where it is about one document


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Documents, and questions about them."""

    name: str
    documents: Sequence[SourceDocument]
    questions: Sequence[Question]
    measures: Mapping[str, Measure]


def read_set(folder: Path, *, with_scans: bool = False) -> QuestionSet:
    """Read a set of either form."""
    if (folder / "documents.jsonl").exists():
        return _read_pages(folder, with_scans=with_scans)
    return _read_texts(folder)


def shortened(whole: QuestionSet, count: int) -> QuestionSet:
    """Return the shortest documents that are asked about, and the questions about them."""
    wanted = {document_id for one in whole.questions for document_id, _ in one.relevant}
    asked = (one for one in whole.documents if one.id in wanted)
    documents = sorted(asked, key=lambda one: len(one.content))[:count]
    ids = {one.id for one in documents}
    questions = []
    for one in whole.questions:
        relevant = {place: gain for place, gain in one.relevant.items() if place[0] in ids}
        if relevant:
            questions.append(replace(one, relevant=relevant))
    return replace(whole, documents=documents, questions=questions)


def _read_texts(folder: Path) -> QuestionSet:
    relevant: dict[str, dict[Place, float]] = defaultdict(dict)
    for line in (folder / "qrels.tsv").read_text().splitlines()[1:]:
        question_id, document_id, gain = line.split("\t")
        if float(gain) > 0:
            relevant[question_id][document_id, NO_PAGE] = float(gain)
    questions = [
        Question(one["text"], relevant[one["_id"]])
        for one in _lines(folder / "queries.jsonl")
        if one["_id"] in relevant
    ]
    documents: dict[bytes, SourceDocument] = {}
    for one in _lines(folder / "corpus.jsonl"):
        content = f"# {one['title']}\n\n{one['text']}".encode() if one["title"] else b""
        content = content or one["text"].encode()
        # The same bytes are taken only once by an engine, but judged here as two documents.
        while content in documents:
            content += b"\n"
        file_name = f"{re.sub(r'[^A-Za-z0-9._-]', '_', one['_id'])}.md"
        documents[content] = SourceDocument(one["_id"], file_name, content)
    return QuestionSet(folder.name, list(documents.values()), questions, TEXT_MEASURES)


def _read_pages(folder: Path, *, with_scans: bool) -> QuestionSet:
    """Read PDFs; questions count that have an answer, in a document with a text layer."""
    described = _lines(folder / "documents.jsonl")
    has_text = {one["doc_id"]: bool(one["text_layer"]) for one in described}
    documents = [
        SourceDocument(one["doc_id"], Path(one["pdf"]).name, (folder / one["pdf"]).read_bytes())
        for one in described
        if with_scans or one["text_layer"]
    ]
    questions = [
        Question(
            one["question"],
            {(one["doc_id"], page): 1.0 for page in one["evidence_pages"]},
            one["doc_id"],
        )
        for one in _lines(folder / "questions.jsonl")
        if one["answerable"] and has_text[one["doc_id"]]
    ]
    return QuestionSet(folder.name, documents, questions, PAGE_MEASURES)


def _lines(file: Path) -> list[dict[str, Any]]:
    # Not `splitlines`: texts may hold characters that it takes for the end of a line.
    return [json.loads(line) for line in file.read_text().split("\n") if line]
