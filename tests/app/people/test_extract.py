"""`ke extract`, at a real service, and how it writes values."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from app.people.connection import CommandFailed
from app.people.extract import as_csv, as_table, load_fields
from knowledge_engine import RequestedField, ToolRun
from tests.app.people.conftest import Command
from tests.conftest import FILES

LEASE = FILES / "warehouse-lease.pdf"
FIELDS = """
- name: deposit
  description: The deposit that the tenant pays
  type: currency
- name: tenant
"""
EVIDENCE = {"data_source_id": "ds_a", "file_name": "a.pdf", "page_number": 2, "text": "12 pounds"}


@pytest.fixture
def fields(tmp_path: Path) -> Path:
    file = tmp_path / "fields.yaml"
    file.write_text(FIELDS)
    return file


def test_file_is_uploaded_once_and_found_the_second_time(
    run: Command, leases: str, fields: Path
) -> None:
    of_file = run("extract", LEASE, "--fields", fields, "--engine", leases, "--json")
    extracted = json.loads(of_file.stdout)
    source_id = extracted["tool"]["tagged_data_sources"][0]["id"]
    of_source = run("extract", source_id, "--fields", fields, "--format", "csv")

    assert extracted["status"] == "completed"
    assert list(extracted["result"]["extracted_fields"]) == ["deposit", "tenant"]
    rows = list(csv.DictReader(io.StringIO(of_source.stdout)))
    assert {row["field"] for row in rows} == {"deposit", "tenant"}


def test_table_is_the_default(run: Command, leases: str, fields: Path) -> None:
    shown = run("extract", LEASE, "--fields", fields, "--engine", leases)

    assert shown.returncode == 0, shown.stderr
    assert all(word in shown.stdout for word in ("deposit", "tenant", "Where"))


def test_file_that_is_not_there_is_said(run: Command, leases: str, fields: Path) -> None:
    refused = run("extract", "none.pdf", "--fields", fields, "--engine", leases)

    assert (refused.returncode, refused.stderr) == (1, "none.pdf: No such file or directory\n")


def test_entries_become_fields(fields: Path) -> None:
    assert load_fields(fields) == [
        RequestedField(
            field_name="deposit",
            description="The deposit that the tenant pays",
            type="currency",
        ),
        RequestedField(field_name="tenant", description="tenant", type="text"),
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("- name: a\n  type: money", "0.type: Input should be 'text', ", id="type"),
        pytest.param("- nam: a", "0.name: Field required", id="no name"),
        pytest.param("- name: a\n  kind: text", "0.kind: Extra inputs are not", id="unknown key"),
        pytest.param("name: a", "Input should be a valid list", id="no list"),
        pytest.param("- [", "while parsing a flow node", id="no YAML"),
        pytest.param("[]", "there are no fields in it", id="empty"),
    ],
)
def test_wrong_entry_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "fields.yaml"
    file.write_text(text)

    with pytest.raises(CommandFailed, match=re.escape(f"{file}: {message}")):
        load_fields(file)


def test_least_sure_comes_first_and_is_marked() -> None:
    run = finished(
        deposit=("[b]12[/b]", 0.95, [EVIDENCE]),
        tenant=(None, 0.1, []),
        uses=(["storage", "office"], 0.79, [EVIDENCE | {"page_number": -1}]),
    )

    rows = list(csv.reader(io.StringIO(as_csv(run))))
    shown = table_of(run)

    assert rows[1:] == [
        ["tenant", "", "text", "0.1", "", ""],
        ["uses", "storage; office", "text", "0.79", "a.pdf", "12 pounds"],
        ["deposit", "[b]12[/b]", "text", "0.95", "a.pdf, page 2", "12 pounds"],
    ]
    assert shown == [
        ["!", "tenant", "", "10%", ""],
        ["!", "uses", "storage; office", "79%", "a.pdf"],
        ["", "deposit", "[b]12[/b]", "95%", "a.pdf, page 2"],
    ]


def finished(**found: tuple[Any, float, list[Any]]) -> ToolRun:
    fields = {
        name: {"value": value, "type": "text", "confidence": sure, "evidence": evidence}
        for name, (value, sure, evidence) in found.items()
    }
    return ToolRun.model_validate(
        {"id": "trun_a", "status": "completed", "created_at": 1}
        | {"result": {"extracted_fields": fields, "metadata": {}}}
    )


def table_of(run: ToolRun) -> list[list[str]]:
    """Return the cells of the table."""
    console = Console(width=120, file=io.StringIO())
    with console.capture() as capture:
        console.print(as_table(run))
    lines = [line for line in capture.get().splitlines() if line.startswith("│")]
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in lines]
