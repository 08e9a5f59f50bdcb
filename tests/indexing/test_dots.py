import numpy as np
import pytest

from indexing.dots import without_dots
from indexing.ocr_models import Picture
from indexing.visual_layer import read_picture
from tests.files.drawn import DELIVERY_NOTE, draw_lines


def scan(paper: int, size: tuple[int, int] = (1300, 1700)) -> Picture:
    """Return words on paper of a shade of grey, scanned in black and white."""
    note = draw_lines(DELIVERY_NOTE, size, 28).point(lambda shade: min(shade, paper))
    return np.array(note.convert("1").convert("RGB"))


def test_words_on_a_ground_of_dots_are_read() -> None:
    read = "\n".join(placed.block.text for placed in read_picture(scan(160)).blocks)

    assert "LN-100 | Storm lantern | 24" in read
    assert "LN-300 | Signal lamp | 3" in read


@pytest.mark.parametrize(
    "picture", [scan(255), scan(160, (600, 800)), np.zeros((1, 2_000_000, 3), np.uint8)]
)
def test_what_is_clean_small_or_a_line_stays_as_it_is(picture: Picture) -> None:
    assert without_dots(picture) is picture
