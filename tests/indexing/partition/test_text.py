import pytest

from indexing.partition.text import clean_line, clean_text, document_title, without_terminal_codes


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        pytest.param("one\r\ntwo\rthree", "one\ntwo\nthree", id="line ends"),
        pytest.param("a\x00b\x07c", "abc", id="control characters"),
        pytest.param("a\ud800b\ufffe", "ab", id="lone surrogate and non-character"),
        pytest.param("ware\xadhouse", "warehouse", id="soft hyphen"),
        pytest.param("12\xa0000 \t pounds", "12 000 pounds", id="wide spaces"),
        pytest.param("well-known fact", "well-known fact", id="plain text is kept"),
    ],
)
def test_text_is_cleaned(text: str, cleaned: str) -> None:
    assert clean_text(text) == cleaned


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("\x1b[32mINFO\x1b[0m ready", "INFO ready", id="colour"),
        pytest.param("\x1b[1;38;2;255;0;0mred\x1b[m", "red", id="several numbers"),
        pytest.param("\x1b[?25l\x1b[2K50 %\x1b[1A", "50 %", id="cursor"),
        pytest.param("\x1b]0;shell\x07make all", "make all", id="title"),
        pytest.param("\x1b]8;;http://a.b/\x1b\\link\x1b]8;;\x1b\\", "link", id="link"),
        pytest.param("bold\x1b(B\x1b[m.", "bold.", id="letter set"),
        pytest.param("l\x08ls\x08s", "ls", id="bold"),
        pytest.param("\u00e9\x08\u00e9\x08\u00e9", "\u00e9", id="bolder"),
        pytest.param("_\x08F_\x08I_\x08L_\x08E_\x08__\x08X", "FILE_X", id="underlined"),
        pytest.param("F\x08_I\x08_", "FI", id="underlined later"),
        pytest.param("[32m is green", "[32m is green", id="brackets alone"),
        pytest.param("\x1b]0;no end\nmake", "\x1b]0;no end\nmake", id="title without an end"),
    ],
)
def test_what_was_written_for_a_terminal_is_read_as_it_shows_it(text: str, shown: str) -> None:
    assert without_terminal_codes(text) == shown


def test_a_line_holds_no_line_ends() -> None:
    assert clean_line(" January–\nJune \n2023 ") == "January– June 2023"


@pytest.mark.parametrize(
    ("value", "title"),
    [
        pytest.param("Warehouse Lease, 14 Dock Road", "Warehouse Lease, 14 Dock Road", id="title"),
        pytest.param("見積書", "見積書", id="three characters that are words"),
        pytest.param("2024年度 予算", "2024年度 予算", id="characters beside a year"),
        pytest.param("12 年 2024", "", id="hardly more than numbers"),
        pytest.param("Microsoft Word - lease.doc", "", id="print job"),
        pytest.param("lease_final.docx", "", id="file name"),
        pytest.param("0001018724-18-000005", "", id="serial number"),
        pytest.param("PowerPoint Presentation", "", id="default of the program"),
        pytest.param("(anonymous)", "", id="default of a library"),
        pytest.param("", "", id="none"),
    ],
)
def test_a_title_is_one_that_a_person_wrote(value: str, title: str) -> None:
    assert document_title(value) == title
