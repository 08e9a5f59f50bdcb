import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.question_sets import read_set, shortened
from indexing.types import NO_PAGE


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    write_lines(
        tmp_path / "corpus.jsonl",
        {"_id": "1", "title": "Lamps", "text": "They shine."},
        {"_id": "2/b", "title": "Lamps", "text": "They shine."},
        {"_id": "3", "title": "", "text": "A line\u2028separator."},
    )
    write_lines(
        tmp_path / "queries.jsonl",
        {"_id": "q1", "text": "What shines?"},
        {"_id": "q2", "text": "Nobody has judged this."},
    )
    (tmp_path / "qrels.tsv").write_text(
        "query-id\tcorpus-id\tscore\nq1\t1\t1\nq1\t3\t2\nq1\t2/b\t0"
    )
    return tmp_path


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    write_lines(
        tmp_path / "documents.jsonl",
        {"doc_id": "LEASE", "pdf": "pdfs/lease.pdf", "text_layer": True},
        {"doc_id": "SCAN", "pdf": "pdfs/scan.pdf", "text_layer": False},
    )
    asked = {"question": "When does it end?", "answerable": True, "evidence_pages": [2, 3]}
    write_lines(
        tmp_path / "questions.jsonl",
        {**asked, "doc_id": "LEASE"},
        {**asked, "doc_id": "SCAN"},
        {**asked, "doc_id": "LEASE", "answerable": False, "evidence_pages": []},
    )
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs/lease.pdf").write_bytes(b"lease")
    (tmp_path / "pdfs/scan.pdf").write_bytes(b"scan")
    return tmp_path


def test_an_entry_becomes_a_file_with_its_title_as_heading(texts: Path) -> None:
    first = read_set(texts).documents[0]

    assert (first.id, first.file_name) == ("1", "1.md")
    assert first.content == b"# Lamps\n\nThey shine."


def test_entries_that_say_the_same_become_different_files(texts: Path) -> None:
    documents = read_set(texts).documents

    assert [one.id for one in documents] == ["1", "2/b", "3"]
    assert len({one.content for one in documents}) == 3
    assert documents[1].content.strip() == documents[0].content


def test_an_id_that_is_no_file_name_is_made_one(texts: Path) -> None:
    assert read_set(texts).documents[1].file_name == "2_b.md"


def test_only_judged_questions_count_and_gains_above_zero(texts: Path) -> None:
    (question,) = read_set(texts).questions

    assert question.text == "What shines?"
    assert question.relevant == {("1", NO_PAGE): 1, ("3", NO_PAGE): 2}
    assert question.document_id is None


def test_pages_are_asked_of_answerable_questions_on_documents_with_text(pages: Path) -> None:
    (question,) = read_set(pages).questions

    assert question.relevant == {("LEASE", 2): 1, ("LEASE", 3): 1}
    assert question.document_id == "LEASE"


def test_scans_are_loaded_only_on_demand(pages: Path) -> None:
    assert [one.id for one in read_set(pages).documents] == ["LEASE"]
    assert [one.id for one in read_set(pages, with_scans=True).documents] == ["LEASE", "SCAN"]


def test_a_shortened_set_keeps_what_is_asked_about(texts: Path) -> None:
    short = shortened(read_set(texts), 1)

    assert [one.id for one in short.documents] == ["3"]
    assert [one.relevant for one in short.questions] == [{("3", NO_PAGE): 2}]


def write_lines(file: Path, *rows: dict[str, Any]) -> None:
    file.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))
