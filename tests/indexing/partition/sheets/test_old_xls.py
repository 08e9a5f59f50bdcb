import struct
from pathlib import Path

import pytest

from indexing.partition.sheets.old_xls import open_xls_file
from indexing.partition.sheets.xls import open_xls
from tests.files.xls_writer import record, write_old_xls, write_xls

RUSSIAN = ["Склад", " штук", "Насосы для воды", "Фильтры и шланги", "Запасные части"]


@pytest.mark.parametrize(
    ("texts", "code_page", "encoding"),
    [
        pytest.param(["在庫", " 個", "ポンプ", "表示ソフト"], 932, "cp932", id="Japanese"),
        pytest.param(["库存", " 件", "数量与价格", "泵"], 936, "gbk", id="Chinese"),
        pytest.param(["재고", " 개", "수량 합계", "펌프"], 949, "cp949", id="Korean"),
        pytest.param(["Přehled", " židlí", "stůl", "křeslo"], 1250, "cp1250", id="Czech"),
        pytest.param(["Übersicht", " Stück", "Café", "Öl"], 0x8000, "mac_roman", id="Macintosh"),
        pytest.param(RUSSIAN, None, "cp1251", id="no code page"),
        pytest.param(RUSSIAN, 1200, "cp1251", id="code page of other workbooks"),
        pytest.param(["Größe", " €", "Maß", "Öl"], 1252, "utf-8", id="UTF-8 all the same"),
    ],
)
def test_texts_of_old_workbooks_come_in_any_code_page(
    texts: list[str], code_page: int | None, encoding: str, tmp_path: Path
) -> None:
    path = write_old_xls(tmp_path, [text.encode(encoding) for text in texts], code_page)

    (page,) = open_xls(path).pages

    name, unit, *labels = texts
    (block,) = page.blocks
    assert page.label == name
    rows = f"{block.header}\n{block.text}".strip().split("\n")
    assert rows == [f"{label} | 7{unit}" for label in labels]


def test_a_unit_before_the_number_makes_no_date_of_it(tmp_path: Path) -> None:
    cells = [record(0x203, struct.pack("<HHHd", 0, 0, 0, 7))]

    (page,) = open_xls(write_xls(tmp_path, {164: '"day "0'}, cells, is_old=True)).pages

    assert [block.text for block in page.blocks] == ["day 7"]


def test_texts_with_several_fonts_and_of_formulas_come(tmp_path: Path) -> None:
    rich = struct.pack("<4H", 0, 0, 0, 4) + b"Pump" + b"\x01\x02\x05"
    formula = struct.pack("<HHH8sHIH", 0, 1, 0, b"\0\0\0\0\0\0\xff\xff", 0, 0, 0)
    cells = [record(0xD6, rich), record(0x06, formula), record(0x207, b"\x04\0five")]

    (page,) = open_xls(write_xls(tmp_path, {}, cells, is_old=True)).pages

    assert page.blocks[0].text == "Pump | five"


def test_a_later_workbook_is_no_copy(tmp_path: Path) -> None:
    path = write_xls(tmp_path, {}, [], is_old=False)

    with open_xls_file(path) as file:
        assert file.read() == path.read_bytes()
