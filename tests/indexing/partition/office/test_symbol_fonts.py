import pytest

from indexing.partition.office.symbol_fonts import sign, with_signs


@pytest.mark.parametrize(
    ("font", "code", "character"),
    [
        pytest.param("Wingdings", 0xF0FC, "✓", id="check mark"),
        pytest.param("wingdings", 0xFE, "☑", id="checked box"),
        pytest.param("Wingdings", 0xF0A8, "◻", id="box"),
        pytest.param("Wingdings", 0xF0E0, "→", id="arrow"),
        pytest.param("Wingdings", 0xF0DF, "←", id="arrow back"),
        pytest.param("Wingdings 2", 0xF050, "✓", id="check mark of the second font"),
        pytest.param("Wingdings 2", 0xF052, "☑", id="checked box of the second font"),
        pytest.param("Symbol", 0xF0B7, "•", id="bullet"),
        pytest.param("Symbol", 0xF061, "α", id="first Greek letter"),
        pytest.param("Symbol", 0xF07A, "ζ", id="last Greek letter of the row"),
        pytest.param("Symbol", 0xF057, "Ω", id="capital Greek letter"),
        pytest.param("Symbol", 0xF0A3, "≤", id="at most"),
        pytest.param("Symbol", 0xF0B3, "≥", id="at least"),
        pytest.param("Symbol", 0xF0AE, "→", id="arrow of mathematics"),
        pytest.param("Symbol", 0xF0D6, "√", id="root"),
        pytest.param("Symbol", 0xF0E5, "∑", id="sum"),
        pytest.param("Symbol", 0xF0F2, "∫", id="integral"),
        pytest.param("MS Gothic", 0x2612, "☒", id="character of any font"),
        pytest.param("Wingdings", 0xF023, "", id="sign without meaning"),
        pytest.param("Marlett", 0xF061, "", id="sign of another font"),
        pytest.param("MS Gothic", 0xD800, "", id="half of a character"),
        pytest.param("MS Gothic", 7, "", id="control character"),
    ],
)
def test_a_sign_is_the_character_that_looks_like_it(font: str, code: int, character: str) -> None:
    assert sign(font, code) == character


@pytest.mark.parametrize(
    ("font", "text", "meaning"),
    [
        pytest.param("Symbol", "\uf061 or a", "α or a", id="beside letters"),
        pytest.param("Wingdings", "\uf023\uf0fc", "✓", id="beside a sign without meaning"),
        pytest.param("Corporate", "\uf061", "\uf061", id="of a font that is not known"),
    ],
)
def test_signs_within_a_text_are_written_in_unicode(font: str, text: str, meaning: str) -> None:
    assert with_signs(font, text) == meaning
