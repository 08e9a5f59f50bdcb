import base64

import pytest

from indexing.partition.mail.transfer import decode_base64, decode_quoted_printable

LAMPS = "The forty lanterns arrive on Thursday, fünf Kisten in all.".encode()
ENCODED = base64.encodebytes(LAMPS)
ONE_LINE = base64.b64encode(LAMPS)


@pytest.mark.parametrize(
    ("content", "decoded"),
    [
        pytest.param(ENCODED, LAMPS, id="as it should be"),
        pytest.param(b"", b"", id="nothing"),
        pytest.param(b"  " + ENCODED.replace(b"\n", b"\r\n  "), LAMPS, id="indented"),
        pytest.param(ONE_LINE[:40] + b" " + ONE_LINE[40:], LAMPS, id="cut by blanks"),
        pytest.param(ENCODED.replace(b"b", b"b!", 1), LAMPS, id="a stray letter"),
        pytest.param(ENCODED.rstrip(b"=\n"), LAMPS, id="not filled up"),
        pytest.param(ENCODED + b"TGFtcHM=\n", LAMPS + b"Lamps", id="two pieces"),
        pytest.param(ENCODED[:61], LAMPS[:45], id="cut off"),
        pytest.param(
            ENCODED + b"_____\nTo leave\n",
            LAMPS + b"\n_____\nTo leave\n",
            id="footer",
        ),
        pytest.param(b"It is as it stands.\n", b"It is as it stands.\n", id="not encoded"),
    ],
)
def test_base64_is_decoded_however_it_is_written(content: bytes, decoded: bytes) -> None:
    assert decode_base64(content) == decoded


@pytest.mark.parametrize(
    ("content", "decoded"),
    [
        pytest.param(b"f=C3=BCnf= \r\n Kisten= ", "fünf Kisten".encode(), id="blanks behind"),
        pytest.param(b"5=5 =ZZ", b"5=5 =ZZ", id="no code"),
    ],
)
def test_quoted_printable_is_decoded_however_it_is_written(content: bytes, decoded: bytes) -> None:
    assert decode_quoted_printable(content) == decoded


@pytest.mark.parametrize("content", [b"=" * 10**6, b"= " * 10**6, b"A" * 10**6, b"A=!" * 10**6])
def test_odd_letters_without_end_take_no_time(content: bytes) -> None:
    assert len(decode_base64(content)) <= len(content)
    assert len(decode_quoted_printable(content)) <= len(content)
