"""Chinese and Japanese beside Latin letters and figures, as office programs set both."""

from pathlib import Path

import pytest
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfgen.canvas import Canvas

from indexing.partition.pdf.document import open_pdf

SIZE = 20


@pytest.mark.parametrize(
    ("font", "gap", "parts", "text"),
    [
        pytest.param(
            "HeiseiMin-W3", 5, ["令和", "5", "年に", "ABC", "社"], "令和5年にABC社", id="ja"
        ),
        pytest.param("STSong-Light", 5, ["2023", "年", "12", "月"], "2023年12月", id="zh"),
        pytest.param("STSong-Light", 9, ["第", "5", "章"], "第 5 章", id="as far as words"),
        pytest.param("HYSMyeongJo-Medium", 5, ["책장", "4", "개"], "책장 4 개", id="ko"),
    ],
)
def test_latin_letters_set_a_little_apart_stand_with_the_others(
    font: str, gap: float, parts: list[str], text: str, tmp_path: Path
) -> None:
    pdfmetrics.registerFont(UnicodeCIDFont(font))
    canvas = Canvas(str(tmp_path / "mixed.pdf"))
    at = 50.0
    for part in parts:
        name = "Helvetica" if part.isascii() else font
        canvas.setFont(name, SIZE)
        canvas.drawString(at, 700, part)
        at += pdfmetrics.stringWidth(part, name, SIZE) + gap
    canvas.save()

    [page] = open_pdf(tmp_path / "mixed.pdf").pages

    assert [block.text for block in page.blocks] == [text]
