"""Do the tables of PDFs, as browsers and LibreOffice print them, come with all cells in place?

The tables are made from a seed, so that every cell is known; they are printed in styles of HTML by
Chromium, and by WeasyPrint where its command is found, and in those of Word by LibreOffice.
"""

import argparse
import asyncio
import os
import shutil
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.made_tables import (
    CSS_STYLES,
    WORD_STYLES,
    MadeTable,
    as_html,
    made_tables,
    write_docx,
)
from benchmarks.report import publish, table
from indexing.partition.formats import DocumentFormat
from indexing.partition.office.libreoffice import find_soffice
from indexing.partition.processes.isolation import ReadLimits
from indexing.partition.processes.recovery import read_past_failures
from indexing.types import CELL_MARK, BlockKind, Page

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
WEASYPRINT = shutil.which("weasyprint")
DOCUMENTS = 4
SEED = 1
PRINT_SECONDS = 120
LIMITS = ReadLimits(wall_seconds=600, cpu_seconds=600, memory_bytes=2**31, owner="ke_benchmark")

Pdfs = list[tuple[Path, list[MadeTable]]]
"""Of each document the file, and what is in it."""


@dataclass(frozen=True, slots=True)
class Printed:
    """What is right in the PDFs of one style."""

    rows: int
    right_rows: int  # all cells in place, and the names of all columns
    sentences: int
    right_sentences: int  # not in a table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED, help="of the first document")
    parser.add_argument("--documents", type=int, default=DOCUMENTS, help="in each style")
    parser.add_argument("--keep", type=Path, help="a folder for the PDFs")
    arguments = parser.parse_args()
    seeds = range(arguments.seed, arguments.seed + arguments.documents)
    with tempfile.TemporaryDirectory(prefix="ke-printed-", dir="/tmp") as directory:
        folder = arguments.keep or Path(directory)
        folder.mkdir(exist_ok=True)
        sections = [
            _section(printer, {style: _measured(pdfs) for style, pdfs in styles.items()})
            for printer, styles in _all_printed(folder, seeds)
        ]
    if not sections:
        raise SystemExit("neither chromium nor LibreOffice is installed here")
    publish(
        "printed_tables",
        "Tables as they are printed",
        f"{arguments.documents} documents in each style, seed {arguments.seed}, "
        f"`python -m benchmarks.printed_tables`.",
        *sections,
    )


def _all_printed(folder: Path, seeds: Sequence[int]) -> Iterator[tuple[str, dict[str, Pdfs]]]:
    """Yield the PDFs of each printer that is installed, by their style."""
    documents = {seed: made_tables(seed) for seed in seeds}

    def printed(
        styles: Sequence[str], write: Callable[[list[MadeTable], str, Path], Path]
    ) -> dict[str, Pdfs]:
        return {
            style: [
                (write(tables, style, folder / f"{number}-{seed}"), tables)
                for seed, tables in documents.items()
            ]
            for number, style in enumerate(styles)
        }

    if CHROMIUM:
        yield "Chromium", printed(list(CSS_STYLES), _by_chromium)
    if WEASYPRINT:
        yield "WeasyPrint", printed(list(CSS_STYLES), _by_weasyprint)
    if find_soffice():
        yield "Word, by LibreOffice", printed(WORD_STYLES, _by_libreoffice)


def _by_chromium(tables: list[MadeTable], style: str, stem: Path) -> Path:
    page, pdf = _written_html(tables, style, stem), stem.with_suffix(".c.pdf")
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    _run([str(CHROMIUM), *flags, f"--print-to-pdf={pdf}", page.as_uri()])
    return pdf


def _by_weasyprint(tables: list[MadeTable], style: str, stem: Path) -> Path:
    page, pdf = _written_html(tables, style, stem), stem.with_suffix(".w.pdf")
    _run([str(WEASYPRINT), str(page), str(pdf)])
    return pdf


def _by_libreoffice(tables: list[MadeTable], style: str, stem: Path) -> Path:
    document = stem.with_suffix(".d.docx")
    write_docx(tables, style, document)
    profile = f"-env:UserInstallation={(stem.parent / 'profile').as_uri()}"
    to_pdf = ["--headless", "--convert-to", "pdf", "--outdir", str(stem.parent)]
    _run([str(find_soffice()), profile, *to_pdf, str(document)])
    return document.with_suffix(".pdf")


def _written_html(tables: list[MadeTable], style: str, stem: Path) -> Path:
    page = stem.with_suffix(".html").absolute()
    page.write_text(as_html(tables, CSS_STYLES[style]))
    return page


def _run(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=PRINT_SECONDS)


def _measured(pdfs: Pdfs) -> Printed:
    counts: Counter[str] = Counter()
    for path, tables in pdfs:
        blocks = [block for page in asyncio.run(_pages(path)) for block in page.blocks]
        found = {
            (block.header, row)
            for block in blocks
            if block.kind is BlockKind.TABLE
            for row in block.text.split("\n")
        }
        text = " ".join(block.text for block in blocks if block.kind is not BlockKind.TABLE)
        text = " ".join(text.split())
        for one in tables:
            header = CELL_MARK.join(one.names)
            rows = [(header, CELL_MARK.join(row)) for row in one.rows]
            counts["rows"] += len(rows)
            counts["right_rows"] += sum(row in found for row in rows)
            counts["sentences"] += 1
            counts["right_sentences"] += one.sentence in text
    return Printed(**counts)


async def _pages(path: Path) -> list[Page]:
    items = read_past_failures(path, DocumentFormat.PDF, LIMITS)
    return [item async for item in items if isinstance(item, Page)]


def _section(printer: str, styles: dict[str, Printed]) -> str:
    rows = [
        (style, f"{one.right_rows} of {one.rows}", f"{one.right_sentences} of {one.sentences}")
        for style, one in styles.items()
    ]
    right = sum(one.right_rows for one in styles.values())
    share = right / sum(one.rows for one in styles.values())
    return "\n\n".join(
        (
            f"{printer}: **{share:.2f}** of the rows with all cells and names in place.",
            table(("style", "rows right", "sentences between, as text"), rows),
        )
    )


if __name__ == "__main__":
    main()
