from pathlib import Path

import pytest

from indexing.partition.texts.encoding import text_codec, text_encoding

GERMAN = "Die Straße nach München führt über Köln; die Gebühren betragen fünf Taler."
CZECH = "Příliš žluťoučký kůň úpěl ďábelské ódy."


@pytest.mark.parametrize("before", ["", "a"])
def test_a_long_text_is_not_misread_for_the_character_that_is_cut(
    before: str, tmp_path: Path
) -> None:
    text = before + "임대 계약은 3월에 종료됩니다. 임대료는 매월 지불됩니다. " * 2000
    (tmp_path / "text").write_bytes(text.encode("cp949"))

    assert text_encoding(tmp_path / "text") == "cp949"


@pytest.mark.parametrize("before", [b"", b"Subject: Rent\n\n"])
def test_korean_of_seven_bits_is_known_by_its_mark(before: bytes, tmp_path: Path) -> None:
    text = "임대 계약은 3월에 종료됩니다.\nRent: 1,200\n"
    (tmp_path / "text").write_bytes(before + text.encode("iso2022_kr"))

    found = text_encoding(tmp_path / "text")

    assert found is not None
    assert text in (tmp_path / "text").read_bytes().decode(found)


def test_binary_data_with_the_mark_of_korean_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(b"\x1b$)C" + bytes(range(256)))

    assert text_encoding(tmp_path / "data") is None


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-32-be"]
)
def test_unicode_is_known_by_its_form(encoding: str, tmp_path: Path) -> None:
    text = f"{GERMAN}\n"
    (tmp_path / "text").write_bytes(text.encode(encoding))

    found = text_encoding(tmp_path / "text")

    assert found is not None
    assert (tmp_path / "text").read_bytes().decode(found) == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(CZECH, id="Czech"),
        pytest.param("Договор аренды заключён\nмежду сторонами.", id="Russian"),
        pytest.param("חוזה השכירות מסתיים במרץ.", id="Hebrew"),
        pytest.param("租赁合同于三月结束。\n租金每月支付，一年一万二千英镑。\n", id="Chinese"),
        pytest.param("임대 계약은 3월에 종료됩니다.", id="Korean"),
        pytest.param("租金每月支付\n合同三月结束\n", id="short Chinese"),
        pytest.param("encyclopedias", id="one word"),
    ],
)
def test_unicode_of_any_script_is_known_without_its_mark(
    encoding: str, text: str, tmp_path: Path
) -> None:
    (tmp_path / "text").write_bytes(text.encode(encoding))

    assert text_encoding(tmp_path / "text") == encoding


def test_a_bad_byte_does_not_change_the_encoding(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes(CZECH.encode() * 20_000 + b"\xff" + CZECH.encode())

    assert text_encoding(tmp_path / "text") == "utf-8"


@pytest.mark.parametrize("before", ["", "plain text\n" * 100_000], ids=["short", "long"])
@pytest.mark.parametrize("text", ["Dove si paga? Là", "Un buon caffè", "Ce fut décidé, à l’été"])
def test_the_last_letter_of_a_text_tells_its_encoding_too(
    text: str, before: str, tmp_path: Path
) -> None:
    (tmp_path / "text").write_bytes((before + text).encode("cp1252"))

    assert text_encoding(tmp_path / "text") == "cp1252"


def test_a_character_that_is_cut_at_the_end_does_not_change_the_encoding(tmp_path: Path) -> None:
    (tmp_path / "text").write_bytes("Caffè à la crè".encode()[:-1])

    assert text_encoding(tmp_path / "text") == "utf-8"


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(bytes(range(256)), id="every byte"),
        pytest.param(b"text at first" * 100_000 + b"\0", id="a zero, far behind"),
        pytest.param(b"\x01\x02\x03\x04 controls", id="controls"),
        pytest.param(b"\xff\xfe" + b"\1\0\2\0" * 99, id="a mark of UTF-16 and controls"),
    ],
)
def test_binary_data_is_no_text(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(content)

    assert text_encoding(tmp_path / "data") is None


@pytest.mark.parametrize(
    ("stated", "codec"),
    [
        pytest.param("ISO-8859-15", "iso8859-15", id="known"),
        pytest.param("klingon", "", id="unknown"),
        pytest.param("zlib", "", id="no text"),
        pytest.param("punycode", "", id="of names"),
        pytest.param("unicode_escape", "", id="Python's own"),
        pytest.param("a\0b", "", id="no name"),
    ],
)
def test_a_stated_encoding_is_taken_if_it_is_one_of_text(stated: str, codec: str) -> None:
    assert text_codec(stated) == codec


def test_letters_printed_over_each_other_are_text(tmp_path: Path) -> None:
    (tmp_path / "manual").write_bytes(
        b"N\bNA\bAM\bME\bE\n     l\bls\bs - list _\bf_\bi_\bl_\be_\bs\n"
    )
    (tmp_path / "data").write_bytes(b"\b\b \b\n\b" * 9)

    assert text_encoding(tmp_path / "manual") == "utf-8"
    assert text_encoding(tmp_path / "data") is None
