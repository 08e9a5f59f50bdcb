import zipfile
from pathlib import Path

import pytest

from indexing.partition.sheets.mended_package import mended_package
from indexing.partition.sheets.spreadsheet import open_xlsx
from tests.files.hostile_packages import member, with_members

FILES = Path(__file__).parents[3] / "files"
PRICES = "price-list.xlsx"
RELATIONS = "xl/_rels/workbook.xml.rels"
NAMES = ' xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
SHARED_STRINGS = b"""<Relationship Id="rId99" Target="sharedStrings.xml"
Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"/>
</Relationships>"""


def test_damaged_styles_cost_no_text(tmp_path: Path) -> None:
    styles = member(PRICES, "xl/styles.xml")
    cut = {"xl/styles.xml": styles[: len(styles) * 9 // 10]}
    (tmp_path / PRICES).write_bytes(with_members(PRICES, cut))

    prices, discounts = open_xlsx(tmp_path / PRICES).pages

    assert "Storm lantern" in "\n".join(block.text for block in prices.blocks)
    assert "'xl/styles.xml' among them" in prices.warning
    assert discounts.blocks
    assert not discounts.warning


def test_of_texts_that_are_shared_those_before_the_damage_are_read(tmp_path: Path) -> None:
    relations = member(PRICES, RELATIONS).replace(b"</Relationships>", SHARED_STRINGS)
    cells = "".join(f'<c r="{"ABC"[n]}1" t="s"><v>{n}</v></c>' for n in range(3))
    sheet = f"<worksheet{NAMES}><sheetData><row r='1'>{cells}</row></sheetData></worksheet>"
    texts = "".join(f"<si><t>{text}</t></si>" for text in ("lamp", "oil", "wick"))
    members = {
        RELATIONS: relations,
        "xl/worksheets/sheet1.xml": sheet.encode(),
        "xl/sharedStrings.xml": f"<sst{NAMES}>{texts}".encode()[:-9],
    }
    (tmp_path / PRICES).write_bytes(with_members(PRICES, members))

    first, second = open_xlsx(tmp_path / PRICES).pages

    assert [block.text for block in first.blocks] == ["lamp | oil | wick"]
    assert "'xl/sharedStrings.xml' among them" in first.warning
    assert second.blocks


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/workbook.xml"])
def test_a_checksum_that_is_wrong_costs_nothing(part: str, tmp_path: Path) -> None:
    content = (FILES / PRICES).read_bytes()
    with zipfile.ZipFile(FILES / PRICES) as package:
        checksum = package.getinfo(part).CRC
    wrong = content.replace(checksum.to_bytes(4, "little"), bytes(4))
    (tmp_path / PRICES).write_bytes(wrong)

    found = list(open_xlsx(tmp_path / PRICES).pages)

    expected = open_xlsx(FILES / PRICES).pages
    assert [page.blocks for page in found] == [page.blocks for page in expected]
    assert f"{part!r} among them" in found[0].warning


def test_of_a_list_that_is_cut_off_no_sheet_is_lost(tmp_path: Path) -> None:
    relations = member(PRICES, RELATIONS)
    cut = {RELATIONS: relations[: relations.index(b"sheet2.xml")]}
    (tmp_path / PRICES).write_bytes(with_members(PRICES, cut))

    prices, found = open_xlsx(tmp_path / PRICES).pages

    _, discounts = open_xlsx(FILES / PRICES).pages
    assert (prices.label, found.label) == ("Prices", "sheet2.xml")
    assert found.blocks == discounts.blocks
    assert f"{RELATIONS!r} among them" in prices.warning


def test_a_workbook_is_read_that_the_package_does_not_name(tmp_path: Path) -> None:
    (tmp_path / PRICES).write_bytes(with_members(PRICES, {"_rels/.rels": b"<x"}))

    found = open_xlsx(tmp_path / PRICES).pages

    assert list(found) == list(open_xlsx(FILES / PRICES).pages)


def test_nothing_is_said_of_a_package_that_is_whole() -> None:
    package, warning = mended_package(FILES / PRICES, "xl/workbook.xml")

    with package, zipfile.ZipFile(package) as copy:
        assert copy.read("xl/workbook.xml") == member(PRICES, "xl/workbook.xml")
    assert warning == ""


def test_no_sheet_is_empty_because_libreoffice_refuses_what_it_says(tmp_path: Path) -> None:
    cell = '<c r="A1" t="inlineStr"><is><t>lamp & oil</t></is></c><c r="B1"><f>1+1</f></c>'
    sheet = f"<worksheet{NAMES}><sheetData><row r='1'>{cell}</row></sheetData></worksheet>"
    odd = {"xl/worksheets/sheet1.xml": sheet.encode()}
    (tmp_path / PRICES).write_bytes(with_members(PRICES, odd))

    first, _ = open_xlsx(tmp_path / PRICES).pages

    assert [block.text for block in first.blocks] == ["lamp & oil"]
    assert "formulas without values" in first.warning  # They are not computed either.
