import numpy as np
import pytest

from indexing.ocr_models import Picture
from indexing.specks import without_specks
from indexing.visual_layer import read_picture
from tests.files.drawn import DELIVERY_NOTE, draw_lines


def page(share: float, side: int = 2, letters: int = 30) -> Picture:
    """Return words in black and white, with specks of so many pixels on so much of the page."""
    note = draw_lines(DELIVERY_NOTE, (1200, 900), letters).point(lambda shade: 255 * (shade > 128))
    pixels = np.array(note.convert("L"))
    chance = np.random.default_rng(1).random((900 // side, 1200 // side)) < share
    specks = np.kron(chance, np.ones((side, side), np.bool_))
    pixels[specks] = 255 - pixels[specks]
    return np.repeat(pixels[:, :, None], 3, axis=2)


def words(picture: Picture) -> list[str]:
    blocks = [placed.block for placed in read_picture(picture).blocks]
    return " ".join(f"{block.header} {block.text}" for block in blocks).split()


@pytest.mark.parametrize(("share", "side", "letters"), [(0.01, 2, 44), (0.02, 1, 24)])
def test_a_dirty_page_is_read_like_a_clean_one(share: float, side: int, letters: int) -> None:
    clean = words(page(0, letters=letters))

    found = set(words(page(share, side, letters)))

    assert sum(word in found for word in clean) >= 0.9 * len(clean) > 0


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(page(0), id="clean"),
        pytest.param(page(0.0005), id="a few specks"),
        pytest.param(page(0.01) // 2 + 50, id="grey"),
        pytest.param(np.full((400, 400, 3), 255, np.uint8), id="blank"),
    ],
)
def test_other_pictures_stay_as_they_are(picture: Picture) -> None:
    assert without_specks(picture) is picture
