"""How good the ranking of `/retrieve` is, and what each of its techniques is worth.

Everything is loaded and asked over HTTP. The techniques have no switches in the service, so each
table stands on the service's own chunks and vectors, ranked once more (`plain_ranking.py`) with
parts left out; its last two lines, the plain ranking with all parts and the service itself, have to
agree.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import httpx
import numpy as np

from app.embedded_postgres import attach
from benchmarks.measures import paired_interval
from benchmarks.plain_ranking import (
    SINGLE_LEGS,
    TECHNIQUES,
    WHOLE,
    PlainRanking,
    StoredChunks,
    Technique,
    read_chunks,
    without_place,
)
from benchmarks.question_sets import (
    TEXT_MEASURES,
    Place,
    QuestionSet,
    SourceDocument,
    read_set,
    shortened,
)
from benchmarks.report import publish, table
from benchmarks.service import READ_SECONDS, answered, running_service
from config.settings import Settings, prepare_library_environment
from indexing.embedding import MiniLMEmbedder
from indexing.headers import document_name
from indexing.partition.formats import DocumentFormat
from indexing.partition.reader import open_document

DATA = Path(__file__).parents[2] / "shared" / "data"
SETS = (
    "retrieval/squad",
    "retrieval/cacm",
    "retrieval/hotpotqa100",
    "page_qa/financebench",
    "page_qa/mmlongbench",
)
TOP_K = 20
BATCH_DOCUMENTS = 200
BATCH_BYTES = 64 * 2**20
QUICK_TEXTS = 60
QUICK_PDFS = 1

ALL, KNOWN = "all documents together", "document known"
SERVICE = "the service, over HTTP"

JUDGED_BY = {"hotpotqa100": "recall@5"}
"""What a set is judged by where it is neither nDCG@10, for texts, nor hit@5, for pages."""

TARGETS = {
    ("squad", ALL): "> 0.873 (BM25)",
    ("cacm", ALL): "> 0.468 (BM25)",
    ("hotpotqa100", ALL): "> 0.760 (BM25)",
    ("financebench", ALL): "0.56",
    ("mmlongbench", ALL): "0.70",
    ("financebench", KNOWN): "0.64",
    ("mmlongbench", KNOWN): "0.72",
}

HOW = f"""Documents are ranked by their best chunk among the first {TOP_K}, pages likewise. Each row
is a ranking; the last column says by how much the service is better, question by question, with
the bootstrap interval at 95 %. A header is what a chunk is found by besides its own words: the name
of its document, the heading above it and the first lines of its page, of which the last two are the
place. The constants have been chosen by looking at these very sets, so other documents may do
worse; a set of one's own is given with `--set`."""

Results = dict[str, dict[str, list[float]]]
"""Of each ranking, by its name: the values of each measure, question by question."""


@dataclass(frozen=True, slots=True)
class LoadedSet:
    """A set whose documents an engine has read."""

    questions: QuestionSet
    engine_id: str
    document_ids: Mapping[str, str]  # by data source
    failed: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Measured:
    """A set, and how well its questions were answered."""

    loaded: LoadedSet
    chunk_count: int
    by_scope: Mapping[str, Results]

    @property
    def name(self) -> str:
        """The name of the set."""
        return self.loaded.questions.name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--set", type=Path, action="append", help="a folder; instead of the usual")
    parser.add_argument("--with-scans", action="store_true", help="PDFs without a text layer too")
    parser.add_argument("--keep", type=Path, help="a data directory that is used again next time")
    parser.add_argument("--quick", action="store_true", help="a few documents of each; not kept")
    arguments = parser.parse_args()
    folders = arguments.set or [arguments.data / name for name in SETS]
    missing = [str(folder) for folder in folders if not folder.is_dir()]
    if missing:
        raise SystemExit(f"There is no {', '.join(missing)}; name other folders with --set")
    prepare_library_environment()
    question_sets = [read_set(folder, with_scans=arguments.with_scans) for folder in folders]
    if arguments.quick:
        question_sets = [_quick(whole) for whole in question_sets]
    sections = run(question_sets, arguments.keep)
    if arguments.quick:
        print("\n\n".join(sections))
    else:
        pool = "with" if arguments.with_scans else "without"
        scans = f"PDFs without a text layer are not asked about; this run is {pool} them loaded."
        publish("retrieval_quality", "Quality of retrieval", HOW, scans, *sections)


