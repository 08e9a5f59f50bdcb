from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from indexing.ocr import recognize
from indexing.vietnamese import is_vietnamese

DEJAVU = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


def test_what_is_left_of_vietnamese_is_known_by_its_horned_letters() -> None:
    assert is_vietnamese(["Hp đồng thuê nhà đưc lp", "ngày mưi hai tháng ba. Ngưi thuê phi tr"])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Đak je čekao žućkasti džemper, a kuća je već prodana", id="Croatian"),
        pytest.param("Această înțelegere începe în luna mai și ține până la vară", id="Romanian"),
        pytest.param("Sơn, Hương and Phương " + "have signed the lease " * 30, id="some names"),
    ],
)
def test_others_that_write_alike_are_not_vietnamese(text: str) -> None:
    assert not is_vietnamese([text])


@pytest.mark.skipif(not DEJAVU.exists(), reason="needs the fonts of fonts-dejavu-core")
def test_a_picture_in_vietnamese_is_said_to_have_letters_that_are_not_known() -> None:
    picture = Image.new("RGB", (900, 200), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.truetype(DEJAVU, 26)
    draw.text((30, 30), "Hợp đồng thuê nhà được lập ngày mười hai tháng ba.", "black", font)
    draw.text((30, 90), "Người thuê phải trả tiền nước cho bên cho thuê.", "black", font)

    reading = recognize(np.asarray(picture))

    assert reading.lines
    assert reading.has_unknown_letters
