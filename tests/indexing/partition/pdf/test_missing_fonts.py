"""Letters of fonts that neither the file nor, on most machines, the system has."""

from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.formats import DocumentFormat
from indexing.partition.pdf.document import open_pdf
from indexing.partition.processes.isolation import ReadLimits, read_isolated
from indexing.types import Page

LIMITS = ReadLimits(wall_seconds=60, cpu_seconds=60, memory_bytes=2**30, owner="tests")


def write(path: Path, font: str, words: list[str]) -> Path:
    """Write each word of a line as a text object of its own."""
    pdfmetrics.registerFont(UnicodeCIDFont(font))
    canvas = Canvas(str(path))
    canvas.setFont(font, 20)
    for number, word in enumerate(words):
        canvas.drawString(50 + 60 * number, 700, word)
    canvas.save()
    return path


@pytest.mark.parametrize(
    ("font", "words"),
    [
        pytest.param("STSong-Light", ["第", "章", "共", "元"], id="Chinese"),
        pytest.param("MSung-Light", ["第", "號", "共", "元"], id="Chinese of Taiwan"),
        pytest.param("HeiseiMin-W3", ["年", "月", "日", "円"], id="Japanese"),
        pytest.param("HYSMyeongJo-Medium", ["총", "개", "원", "년"], id="Korean"),
    ],
)
def test_letters_that_stand_alone_are_read(font: str, words: list[str], tmp_path: Path) -> None:
    (page,) = open_pdf(write(tmp_path / "alone.pdf", font, words)).pages

    assert "".join(block.text for block in page.blocks).split() == words


async def test_so_does_a_reader_that_is_confined(tmp_path: Path) -> None:
    path = write(tmp_path / "alone.pdf", "HeiseiMin-W3", ["年", "月", "日", "円"])

    items = [item async for item in read_isolated(path, DocumentFormat.PDF, LIMITS)]

    texts = [block.text for page in items if isinstance(page, Page) for block in page.blocks]
    assert "".join(texts).split() == ["年", "月", "日", "円"]


def test_fonts_that_pdfium_has_by_itself_keep_their_sizes(tmp_path: Path) -> None:
    canvas = Canvas(str(tmp_path / "latin.pdf"))
    canvas.setFont("Helvetica", 20)
    canvas.drawString(50, 700, "Lamp")
    canvas.drawString(50 + canvas.stringWidth("Lamp"), 700, "shade")
    canvas.save()

    (page,) = open_pdf(tmp_path / "latin.pdf").pages

    assert [block.text for block in page.blocks] == ["Lampshade"]
