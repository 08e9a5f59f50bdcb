from pathlib import Path

import pytest

from indexing.partition.pdf.document import open_pdf
from tests.files.text_layer import WIDTH, write_text_layer


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("ส ั ญ ญ า", "สัญญา", id="Thai"),
        pytest.param("ค ่ า   เช ่ า", "ค่า เช่า", id="sentences of Thai"),
        pytest.param("倉庫 の 契 約 。", "倉庫の契約。", id="Japanese"),
        pytest.param("倉庫     契約", "倉庫 契約", id="columns of Japanese"),
        pytest.param("임대차 계약서", "임대차 계약서", id="Korean"),
        pytest.param("Дом и сад", "Дом и сад", id="Russian"),
    ],
)
def test_spaces_that_nobody_wrote_are_left_out(words: str, expected: str, tmp_path: Path) -> None:
    write_text_layer(tmp_path / "layer.pdf", _placed(words))

    [page] = open_pdf(tmp_path / "layer.pdf").pages

    assert [block.text for block in page.blocks] == [expected]


def test_spaces_of_other_programs_are_kept(tmp_path: Path) -> None:
    write_text_layer(tmp_path / "layer.pdf", _placed("氏 名"))
    file = (tmp_path / "layer.pdf").read_bytes().replace(b"GlyphLessFont", b"OrdinaryFonts")

    [page] = open_pdf(file).pages

    assert [block.text for block in page.blocks] == ["氏 名"]


def _placed(words: str) -> list[tuple[float, float, str]]:
    """Return each word as far right as letters and further spaces stand before it."""
    placed, at = [], 0
    for word in words.split(" "):
        if word:
            placed.append((20.0 + WIDTH * at, 200.0, word))
        at += len(word) or 1
    return placed
