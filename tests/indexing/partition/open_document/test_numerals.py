import pytest

from indexing.partition.open_document.numerals import number_of_level

STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"


@pytest.mark.parametrize(
    ("kind", "number", "text"),
    [
        ("1", 14, "14"),
        ("A", 28, "AB"),
        ("I", 4, "IV"),
        ("一, 二, 三, ...", 12, "十二"),
        ("甲, 乙, 丙, ...", 3, "丙"),
        ("甲, 乙, 丙, ...", 99_999, "99999"),
        ("①, ②, ③, ...", 11, "⑪"),
        ("①, ②, ③, ...", 21, "21"),
        ("ア, イ, ウ, ...", 6, "カ"),
        ("イ, ロ, ハ, ...", 4, "ニ"),
        ("가, 나, 다, ...", 4, "라"),
        ("א, י, ק, ...", 21, "כא"),
        ("أ, ب, ت, ...", 6, "ح"),
        ("ก, ข, ค, ...", 4, "ง"),
        ("А, Б, .., Аа, Аб, ... (ru)", 26, "Ы"),
        ("а, б, .., аа, аб, ... (ru)", 31, "аб"),
        ("А, Б, .., Аа, Бб, ... (ru)", 31, "Бб"),
        ("А, Б, .., Аа, Аб, ... (sr)", 6, "Ђ"),
        ("а, б, .., аа, бб, ... (bg)", 30, "бб"),
        ("Α, Β, ... (gr)", 26, "ΚΣΤ"),
        ("α, β, ... (gr)", 90, "90"),
        ("01, 02, 03, ...", 7, "07"),
        ("001, 002, 003, ...", 1234, "1234"),
        ("١, ٢, ٣, ...", 20, "٢٠"),
        ("१, २, ३, ...", 35, "३५"),
        ("*, †, ‡, §, **, ††, ...", 2, "2"),
        ("2, 3", 2, "2"),
        (f"{'0' * 9999}1, ...", 2, "2"),
        ("א, י, ק, ...", 0, "0"),
        ("", 1, ""),
    ],
)
def test_a_format_is_told_by_its_name_or_how_it_begins(kind: str, number: int, text: str) -> None:
    assert number_of_level(number, {f"{STYLE}num-format": kind}) == text


def test_letters_are_doubled_behind_z_where_the_level_says_so() -> None:
    level = {f"{STYLE}num-format": "A", f"{STYLE}num-letter-sync": "true"}

    assert [number_of_level(number, level) for number in (2, 28, 53)] == ["B", "BB", "AAA"]


def test_a_level_without_format_shows_no_number() -> None:
    assert number_of_level(1, {}) == ""
