import pytest

from indexing.partition.texts.stated_encoding import (
    decode_stated,
    fitting_codec,
    is_hardly_western,
    wider_codec,
)

JAPANESE = b"\x1b$B2q5D\x1b(B 1\x1b(J2 \x1b$B-!\x1b(I6E\x1b(B"


@pytest.mark.parametrize(
    ("content", "name", "text"),
    [
        pytest.param("5 €".encode("cp1252"), "iso-8859-1", "5 €", id="Western of Windows"),
        pytest.param("Größe".encode(), "iso-8859-1", "Größe", id="UTF-8 that says otherwise"),
        pytest.param("Größe".encode("cp1252"), "us-ascii", "Größe", id="no ASCII at all"),
        pytest.param("Příliš žlutý".encode("cp1250"), "us-ascii", "Příliš žlutý", id="as it reads"),
        pytest.param("Привет".encode("cp1251"), "iso-8859-1", "Привет", id="not even Western"),
        pytest.param("안녕하세요".encode("cp949"), "windows-1252", "안녕하세요", id="no alphabet"),
        pytest.param("§§§§ ÄÖÜß ···· é".encode("cp1252"), "latin-1", "§§§§ ÄÖÜß", id="signs"),
        pytest.param("Größe".encode("cp1252"), "klingon", "Größe", id="no encoding"),
        pytest.param("朱镕基".encode("gbk"), "gb2312", "朱镕基", id="more Chinese"),
        pytest.param("啫喱".encode("big5hkscs"), "big5", "啫喱", id="Chinese of Hong Kong"),
        pytest.param("똠방각하".encode("cp949"), "ks_c_5601-1987", "똠방각하", id="more Korean"),
        pytest.param("שלום".encode("cp1255"), "ISO-8859-8-I", "שלום", id="Hebrew of mails"),
        pytest.param("ё".encode("koi8-r"), "koi8-r", "ё", id="as it says"),
        pytest.param("Łódź".encode("mac_latin2"), "x-mac-ce", "Łódź", id="Macintosh"),
        pytest.param(JAPANESE, "iso-2022-jp", "会議 12 ①ｶﾅ", id="Japanese with signs of Windows"),
        pytest.param(b"\x1b$B2q5\n\x1b(B\xff", "iso-2022-jp", "会\n", id="damaged"),
    ],
)
def test_text_is_in_the_encoding_it_names_or_in_a_wider_one(
    content: bytes, name: str, text: str
) -> None:
    assert decode_stated(content, name).startswith(text)


@pytest.mark.parametrize("name", ["", "base64", "klingon", "a\0b"])
def test_other_names_are_no_codecs(name: str) -> None:
    assert wider_codec(name) == ""


@pytest.mark.parametrize(
    ("content", "name", "codec"),
    [
        pytest.param("Größe".encode("cp1252"), "latin-1", "cp1252", id="as stated, wider"),
        pytest.param("Größe".encode(), "windows-1252", "utf-8", id="UTF-8"),
        pytest.param("für Größe".encode("cp1252"), "utf-8", "cp1252", id="as it reads best"),
        pytest.param(b"plain", "", "utf-8", id="nothing stated"),
        pytest.param(b"plain " * 20_000 + "für".encode("cp1252"), "", "cp1252", id="far behind"),
        pytest.param(JAPANESE, "iso-2022-jp", "iso2022_jp", id="signs of Windows"),
    ],
)
def test_the_codec_is_the_one_that_fits(content: bytes, name: str, codec: str) -> None:
    assert fitting_codec(content, name) == codec


def test_letters_of_the_west_seldom_stand_together() -> None:
    assert is_hardly_western("добрый день".encode("cp1251"))
    assert not is_hardly_western("Führer durch die Ägäis: Größe".encode("cp1252"))
    assert not is_hardly_western(b"plain \xb7\xb7\xb7\xb7\xb7\xb7 text")
