"""`ke ingest` at a real service."""

import json
import shutil
from pathlib import Path

import pytest

from app.people.ingest import Fate, Found, Ingested, find_files, report
from knowledge_engine import Client
from tests.app.people.conftest import Command
from tests.conftest import FILES

LEASE = FILES / "warehouse-lease.pdf"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two documents, one of them in a folder, and what is none."""
    (tmp_path / "deep" / "er").mkdir(parents=True)
    (tmp_path / ".git").mkdir()
    shutil.copy(LEASE, tmp_path / "deep" / "er" / "lease.pdf")
    (tmp_path / "note.txt").write_text("The keys are with the porter.")
    (tmp_path / "program.bin").write_bytes(bytes(range(256)) * 10)
    (tmp_path / "empty.txt").touch()
    (tmp_path / ".git" / "config.txt").write_text("hidden")
    return tmp_path


def test_folder_is_read_with_all_in_it_and_what_is_no_document_is_named(
    run: Command, client: Client, folder: Path
) -> None:
    done = run("ingest", folder, "--engine", "Folder")

    assert done.returncode == 0, done.stderr
    *skipped, last = done.stdout.splitlines()
    assert last == "4 files: 2 ok, 2 skipped"
    assert skipped[0] == f"skipped: {folder}/empty.txt: the file is empty"
    assert skipped[1].startswith(f"skipped: {folder}/program.bin: the format is not supported")
    (engine,) = (one for one in client.engines.list() if one.name == "Folder")
    sources = client.engines.data_sources(engine.id)
    assert [(one.file_name, one.outcome) for one in sources] == [
        ("lease.pdf", "ok"),
        ("note.txt", "ok"),
    ]


def test_file_that_is_there_already_is_said_and_is_no_failure(run: Command, leases: str) -> None:
    done = run("ingest", LEASE, "--engine", leases, "--json")

    assert done.returncode == 0
    (file,) = json.loads(done.stdout)["files"]
    assert (file["fate"], file["file"]) == ("duplicate", str(LEASE))


def test_failure_of_one_file_harms_no_other_and_shows_in_the_exit_code(
    run: Command, tmp_path: Path
) -> None:
    empty, missing, text = (tmp_path / name for name in ("empty.txt", "none.pdf", "text.txt"))
    empty.touch()
    text.write_text("Some text.")

    done = run("ingest", empty, missing, text, "--engine", "Failing", "--json")

    assert done.returncode == 1
    assert done.stderr == "2 of 3 files failed.\n"
    assert [(one["fate"], one["message"]) for one in json.loads(done.stdout)["files"]] == [
        ("failed", "the file is empty"),
        ("failed", "No such file or directory"),
        ("ok", ""),
    ]


def test_document_without_text_has_failed(run: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html><body></body></html>")

    done = run("ingest", page, "--engine", "Failing")

    assert done.returncode == 1
    assert done.stdout.startswith(f"failed: {page}: the document holds no text")


def test_hidden_files_are_not_found_and_named_ones_are(folder: Path) -> None:
    hidden = folder / ".git" / "config.txt"

    found = list(find_files([folder, hidden]))

    assert Found(hidden, is_named=True) in found
    assert len([one for one in found if not one.is_named]) == 4


def test_report_names_what_is_not_simply_there() -> None:
    results = [
        Ingested(file="a.pdf", fate=Fate.OK),
        Ingested(file="b.pdf", fate=Fate.PARTIAL, message="page 3 cannot be read"),
    ]

    assert report(results) == [
        "partial: b.pdf: page 3 cannot be read",
        "2 files: 1 ok, 1 partial",
    ]
    assert report([]) == ["There are no files."]