def run(question_sets: Sequence[QuestionSet], keep: Path | None) -> list[str]:
    """Load and ask all sets; return the sections of the report."""
    with (
        _data_folder(keep) as folder,
        running_service(folder / "data", key=_key(folder)) as service,
    ):
        (folder / "key").write_text(service.key)
        (folder / "key").chmod(0o600)
        measured = [measure(service.client, folder, one) for one in question_sets]
    return [
        _load_table(measured),
        _summary_table(measured),
        _mean_gains(measured),
        *_details(measured),
    ]


def measure(client: httpx.Client, folder: Path, one: QuestionSet) -> Measured:
    """Load a set, unless it is there, and ask it in every way there is."""
    loaded = _loaded_before(folder, one) or load(client, one)
    _remember(folder, loaded)
    chunks = read_chunks(attach(folder / "data"), loaded.engine_id)
    models = folder / "data" / "models"
    ranking = plain_ranking(loaded, chunks, models)
    embedder = MiniLMEmbedder(models, threads=_threads())
    by_scope: dict[str, Results] = {}
    for scope in (ALL, KNOWN) if one.questions[0].document_id is not None else (ALL,):
        by_scope[scope] = ask_plainly(loaded, ranking, embedder, scope=scope)
        by_scope[scope][SERVICE] = ask(client, loaded, scope=scope)
    return Measured(loaded, len(chunks.contents), by_scope)


def load(client: httpx.Client, one: QuestionSet) -> LoadedSet:
    """Upload the documents of a set into an engine of their own, and wait until all are read."""
    began = time.monotonic()
    engine = answered(client.post("/api/v1/knowledge-engines", json={"name": one.name[:50]}))
    document_ids: dict[str, str] = {}
    for batch in _batches(one.documents):
        entries = [
            {"name": document.id[:50], "type": "file", "knowledge_engine_id": engine["id"]}
            for document in batch
        ]
        files = [("files[]", (document.file_name, document.content)) for document in batch]
        form = {"data": json.dumps(entries)}
        items = answered(client.post("/api/v1/data-sources/batch", data=form, files=files))
        for document, item in zip(batch, items, strict=True):
            if not item["success"]:
                raise SystemExit(f"{one.name}: {document.file_name}: {item['error']}")
            document_ids[item["data_source"]["id"]] = document.id
    _wait_until_ready(client, engine["id"])
    seconds = time.monotonic() - began
    sources = answered(client.get(f"/api/v1/knowledge-engines/{engine['id']}/data-sources"))
    failed = sum(source["outcome"] == "failed" for source in sources)
    return LoadedSet(one, engine["id"], document_ids, failed, seconds)


def ask(client: httpx.Client, loaded: LoadedSet, *, scope: str) -> dict[str, list[float]]:
    """Ask the service every question and judge its rankings."""
    data_sources = {document: source for source, document in loaded.document_ids.items()}
    address = f"/api/v1/knowledge-engines/{loaded.engine_id}/retrieve"
    rankings = []
    for question in loaded.questions.questions:
        body: dict[str, Any] = {"query": question.text, "top_k": TOP_K}
        if scope == KNOWN and question.document_id is not None:
            body["data_source_id"] = data_sources[question.document_id]
        chunks = answered(client.post(address, json=body))["chunks"]
        rankings.append([(chunk["data_source_id"], chunk["page_number"]) for chunk in chunks])
    return judge(loaded, rankings)


def ask_plainly(
    loaded: LoadedSet, ranking: PlainRanking, embedder: MiniLMEmbedder, *, scope: str
) -> Results:
    """Rank every question by every technique and judge it."""
    questions = loaded.questions.questions
    data_sources = {document: source for source, document in loaded.document_ids.items()}
    rankings: dict[str, list[list[tuple[str, int]]]] = {one.name: [] for one in TECHNIQUES}
    for question in questions:
        legs = ranking.legs(question.text, embedder.embed([question.text])[0])
        known = data_sources[question.document_id or ""] if scope == KNOWN else None
        for technique in TECHNIQUES:
            rankings[technique.name].append(ranking.rank(technique, legs, TOP_K, known))
    return {name: judge(loaded, own) for name, own in rankings.items()}


