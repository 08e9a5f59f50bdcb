from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from indexing.coloured_ink import ink_layers
from indexing.ocr import recognize
from indexing.ocr_models import Picture
from indexing.text_places import detect
from indexing.visual_layer import read_picture

LINES = [f"{name} lanterns are kept in the northern hall" for name in ("Storm", "Deck", "Signal")]
SIZE = (900, 360)


@pytest.fixture(scope="module")
def stamped() -> Picture:
    return _stamped((170, 30, 30))


def test_lines_under_a_stamp_are_read_and_the_stamp_is_too(stamped: Picture) -> None:
    reading = recognize(stamped)

    assert [line.text for line in reading.lines if not line.is_over_text] == LINES
    assert [line.text for line in reading.lines if line.is_over_text] == ["RECEIVED"]


def test_what_is_stamped_over_lines_is_read_after_them(stamped: Picture) -> None:
    blocks = [placed.block.text for placed in read_picture(stamped).blocks]

    assert "\n".join(blocks).split("\n") == [*LINES, "RECEIVED"]


def test_figures_below_a_large_stamp_are_read_and_it_is_not_in_their_row() -> None:
    reading = recognize(_with_large_stamp())

    assert [line.text for line in reading.lines if line.is_over_text] == ["RECEIVED"]
    assert [line.text for line in reading.lines if line.text[0].isdigit()] == ["12", "30", "47"]


@pytest.mark.parametrize(
    "picture",
    [
        pytest.param(lambda: _stamped((0, 0, 0)), id="black"),
        pytest.param(lambda: _pixels(_printed()[0]), id="nothing over it"),
        pytest.param(lambda: _beside(), id="beside each other"),
        pytest.param(lambda: _on_dark_blue(), id="light letters on a ground"),
    ],
)
def test_inks_that_do_not_cross_are_left_together(picture: Callable[[], Picture]) -> None:
    pixels = picture()
    quads = detect(pixels)

    (layer,) = ink_layers(pixels, quads)

    assert layer.picture is pixels
    assert layer.quads is quads


def test_dark_letters_are_black_even_with_some_of_the_colour_beside_them() -> None:
    tinted = np.maximum(_stamped((170, 30, 30)), np.array([5, 0, 70], dtype=np.uint8))

    black, *_ = ink_layers(tinted, detect(tinted))

    assert len(black.quads) == len(LINES)


def _printed() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    page = Image.new("RGB", SIZE, "white")
    draw = ImageDraw.Draw(page)
    for number, line in enumerate(LINES):
        draw.text((40, 90 + 60 * number), line, fill="black", font=ImageFont.load_default(34))
    return page, draw


def _stamped(colour: tuple[int, int, int]) -> Picture:
    page, _ = _printed()
    stamp = Image.new("RGB", SIZE, "white")
    draw = ImageDraw.Draw(stamp)
    draw.text(
        (300, 110),
        "RECEIVED",
        colour,
        ImageFont.load_default(80),
        stroke_width=3,
        stroke_fill=colour,
    )
    turned = stamp.rotate(9, fillcolor="white")
    return np.asarray(np.minimum(_pixels(page), _pixels(turned)), dtype=np.uint8)


def _beside() -> Picture:
    page, draw = _printed()
    draw.text((40, 20), "Paid", fill=(30, 30, 170), font=ImageFont.load_default(34))
    return _pixels(page)


def _on_dark_blue() -> Picture:
    """Return a line on a ground that is as dark as it is coloured, with the grain of a scanner."""
    page, draw = _printed()
    draw.rectangle((0, 20, SIZE[0], 80), fill=(32, 80, 126))
    draw.text((40, 30), "Hall    Lanterns    Wicks", fill="white", font=ImageFont.load_default(34))
    grain = np.random.default_rng(1).normal(0, 4, (SIZE[1] // 4, SIZE[0] // 4, 1))
    grain = grain.repeat(4, axis=0).repeat(4, axis=1)
    return np.ascontiguousarray((_pixels(page) + grain).clip(0, 255).astype(np.uint8))


def _pixels(page: Image.Image) -> Picture:
    return np.ascontiguousarray(np.asarray(page)[:, :, ::-1])


def _with_large_stamp() -> Picture:
    page = Image.new("RGB", (1000, 420), "white")
    draw = ImageDraw.Draw(page)
    font = ImageFont.load_default(34)
    for number, name in enumerate(("Storm", "Deck", "Signal")):
        draw.text((40, 90 + 80 * number), name, fill="black", font=font)
        draw.text((600, 90 + 80 * number), ("12", "30", "47")[number], fill="black", font=font)
    stamp = Image.new("RGBA", (440, 180))
    on_stamp = ImageDraw.Draw(stamp)
    on_stamp.rectangle((4, 4, 435, 175), outline=(200, 20, 30), width=6)
    font = ImageFont.load_default(60)
    on_stamp.text((50, 55), "RECEIVED", fill=(200, 20, 30), font=font)
    stamp = stamp.rotate(14, Image.Resampling.BICUBIC, expand=True)
    page.paste(stamp, (270, 60), stamp)
    return _pixels(page)
