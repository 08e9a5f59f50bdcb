import pytest

from indexing.partition.texts.east_asian import LEAST_USUAL, best_east_asian

NAMES_OF_JAPAN = "氏名,住所\n山田太郎,東京都新宿区西新宿\n鈴木一郎,大阪府大阪市北区梅田\n"
GOODS_OF_JAPAN = "商品;金額\n醤油;300\n味噌;450\n昆布;800\n"
NAMES_OF_CHINA = "姓名,电话\n王小明,13800000000\n李娜,13900000000\n"
GOODS_OF_CHINA = "产品;数量\n螺丝;100\n钢管;20\n水泵;3\n"
NAMES_OF_TAIWAN = "姓名,電話\n王小明,0912345678\n陳怡君,0922333444\n"
GOODS_OF_TAIWAN = "產品;數量\n螺絲;100\n鋼管;20\n水泵;3\n"
NAMES_OF_KOREA = "이름,주소\n김철수,서울특별시 강남구\n박영희,부산광역시 해운대구\n"


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp932", NAMES_OF_JAPAN),
        ("cp932", GOODS_OF_JAPAN),
        ("euc_jp", NAMES_OF_JAPAN),
        ("euc_jp", GOODS_OF_JAPAN),
        ("gb18030", NAMES_OF_CHINA),
        ("gb18030", GOODS_OF_CHINA),
        ("big5", NAMES_OF_TAIWAN),
        ("big5", GOODS_OF_TAIWAN),
        ("cp949", NAMES_OF_KOREA),
        ("cp932", "価格(円)\n100\n"),
    ],
)
def test_lists_without_sentences_are_told(encoding: str, text: str) -> None:
    found, usual = best_east_asian(text.encode(encoding))

    assert found == encoding
    assert usual >= LEAST_USUAL


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        pytest.param("cp850", "Der Schlüssel hängt über der Tür.", id="German of DOS"),
        pytest.param("mac_roman", "Pakken har én afhængighed.", id="Danish of Macintosh"),
        pytest.param("iso8859_2", "Rozman d.o.o.\nŽižek d.o.o.\n", id="Slovene"),
        pytest.param("cp1251", "Договор аренды заключён.", id="Russian"),
        pytest.param("cp874", "สัญญาเช่าสิ้นสุดในเดือนมีนาคม", id="Thai"),
    ],
)
def test_letters_of_others_are_no_usual_characters(encoding: str, text: str) -> None:
    _, usual = best_east_asian(text.encode(encoding))

    assert usual < LEAST_USUAL


def test_a_character_that_is_cut_at_the_end_is_no_broken_one() -> None:
    assert best_east_asian("山田".encode("cp932") + b"\x91")[0] == "cp932"