def judge(
    loaded: LoadedSet, rankings: Sequence[Sequence[tuple[str, int]]]
) -> dict[str, list[float]]:
    """Return the values of each measure for chunks, named by data source and page, best first."""
    values: dict[str, list[float]] = {name: [] for name in loaded.questions.measures}
    for question, chunks in zip(loaded.questions.questions, rankings, strict=True):
        places: list[Place] = [(loaded.document_ids[source], page) for source, page in chunks]
        ranked = list(dict.fromkeys(places))
        for name, measure in loaded.questions.measures.items():
            values[name].append(measure(ranked, question.relevant))
    return values


def plain_ranking(loaded: LoadedSet, chunks: StoredChunks, models: Path) -> PlainRanking:
    """Prepare the stored chunks for being ranked; only their places are embedded once more."""
    embedder = MiniLMEmbedder(models, threads=_threads())
    distinct = list(dict.fromkeys(place for place in chunks.places if place))
    rows = dict(zip(distinct, embedder.embed(distinct), strict=True))
    places = np.array(
        [rows.get(place, np.zeros(embedder.dimensions, np.float32)) for place in chunks.places]
    )
    return PlainRanking(chunks, _names(loaded), without_place(chunks.vectors, places))


def _names(loaded: LoadedSet) -> dict[str, str]:
    """Return the words each data source is searched by: nothing but the search keeps them."""
    documents = {document.id: document for document in loaded.questions.documents}
    names = {}
    with tempfile.TemporaryDirectory(prefix="ke-quality-", dir="/tmp") as directory:
        for data_source_id, document_id in loaded.document_ids.items():
            document = documents[document_id]
            path = Path(directory, document.file_name)
            path.write_bytes(document.content)
            title = open_document(path, DocumentFormat(path.suffix[1:].lower())).title
            names[data_source_id] = document_name(title, document.file_name)
            path.unlink()
    return names


