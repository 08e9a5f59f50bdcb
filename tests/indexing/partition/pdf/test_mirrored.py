from pathlib import Path

import pypdfium2
import pytest

from indexing.partition.pdf.document import open_pdf
from indexing.partition.pdf.mirrored import is_mirrored
from tests.indexing.partition.from_right import draw, hebrew


def test_words_drawn_as_in_a_mirror_are_read_in_their_order(tmp_path: Path) -> None:
    lines = {200: "abc def 1250", 180: "ghi mno 2024"}

    [page] = open_pdf(_draw_lines(tmp_path, lines)).pages

    assert [block.text for block in page.blocks] == [hebrew("\n".join(lines.values()))]


def test_a_figure_among_words_stands_by_itself(tmp_path: Path) -> None:
    lines = {200: "abc 1250 def 24 ghi", 180: "ghi 2024 mno", 160: "abc def 1ghi"}

    [page] = open_pdf(_draw_lines(tmp_path, lines)).pages

    assert [block.text for block in page.blocks] == [hebrew("\n".join(lines.values()))]


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_letter_is_drawn_as_in_a_mirror_or_not(tmp_path: Path, mirrored: bool) -> None:
    file = draw(tmp_path, (200, 200, "abc"), is_mirrored=mirrored)

    with pypdfium2.PdfDocument(file) as pdf:
        textpage = pdf[0].get_textpage()

        assert is_mirrored(textpage, 0) is mirrored


def test_what_is_no_letter_of_the_page_is_not_mirrored(tmp_path: Path) -> None:
    file = draw(tmp_path, (200, 200, "abc"), is_mirrored=True)

    with pypdfium2.PdfDocument(file) as pdf:
        assert not is_mirrored(pdf[0].get_textpage(), 99)


def _draw_lines(folder: Path, lines: dict[int, str]) -> Path:
    """Draw lines at their heights, as in a mirror."""
    words = [
        (280 - 30 * number, y, f"{word} ")
        for y, line in lines.items()
        for number, word in enumerate(line.split())
    ]
    return draw(folder, *words, is_mirrored=True)
