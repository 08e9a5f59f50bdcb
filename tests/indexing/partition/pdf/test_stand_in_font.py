import io

from PIL import Image, ImageDraw, ImageFont

from indexing.partition.pdf.stand_in_font import HIGHEST, LOWEST, SQUARE, stand_in_font


def test_each_letter_is_a_square_in_which_nothing_is_seen() -> None:
    font = ImageFont.truetype(io.BytesIO(stand_in_font()), SQUARE)
    picture = Image.new("L", (2 * SQUARE, 2 * SQUARE))

    for letter in "第개円A\U00020000":
        left, top, right, bottom = font.getbbox(letter, anchor="ls")
        assert (left, top, right, bottom) == (0, -HIGHEST, SQUARE, -LOWEST)
        ImageDraw.Draw(picture).text((0, SQUARE), letter, fill=255, font=font, anchor="ls")

    assert sum(value > 127 for value in picture.tobytes()) < 4
