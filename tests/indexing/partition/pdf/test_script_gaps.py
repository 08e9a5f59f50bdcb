"""Chinese and Japanese beside Latin letters and figures, as office programs set both."""

from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf

SIZE = 20
CHINESE, JAPANESE, KOREAN = "STSong-Light", "HeiseiMin-W3", "HYSMyeongJo-Medium"


@pytest.mark.parametrize(
    ("font", "gap", "parts", "text"),
    [
        pytest.param(JAPANESE, 5, ["令和", "5", "年に", "ABC"], "令和5年にABC", id="Japanese"),
        pytest.param(CHINESE, 5, ["2023", "年", "12", "月"], "2023年12月", id="Chinese"),
        pytest.param(CHINESE, 9, ["第", "5", "章"], "第 5 章", id="as far as words"),
        pytest.param(KOREAN, 5, ["책장", "4", "개"], "책장 4 개", id="Korean"),
    ],
)
def test_latin_letters_set_a_little_apart_stand_with_the_others(
    font: str, gap: float, parts: list[str], text: str, tmp_path: Path
) -> None:
    assert _read(tmp_path, font, gap, parts) == text


def test_in_what_browsers_print_each_gap_is_a_space(tmp_path: Path) -> None:
    assert _read(tmp_path, CHINESE, 5, ["白色", "5", "升"], "Skia/PDF m120") == "白色 5 升"


def _read(folder: Path, font: str, gap: float, parts: list[str], producer: str = "") -> str:
    """Return what is read of parts of a line that are so far apart."""
    pdfmetrics.registerFont(UnicodeCIDFont(font))
    canvas = Canvas(str(folder / "mixed.pdf"))
    canvas.setProducer(producer or "Office")
    at = 50.0
    for part in parts:
        name = "Helvetica" if part.isascii() else font
        canvas.setFont(name, SIZE)
        canvas.drawString(at, 700, part)
        at += pdfmetrics.stringWidth(part, name, SIZE) + gap
    canvas.save()
    [page] = open_pdf(folder / "mixed.pdf").pages
    [block] = page.blocks
    return block.text
