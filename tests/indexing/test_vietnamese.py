import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from indexing.ocr import recognize
from indexing.tesseract import VIETNAMESE, script_of
from indexing.vietnamese import is_vietnamese
from tests.fonts import DEJAVU, needs_dejavu


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Hp đồng thuê nhà đưc lp ngày mưi hai tháng ba. Ngưi phi tr", id="horned"),
        pytest.param("Thông báo: ca hàng đóng ca t ngày 5 đn ngày 9 tháng 2", id="ng"),
        pytest.param("Hàng tháng s lưng đưc ghi vào s, và ngưi quản lí sě kí", id="a tone misread"),
        pytest.param("Đơn v Đơn giá Ra xe lǎn Thay đng cơ lǎn Vá không săm", id="tones misread"),
        pytest.param("Báo cáo thưng niên và chi phí cao hơn d kin", id="two words"),
        pytest.param("Đc lp, t do, hnh phúc. S lưng: năm chic", id="words without vowels"),
    ],
)
def test_what_is_left_of_vietnamese_is_known_by_what_others_do_not_write(text: str) -> None:
    assert is_vietnamese([text])


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("Đak je čekao žućkasti džemper, a kuća je već prodana", id="Croatian"),
        pytest.param("Această înțelegere începe în luna mai și ține până la vară", id="Romanian"),
        pytest.param("Běijīng chéng de lóng zài fáng dǐng shàng, kàn zhe tíng", id="pinyin"),
        pytest.param("Sơn and Hương have signed the lease", id="names in a short text"),
        pytest.param("Strč prst skrz krk, vlk zmrzl, pán tam byl", id="Czech without vowels"),
        pytest.param("Qtd Vl Un Pç Água 2 lt Pão kg Café gr", id="Portuguese abbreviations"),
        pytest.param("Sơn, Hương and Phương " + "have signed the lease " * 30, id="some names"),
    ],
)
def test_others_that_write_alike_are_not_vietnamese(text: str) -> None:
    assert not is_vietnamese([text])


@needs_dejavu
def test_a_picture_in_vietnamese_is_read_whole_or_said_to_have_unknown_letters() -> None:
    text = ["Hợp đồng thuê nhà được lập ngày mười hai", "Người thuê phải trả tiền nước."]
    picture = Image.new("RGB", (900, 200), "white")
    draw, font = ImageDraw.Draw(picture), ImageFont.truetype(DEJAVU, 26)
    for number, line in enumerate(text):
        draw.text((30, 30 + 60 * number), line, "black", font)

    reading = recognize(np.asarray(picture))

    is_whole = [line.text for line in reading.lines] == text
    assert is_whole is (script_of(VIETNAMESE) is not None)
    assert reading.has_unknown_letters is not is_whole