def _batches(documents: Sequence[SourceDocument]) -> Iterator[list[SourceDocument]]:
    batch: list[SourceDocument] = []
    size = 0
    for document in documents:
        if batch and (len(batch) == BATCH_DOCUMENTS or size + len(document.content) > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += len(document.content)
    if batch:
        yield batch


def _wait_until_ready(client: httpx.Client, engine_id: str) -> None:
    deadline = time.monotonic() + READ_SECONDS
    while time.monotonic() < deadline:
        if answered(client.get(f"/api/v1/knowledge-engines/{engine_id}"))["status"] == "ready":
            return
        time.sleep(0.2)
    raise SystemExit(f"{engine_id} was not read within {READ_SECONDS} s")


@contextmanager
def _data_folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
    else:
        with tempfile.TemporaryDirectory(prefix="ke-quality-", dir="/tmp") as directory:
            yield Path(directory)


def _key(folder: Path) -> str:
    """Return the key of a service that was kept; a new one prints its own."""
    kept = folder / "key"
    return kept.read_text() if kept.exists() else ""


def _remember(folder: Path, loaded: LoadedSet) -> None:
    known = {
        "engine_id": loaded.engine_id,
        "document_ids": dict(loaded.document_ids),
        "failed": loaded.failed,
        "seconds": loaded.seconds,
    }
    (folder / f"{loaded.questions.name}.json").write_text(json.dumps(known))


def _loaded_before(folder: Path, one: QuestionSet) -> LoadedSet | None:
    """Return the set as an earlier run has loaded it, if that had the same documents."""
    file = folder / f"{one.name}.json"
    if not file.exists():
        return None
    loaded = LoadedSet(one, **json.loads(file.read_text()))
    is_same = {document.id for document in one.documents} == set(loaded.document_ids.values())
    return loaded if is_same else None


def _quick(whole: QuestionSet) -> QuestionSet:
    return shortened(whole, QUICK_TEXTS if _is_of_texts(whole) else QUICK_PDFS)


def _threads() -> int:
    return Settings().embedding_threads


def _is_of_texts(one: QuestionSet) -> bool:
    return one.measures is TEXT_MEASURES


def _judged_by(name: str, results: Results) -> str:
    usual = "nDCG@10" if "nDCG@10" in results[SERVICE] else "hit@5"
    return JUDGED_BY.get(name, usual)


def _load_table(measured: Sequence[Measured]) -> str:
    rows = []
    for one in measured:
        count = len(one.loaded.document_ids)
        seconds = one.loaded.seconds
        times = (f"{seconds:.0f}", f"{1000 * seconds / count:.0f}")
        rows.append((one.name, count, one.loaded.failed, one.chunk_count, *times))
    header = ("set", "documents", "of them failed", "chunks", "seconds", "ms a document")
    return f"Uploaded in batches, read and embedded by the service:\n\n{table(header, rows)}"


def _summary_row(name: str, scope: str, results: Results) -> tuple[object, ...]:
    measure = _judged_by(name, results)
    means = {name: fmean(values[measure]) for name, values in results.items()}
    best_leg = _best_of(SINGLE_LEGS, results, measure)
    return (
        f"{name}, {scope}",
        measure,
        TARGETS.get((name, scope), ""),
        f"**{means[SERVICE]:.3f}**",
        f"{means[best_leg]:.3f} ({best_leg})",
        _difference(results, best_leg, measure),
        f"{means[SERVICE] - means[WHOLE.name]:+.3f}",
    )


def _summary_table(measured: Sequence[Measured]) -> str:
    rows = [
        _summary_row(one.name, scope, results)
        for one in measured
        for scope, results in one.by_scope.items()
    ]
    header = (
        *("set", "measure", "target", "the service", "best single leg", "better by (95 %)"),
        "off the plain ranking",
    )
    return table(header, rows)


def _mean_gains(measured: Sequence[Measured]) -> str:
    """Tell how much better the service is in the mean over the sets of texts."""
    of_texts = {
        one.name: one.by_scope[ALL] for one in measured if _is_of_texts(one.loaded.questions)
    }
    if not of_texts:
        return ""
    without_headers = [leg for leg in SINGLE_LEGS if "content" in (leg.dense, leg.lexical)]
    over_all, over_some = (
        fmean(_gain(name, results, legs) for name, results in of_texts.items())
        for legs in (SINGLE_LEGS, without_headers)
    )
    return (
        f"Mean gain over {', '.join(of_texts)} (target 0.03): {over_all:+.3f} over the best single "
        f"leg of each, {over_some:+.3f} over the best that knows no headers."
    )


def _gain(name: str, results: Results, legs: Sequence[Technique]) -> float:
    measure = _judged_by(name, results)
    best_leg = _best_of(legs, results, measure)
    return fmean(results[SERVICE][measure]) - fmean(results[best_leg][measure])


def _best_of(legs: Sequence[Technique], results: Results, measure: str) -> str:
    return max((leg.name for leg in legs), key=lambda name: fmean(results[name][measure]))


def _details(measured: Sequence[Measured]) -> Iterator[str]:
    for one in measured:
        for scope, results in one.by_scope.items():
            yield f"## {one.name}, {scope}: {len(one.loaded.questions.questions)} questions"
            yield _detail_table(results, _judged_by(one.name, results))


def _detail_table(results: Results, measure: str) -> str:
    measures = list(results[SERVICE])
    rows = [
        (
            name,
            *(f"{fmean(values[one]):.3f}" for one in measures),
            "" if name == SERVICE else _difference(results, name, measure),
        )
        for name, values in results.items()
    ]
    return table(("", *measures, f"the service: {measure}"), rows)


def _difference(results: Results, name: str, measure: str) -> str:
    pairs = zip(results[SERVICE][measure], results[name][measure], strict=True)
    differences = [ours - other for ours, other in pairs]
    low, high = paired_interval(differences)
    return f"{fmean(differences):+.3f} ({low:+.3f} to {high:+.3f})"


if __name__ == "__main__":
    main()
