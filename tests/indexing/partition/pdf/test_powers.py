from pathlib import Path

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf


@pytest.mark.parametrize(
    ("base", "raised", "expected"),
    [
        pytest.param("5 x 10", "6", "5 x 10^6", id="of one figure"),
        pytest.param("10", "12", "10^12", id="of two"),
        pytest.param("at 10", "-9", "at 10^-9", id="below nothing"),
    ],
)
def test_a_power_of_ten_is_one(base: str, raised: str, expected: str, tmp_path: Path) -> None:
    assert _read(tmp_path, base, raised, rise=4, size=8) == expected


def test_a_number_is_no_power(tmp_path: Path) -> None:
    assert _read(tmp_path, "10", "6", rise=0, size=12) == "106"


def test_a_lowered_figure_is_no_power(tmp_path: Path) -> None:
    assert "^" not in _read(tmp_path, "10", "6", rise=-3, size=8)


def _read(folder: Path, base: str, raised: str, *, rise: float, size: float) -> str:
    canvas = Canvas(str(folder / "power.pdf"), A4)
    text = canvas.beginText(60, 700)
    text.setFont("Helvetica", 12)
    text.textOut(base)
    text.setFont("Helvetica", size)
    text.setRise(rise)
    text.textOut(raised)
    canvas.drawText(text)
    canvas.save()
    (page,) = open_pdf(folder / "power.pdf").pages
    (block,) = page.blocks
    return block.text
