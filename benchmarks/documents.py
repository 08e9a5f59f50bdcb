"""Real documents through the whole service: are their words found again, at their place?

The documents may not be passed on, so they are read from where they lie and never copied.
"""

import argparse
import json
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from benchmarks.report import publish, table
from benchmarks.service import answered, running_service, wait_until_processed
from indexing.partition.formats import DocumentFormat
from indexing.types import NO_PAGE

ROOT = Path(__file__).parent.parent
QUESTIONS = Path(__file__).with_name("document_questions.jsonl")
TOP_K = 20


@dataclass(slots=True)
class Import:
    """What became of one document."""

    name: str
    data_source: dict[str, Any]
    seconds: float
    probes: int = 0
    scoped: int = 0
    unscoped: int = 0
    wrong_place: int = 0  # its text found, but on another page only
    problems: list[str] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--port", type=int, default=0)
    arguments = parser.parse_args()
    folder = arguments.data / "documents"
    if not (folder / "documents.jsonl").exists():
        print(f"Skipped: there are no documents at {folder}; name their folder with --data.")
        return
    with (
        tempfile.TemporaryDirectory(prefix="ke-documents-", dir="/tmp") as directory,
        running_service(Path(directory) / "data", port=arguments.port) as service,
    ):
        engine_id = answered(
            service.client.post("/api/v1/knowledge-engines", json={"name": "Documents"})
        )["id"]
        report(folder, service.client, engine_id)


def report(folder: Path, client: httpx.Client, engine_id: str) -> None:
    """Import, search and ask; print it, and write it down."""
    began = time.monotonic()
    imports = [upload(client, engine_id, file) for file in supported_files(folder)]
    seconds = time.monotonic() - began
    for probe in read_lines(folder / "probes.jsonl"):
        one = next((one for one in imports if one.name == Path(probe["file"]).name), None)
        if one is not None and not probe["needs_ocr"]:
            check_probe(client, engine_id, one, probe)
    asked = [ask(client, engine_id, question) for question in read_lines(QUESTIONS)]
    problems = [f"- {one.name}: {problem}" for one in imports for problem in one.problems]
    right = sum(one["right"] for one in asked)
    publish(
        "documents",
        "Real documents",
        f"All read in {seconds:.1f} s, the worker's start included. Probes found among the first "
        f"{TOP_K} chunks, at their place:",
        import_table(imports),
        f"Questions to the built-in answerer: {right} of {len(asked)} right, which is: the "
        "expected file and page are cited and the response holds the expected words; or, where "
        "nothing answers, nothing is cited.",
        question_table(asked),
        "Probes that are not the first chunk:",
        "\n".join(problems),
    )


def supported_files(folder: Path) -> Iterator[Path]:
    """Yield the documents that have a text layer and a format that the service reads."""
    for document in read_lines(folder / "documents.jsonl"):
        if document["format"] in list(DocumentFormat) and not document["scanned"]:
            yield folder / document["file"]


def upload(client: httpx.Client, engine_id: str, file: Path) -> Import:
    """Upload a document and wait for its outcome."""
    data = {"name": file.name, "type": "file", "knowledge_engine_id": engine_id}
    began = time.monotonic()
    with file.open("rb") as content:
        uploaded = answered(
            client.post(
                "/api/v1/data-sources",
                data={"data": json.dumps(data)},
                files={"file": (file.name, content)},
            )
        )
    data_source = wait_until_processed(client, uploaded["id"])
    return Import(file.name, data_source, time.monotonic() - began)


def check_probe(client: httpx.Client, engine_id: str, one: Import, probe: dict[str, Any]) -> None:
    """Search for a text within its document, and within all of them."""
    one.probes += 1
    for scope in ("scoped", "unscoped"):
        body = {"query": probe["text"], "top_k": TOP_K}
        if scope == "scoped":
            body["data_source_id"] = one.data_source["id"]
        path = f"/api/v1/knowledge-engines/{engine_id}/retrieve"
        chunks = answered(client.post(path, json=body))["chunks"]
        holding = [
            (rank, chunk)
            for rank, chunk in enumerate(chunks, 1)
            if chunk["filename"] == one.name and plain(probe["text"]) in plain(chunk["content"])
        ]
        rank = next((rank for rank, chunk in holding if in_place(chunk, probe)), None)
        if rank is not None:
            setattr(one, scope, getattr(one, scope) + 1)
        elif holding and scope == "scoped":
            one.wrong_place += 1
        if rank is None or rank > 1:
            elsewhere = [(rank, chunk["page_number"]) for rank, chunk in holding]
            found = f"rank {rank}" if rank else f"not found, but (rank, page) {elsewhere}"
            place = f"{probe['unit_type'] or ''} {probe['unit'] or ''}".strip()
            one.problems.append(f"{scope}: {probe['text']!r} ({place or 'anywhere'}): {found}")


def in_place(chunk: dict[str, Any], probe: dict[str, Any]) -> bool:
    """Tell whether the chunk stands where the probe was taken from.

    The API does not name sheets, so of a sheet it is only asked that it is no page.
    """
    if probe["unit"] is None:
        return True
    if probe["unit_type"] == "sheet":
        return bool(chunk["page_number"] == NO_PAGE)
    return bool(chunk["page_number"] == probe["unit"])


def ask(client: httpx.Client, engine_id: str, question: dict[str, Any]) -> dict[str, Any]:
    """Ask the built-in answerer and judge what it cites."""
    body = {
        "name": "benchmark",
        "type": "query",
        "query": question["question"],
        "knowledge_engine_id": engine_id,
    }
    began = time.monotonic()
    workflow = answered(client.post("/api/v1/workflows", json=body))
    milliseconds = 1000 * (time.monotonic() - began)
    cited = [(one["file_name"], one["page_number"]) for one in workflow["citations"] or []]
    response = " ".join(workflow["response"].split())
    if question["file"] is None:
        is_right = not cited
    else:
        is_right = any(
            name == question["file"] and question["page"] in (None, page) for name, page in cited
        ) and plain(question["answer"]) in plain(response)
    return question | {
        "right": is_right,
        "cited": cited,
        "response": response,
        "milliseconds": milliseconds,
    }


def import_table(imports: Sequence[Import]) -> str:
    rows: list[list[object]] = []
    for one in imports:
        source = one.data_source
        facts = (source["outcome"], source["page_count"], source["chunk_count"], one.seconds)
        counts = (one.probes, one.scoped, one.unscoped, one.wrong_place)
        rows.append([one.name, *facts, *counts])
    totals = [sum(int(str(row[n])) for row in rows) for n in range(5, 9)]
    rows.append(["all", "", "", "", "", *totals])
    counted = ("probes", "found in it", "found in all", "wrong place")
    return table(("file", "outcome", "pages", "chunks", "seconds", *counted), rows)


def question_table(asked: Sequence[dict[str, Any]]) -> str:
    rows = []
    for one in asked:
        expected = f"{one['answer']}, {one['file']} p. {one['page']}" if one["file"] else "nothing"
        cited = "\n".join(f"{name} p. {page}" for name, page in one["cited"])
        said = ("yes" if one["right"] else "**no**", one["question"], expected, cited)
        rows.append((*said, f"{one['milliseconds']:.0f}"))
    return table(("right", "question", "expected", "cited", "ms"), rows)


def read_lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def plain(text: str) -> str:
    """Keep letters and digits only, in lower case."""
    return re.sub(r"[\W_]+", "", text.lower())


if __name__ == "__main__":
    main()
