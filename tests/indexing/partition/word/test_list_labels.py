import pytest

from indexing.partition.word.list_labels import in_script


@pytest.mark.parametrize(
    ("number_format", "value", "text"),
    [
        pytest.param("chineseCountingThousand", 3, "三", id="Chinese"),
        pytest.param("japaneseCounting", 10, "十", id="ten"),
        pytest.param("chineseCounting", 12, "十二", id="twelve"),
        pytest.param("taiwaneseCounting", 23, "二十三", id="twenty-three"),
        pytest.param("ideographDigital", 10, "一〇", id="digits"),
        pytest.param("ideographTraditional", 2, "乙", id="stems"),
        pytest.param("russianLower", 4, "г", id="Russian"),
        pytest.param("ganada", 2, "나", id="Korean"),
        pytest.param("aiueoFullWidth", 6, "カ", id="Japanese"),
        pytest.param("iroha", 2, "ﾛ", id="Japanese of half width"),
        pytest.param("arabicAlpha", 3, "ت", id="Arabic"),
        pytest.param("hebrew1", 15, "טו", id="Hebrew"),
        pytest.param("hebrew1", 21, "כא", id="Hebrew of two letters"),
        pytest.param("thaiNumbers", 12, "๑๒", id="Thai"),
        pytest.param("koreanCounting", 23, "이십삼", id="Korean numbers"),
        pytest.param("japaneseLegal", 11, "壱拾壱", id="numbers of contracts"),
        pytest.param("hex", 26, "1A", id="hexadecimal"),
        pytest.param("decimalEnclosedParen", 2, "⑵", id="enclosed"),
        pytest.param("decimalEnclosedParen", 21, None, id="no more of them"),
        pytest.param("hebrew2", 23, "אא", id="doubled"),
        pytest.param("hebrew2", 10_000, None, id="too many letters"),
        pytest.param("upperRoman", 4, None, id="of this script"),
        pytest.param("chineseCounting", 0, None, id="none"),
    ],
)
def test_numbers_are_written_in_other_scripts(
    number_format: str, value: int, text: str | None
) -> None:
    assert in_script(value, number_format) == text
