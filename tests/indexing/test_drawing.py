import io
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image, ImageDraw

from indexing.drawing import MAX_IN_DOCUMENT, MAX_ON_PAGE, FigureMaker, drawn_part
from indexing.ocr import Line, recognize
from indexing.ocr_models import Picture
from tests.files.drawn import DELIVERY_NOTE, RECEIPT, draw_chart, draw_lines


def draw_curve() -> Image.Image:
    """Draw a chart of thin lines."""
    chart = Image.new("RGB", (900, 600), "white")
    draw = ImageDraw.Draw(chart)
    for top in range(50, 551, 100):
        draw.line((60, top, 860, top), fill="lightgrey", width=2)
    values = [400, 380, 390, 300, 310, 200, 240, 120, 90]
    draw.line([(60 + 100 * n, value) for n, value in enumerate(values)], fill="navy", width=4)
    draw.line([(60 + 100 * n, 600 - value) for n, value in enumerate(values)], fill="red", width=4)
    return chart


def draw_boxes() -> Image.Image:
    """Draw a diagram: boxes of one word each, joined by lines."""
    diagram = draw_lines([[], [], ["Order", "Packing", "Delivery"]], (900, 500), 26)
    draw = ImageDraw.Draw(diagram)
    for left in (30, 320, 610):
        draw.rectangle((left, 60, left + 200, 380), outline="black", width=3)
    draw.line((230, 220, 320, 220), fill="black", width=3)
    draw.line((520, 220, 610, 220), fill="black", width=3)
    return diagram


def draw_scenery() -> Image.Image:
    return Image.effect_noise((600, 400), 90).resize((1200, 800), Image.Resampling.BICUBIC)


def draw_form() -> Image.Image:
    """Draw a table with rules, half of it empty."""
    rows = [["LN-100", "Storm lantern", "24.50"] for _ in range(12)]
    form = draw_lines(rows, (900, 1200), 24)
    draw = ImageDraw.Draw(form)
    for left in (10, 300, 600, 890):
        draw.line((left, 10, left, 1190), fill="black", width=2)
    for top in range(10, 1191, 59):
        draw.line((10, top, 890, top), fill="black", width=2)
    return form


@pytest.mark.parametrize("draw", [draw_chart, draw_curve, draw_boxes, draw_scenery])
def test_what_shows_more_than_words_is_a_figure(draw: Callable[[], Image.Image]) -> None:
    picture = pixels(draw())

    assert drawn_part(picture, recognize(picture).lines) is not None


@pytest.mark.parametrize(
    "image",
    [
        pytest.param(draw_lines(RECEIPT, (420, 420), 20), id="receipt"),
        pytest.param(draw_lines(DELIVERY_NOTE, (874, 1240), 26), id="letter"),
        pytest.param(draw_form(), id="form with rules"),
        pytest.param(Image.new("RGB", (800, 600), "skyblue"), id="blank"),
        pytest.param(draw_chart().resize((90, 60)), id="icon"),
    ],
)
def test_words_and_small_pictures_are_no_figures(image: Image.Image) -> None:
    picture = pixels(image)

    assert drawn_part(picture, recognize(picture).lines) is None


def test_words_that_are_known_already_are_not_drawn() -> None:
    picture = pixels(draw_lines(DELIVERY_NOTE, (874, 1240), 26))
    covered = np.ones(picture.shape[:2], dtype=np.bool_)

    assert drawn_part(picture, [], covered) is None


def test_a_chart_on_a_page_is_found_with_the_words_at_its_edge() -> None:
    page = Image.new("RGB", (900, 1200), "white")
    page.paste(draw_chart(), (100, 600))
    title = Line("Lamps sold in 2024", 300, 610, 500, 635)

    left, top, right, bottom = drawn_part(pixels(page), [title]) or (0, 0, 0, 0)

    assert 0 < left < 200
    assert 500 < top <= 610
    assert 700 < right <= 800
    assert 960 < bottom <= 1060


def test_a_figure_is_a_small_jpeg() -> None:
    image = FigureMaker().make(pixels(draw_scenery().resize((3000, 2000))))

    opened = Image.open(io.BytesIO(image))
    assert (opened.format, opened.size) == ("JPEG", (1024, 683))


def test_the_box_is_that_of_the_upright_picture() -> None:
    upright = draw_chart()
    lying = pixels(upright.rotate(-90, expand=True))

    image = FigureMaker().make(lying, 1, (80, 60, 620, 360))

    made = np.asarray(Image.open(io.BytesIO(image)), dtype=np.int16)
    wanted = np.asarray(upright.crop((80, 60, 620, 360)), dtype=np.int16)
    assert float(np.abs(made - wanted).mean()) < 3


def test_a_picture_is_made_once_in_a_document() -> None:
    maker = FigureMaker()
    made = []
    for title in ("Lamps sold", "Lamps sold", "Lamps returned"):
        maker.begin_page()
        made.append(bool(maker.make(pixels(draw_chart(title)))))

    assert made == [True, False, True]


def test_a_page_and_a_document_have_only_so_many_figures() -> None:
    maker = FigureMaker()
    counts = []
    for page in range(MAX_IN_DOCUMENT // MAX_ON_PAGE + 1):
        maker.begin_page()
        images = [maker.make(patch(page, number)) for number in range(MAX_ON_PAGE + 1)]
        counts.append(sum(map(bool, images)))

    assert counts == [MAX_ON_PAGE] * (MAX_IN_DOCUMENT // MAX_ON_PAGE) + [0]


def patch(page: int, number: int) -> Picture:
    return np.full((16, 16, 3), (10 * page, 10 * number, 0), dtype=np.uint8)


def pixels(image: Image.Image) -> Picture:
    return np.ascontiguousarray(np.asarray(image.convert("RGB"))[:, :, ::-1])
