"""What is deleted is gone from everywhere: a real service is searched for what it should forget."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest
from docx import Document
from PIL import Image
from psycopg import sql
from reportlab.pdfgen.canvas import Canvas

from app.embedded_postgres import attach
from indexing.partition.office.libreoffice import find_soffice
from tests.conftest import FILES
from tests.files.drawn import draw_lines
from tests.ke_process import Service, new_data_dir, serving, wait_for
from tests.s3_server import s3_server


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    """A service whose temporary files are in a folder of their own."""
    with new_data_dir() as data_dir:
        temporary = data_dir.parent / "temporary"
        temporary.mkdir()
        with serving(data_dir, TMPDIR=str(temporary)) as service:
            yield service


@pytest.fixture
def engine(service: Service) -> str:
    return service.create_engine()


def a_pdf(word: str) -> bytes:
    file = BytesIO()
    canvas = Canvas(file)
    canvas.setTitle(f"Contract with {word}")
    canvas.drawString(60, 700, f"The tenant is {word} of Dock Road.")
    canvas.save()
    return file.getvalue()


def a_scan(word: str) -> bytes:
    picture: Image.Image = draw_lines([["Receipt for the tenant"], [word]], (640, 300), 28)
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


def a_letter(word: str) -> bytes:
    document, file = Document(), BytesIO()
    document.add_heading(f"Dear {word}")
    document.add_paragraph("The lease has ended.")
    document.save(file)
    return file.getvalue()


def a_mail(word: str) -> bytes:
    content = (FILES / "delivery.eml").read_bytes()
    assert b"forty lanterns" in content
    return content.replace(b"forty lanterns", word.encode())


# Of each document its own word, with which it begins a trail through all that keeps it.
DOCUMENTS = {
    "contract.pdf": ("Marlowton", a_pdf),
    "scan.png": ("Kestrelby", a_scan),
    "letter.docx": ("Thornwick", a_letter),
    "mail.eml": ("Ravenholm", a_mail),
    "table.csv": ("Oakhampton", lambda word: f"name,rent\n{word},900\n".encode()),
    "notes.md": ("Foxbridge", lambda word: f"# Tenants\n\nOne is {word}.\n".encode()),
}


KEEP_IDS = {"audit_entry"}
"""The tables that keep which document was deleted, and no word of it."""

WITH_RECEIPT = "contract.pdf"
"""The document whose deletion has a receipt, which names it and its engine."""

RECEIPTS = {"deletion_receipt"}


def test_deleted_documents_leave_no_trace(service: Service, engine: str) -> None:
    given = {name: upload(service, engine, name) for name in DOCUMENTS}
    assert {service.outcome(one) for one in given.values()} == {"ok"}
    wait_for(lambda: "procrastinate_jobs" not in tables_with(service, "ds_"))
    shown = [name for name in DOCUMENTS if name.endswith((".pdf", ".png", ".docx"))]
    for name in shown:
        path = f"/api/v1/data-sources/{given[name]}/pages/1.png"
        answer = service.client.get(path, params={"highlight": word_of(name)}, timeout=150)
        assert answer.status_code == 200 or find_soffice() is None
    for name, one in given.items():
        assert word_of(name) in search(service, engine, name)
        assert tables_with(service, one) >= {"data_source", "data_source_page", f"data_{engine}"}
        assert tables_with(service, word_of(name)) >= {"data_source_page", f"data_{engine}"}
        assert one in [path.name for path in files_with(service, name, one)]

    gone = [WITH_RECEIPT]
    path = f"/api/v1/data-sources/{given[WITH_RECEIPT]}"
    answer = service.client.delete(path, params={"receipt": "true"}).raise_for_status()
    assert answer.json()["receipt"]["status"] == "signed"
    assert_gone(service, engine, given, gone)

    gone += ["scan.png", "letter.docx"]
    batch = json.dumps({"ids": [given[name] for name in gone[1:]]})
    service.client.request("DELETE", "/api/v1/data-sources/batch", content=batch)
    assert_gone(service, engine, given, gone)
    assert word_of("mail.eml") in search(service, engine, "mail.eml")

    service.client.delete(f"/api/v1/knowledge-engines/{engine}").raise_for_status()
    assert_gone(service, engine, given, list(given))
    assert tables_with(service, engine) == KEEP_IDS | RECEIPTS
    assert list((service.data_dir / "files").iterdir()) == []
    assert [path for path in (service.data_dir / "work").rglob("*") if path.is_file()] == []


def test_document_that_was_deleted_before_it_was_read_leaves_no_trace(
    service: Service, engine: str
) -> None:
    worker = suspended_worker(service)
    data_source = upload(service, engine, "contract.pdf")

    service.client.delete(f"/api/v1/data-sources/{data_source}").raise_for_status()

    # That it was to be read is in the queue until a worker comes to it.
    assert tables_with(service, data_source) <= {"procrastinate_jobs"} | KEEP_IDS
    assert files_with(service, "contract.pdf", data_source) == []
    worker.resume()
    wait_for(lambda: tables_with(service, data_source) == KEEP_IDS)


def test_of_the_same_bytes_at_the_same_moment_one_upload_wins(
    service: Service, engine: str
) -> None:
    with ThreadPoolExecutor(8) as at_once:
        answers = list(at_once.map(lambda _: post(service, engine, "notes.md"), range(8)))

    accepted = [answer for answer in answers if answer.status_code == 201]
    refused = [answer.json() for answer in answers if answer.status_code == 400]
    assert (len(accepted), refused) == (1, [{"error": "Duplicate file"}] * 7)
    folder = service.data_dir / "files" / engine
    assert [path.name for path in folder.iterdir()] == [accepted[0].json()["id"]]
    assert rows(service, "SELECT key FROM unclaimed_file") == []


def test_bucket_keeps_one_of_the_same_and_nothing_that_is_deleted() -> None:
    with (
        s3_server() as bucket,
        new_data_dir() as data_dir,
        serving(data_dir, KE_BLOB_URL=bucket.url) as service,
    ):
        engine = service.create_engine()
        with ThreadPoolExecutor(8) as at_once:
            answers = list(at_once.map(lambda _: post(service, engine, "notes.md"), range(8)))
        [data_source] = [one.json()["id"] for one in answers if one.status_code == 201]
        assert service.outcome(data_source) == "ok"
        assert bucket.keys() == [f"some/prefix/{engine}/{data_source}"]

        service.client.delete(f"/api/v1/data-sources/{data_source}").raise_for_status()

        assert (bucket.keys(), bucket.unfinished()) == ([], [])
        assert not (data_dir / "files").exists()
        assert [path for path in (data_dir / "work").rglob("*") if path.is_file()] == []


def assert_gone(service: Service, engine: str, given: dict[str, str], names: list[str]) -> None:
    for name in names:
        assert word_of(name) not in search(service, engine, name)
        receipts = RECEIPTS if name == WITH_RECEIPT else set()
        assert tables_with(service, given[name]) == KEEP_IDS | receipts
        assert tables_with(service, word_of(name)) == set()
        assert files_with(service, name, given[name]) == []


def word_of(name: str) -> str:
    return DOCUMENTS[name][0]


def post(service: Service, engine: str, name: str) -> httpx.Response:
    word, make = DOCUMENTS[name]
    data = json.dumps({"name": name, "type": "file", "knowledge_engine_id": engine})
    files = {"file": (name, make(word))}
    return service.client.post("/api/v1/data-sources", data={"data": data}, files=files)


def upload(service: Service, engine: str, name: str) -> str:
    return str(post(service, engine, name).raise_for_status().json()["id"])


def search(service: Service, engine: str, name: str) -> str:
    """Return all that a search for the word of a document finds, or that there is no engine."""
    path = f"/api/v1/knowledge-engines/{engine}/retrieve"
    answer = service.client.post(path, json={"query": word_of(name), "top_k": 20}).json()
    return " ".join(chunk["content"] for chunk in answer.get("chunks", []))


def tables_with(service: Service, needle: str) -> set[str]:
    """Return every table of the database that has these letters in any column of any row."""
    every = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname NOT LIKE 'pg\\_%'"
    # As text a row shows all its columns, and bytes as hexadecimal digits.
    letters = sql.Literal([f"%{needle}%", f"%{needle.encode().hex()}%"])
    looks = [
        sql.SQL("(SELECT {} FROM {} t WHERE t::text ILIKE ANY ({}) LIMIT 1)").format(
            sql.Literal(table), sql.Identifier(schema, table), letters
        )
        for schema, table in rows(service, every)
    ]
    return {table for (table,) in rows(service, sql.SQL(" UNION ALL ").join(looks))}


def files_with(service: Service, name: str, data_source: str) -> list[Path]:
    """Return every file that is named after a data source, or holds its bytes or its word."""
    word, make = DOCUMENTS[name]
    needles = (word.encode(), make(word))
    return [
        path
        for path in [*own_files(service), service.log]
        if data_source in str(path) or holds_any(path, needles)
    ]


def own_files(service: Service) -> Iterator[Path]:
    """Yield the files in its folders but those of the database, which are searched as tables.

    A folder may go while it is looked through: a LibreOffice that has ended removes its own.
    """
    for place in (service.data_dir, service.data_dir.parent / "temporary"):
        for folder, folders, files in os.walk(place):
            if "postgres" in folders:
                folders.remove("postgres")
            yield from (path for name in files if (path := Path(folder, name)).is_file())


def holds_any(path: Path, needles: tuple[bytes, ...]) -> bool:
    try:
        content = path.read_bytes()
    except FileNotFoundError:  # It has gone meanwhile.
        return False
    return any(needle in content for needle in needles)


def rows(service: Service, statement: str | sql.Composed) -> list[tuple[str, ...]]:
    with psycopg.connect(attach(service.data_dir)) as database:
        query = statement.encode() if isinstance(statement, str) else statement
        return database.execute(query).fetchall()


def suspended_worker(service: Service) -> psutil.Process:
    worker = service.worker()
    assert worker is not None
    worker.suspend()
    return worker
