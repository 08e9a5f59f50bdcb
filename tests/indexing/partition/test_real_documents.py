"""The readers on documents from the wild, which lie beside the repository and not in it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.errors import UnreadableFile
from indexing.partition.formats import check_readable
from indexing.partition.office.libreoffice import find_soffice
from indexing.partition.processes.isolation import ReadLimits, read_isolated
from indexing.partition.reader import open_document
from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import Page

DATA = Path(__file__).parents[4] / "shared" / "data"
LIMITS = ReadLimits(wall_seconds=60, cpu_seconds=60, memory_bytes=2**30)

pytestmark = pytest.mark.skipif(
    not DATA.is_dir(), reason="the documents from the wild are not beside this checkout"
)


def rows(name: str) -> list[dict[str, Any]]:
    path = DATA / name
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def probes() -> Iterator[Any]:
    """Yield each document with the texts it must contain."""
    found = [probe for probe in rows("documents/probes.jsonl") if not probe["needs_ocr"]]
    for name in sorted({probe["file"] for probe in found}):
        is_read_here = find_soffice() or Path(name).suffix not in (".doc", ".ppt")
        yield pytest.param(
            name,
            [one for one in found if one["file"] == name],
            id=name,
            marks=[] if is_read_here else pytest.mark.skip("LibreOffice is not installed"),
        )


@pytest.mark.parametrize(("name", "probes"), list(probes()))
def test_each_text_is_found_on_its_page(name: str, probes: list[dict[str, Any]]) -> None:
    path = DATA / "documents" / name

    pages = list(open_document(path, check_readable(path, path.name)).pages)

    for probe in probes:
        candidates = [page for page in pages if probe["unit"] in (None, page.number, page.label)]
        assert any(letters(probe["text"]) in page_letters(page) for page in candidates), probe


@pytest.mark.parametrize(
    "row", [pytest.param(row, id=row["file"]) for row in rows("hostile/hostile.jsonl")]
)
async def test_a_hostile_file_comes_to_a_definite_end(row: dict[str, Any]) -> None:
    path = DATA / "hostile" / row["file"]

    try:
        file_format = check_readable(path, path.name)
        items = [item async for item in read_isolated(path, file_format, LIMITS)]
    except (UnreadableFile, DocumentUnreadable):
        outcome = "rejects"
    else:
        outcome = "opens"
        assert items

    assert row["expected"] in (outcome, "opens_or_rejects") or (
        row["expected"] == "needs_password" and outcome == "rejects"
    )


def letters(text: str) -> str:
    return "".join(character for character in text.lower() if character.isalnum())


def page_letters(page: Page) -> str:
    return letters(" ".join(f"{block.header} {block.text}" for block in page.blocks))
