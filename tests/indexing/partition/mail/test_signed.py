import base64
from collections.abc import Callable
from pathlib import Path

import pytest

from indexing.partition.mail.content import SEALED
from indexing.partition.mail.internet import open_eml
from indexing.partition.mail.signed import SIGNED_DATA, signed_content

DATA = bytes.fromhex("2a864886f70d010701")
ENVELOPED = bytes.fromhex("2a864886f70d010703")
MAIL = b"Content-Type: text/plain\r\n\r\nThe lamps are paid.\r\n"


def element(tag: int, content: bytes) -> bytes:
    size = len(content)
    return bytes([tag, *([size] if size < 128 else [0x82, size >> 8, size & 255])]) + content


def open_element(tag: int, content: bytes) -> bytes:
    return bytes([tag, 0x80]) + content + b"\0\0"


def message(
    octets: bytes,
    kind: bytes = SIGNED_DATA,
    wrap: Callable[[int, bytes], bytes] = element,
) -> bytes:
    data = wrap(0x30, element(6, DATA) + wrap(0xA0, octets))
    signed = wrap(0x30, element(2, b"\1") + element(0x31, b"") + data + element(0x31, b""))
    return wrap(0x30, element(6, kind) + wrap(0xA0, signed))


WHOLE = message(element(4, MAIL))


@pytest.mark.parametrize(
    ("wrapped", "content"),
    [
        pytest.param(WHOLE, MAIL, id="of a stated size"),
        pytest.param(
            message(
                open_element(0x24, element(4, MAIL[:9]) + element(4, MAIL[9:])), wrap=open_element
            ),
            MAIL,
            id="in pieces of open size",
        ),
        pytest.param(message(element(4, b"x" * 300)), b"x" * 300, id="long"),
        pytest.param(message(element(4, MAIL), ENVELOPED), None, id="encrypted"),
        pytest.param(WHOLE[:60], None, id="cut off"),
        pytest.param(open_element(0x30, b"\x30\x80" * 99), None, id="deep"),
        pytest.param(b"", None, id="empty"),
        pytest.param(b"no such message", None, id="another file"),
    ],
)
def test_what_was_signed_is_taken_out(wrapped: bytes, content: bytes | None) -> None:
    assert signed_content(wrapped) == content


HEAD = b"Subject: Lamps\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n"
KIND = b"Content-Type: application/pkcs7-mime; smime-type=signed-data; name=smime.p7m\n\n"


def test_a_mail_within_its_signature_is_read(tmp_path: Path) -> None:
    (tmp_path / "mail.eml").write_bytes(HEAD + KIND + base64.encodebytes(WHOLE))

    [page] = open_eml(tmp_path / "mail.eml").pages

    assert [block.text for block in page.blocks] == ["Lamps", "The lamps are paid."]


def test_a_file_within_its_signature_is_no_mail(tmp_path: Path) -> None:
    signed = base64.encodebytes(message(element(4, b"%PDF-1.7\n1 0 obj\n")))
    (tmp_path / "mail.eml").write_bytes(HEAD + KIND + signed)

    *_, rest = open_eml(tmp_path / "mail.eml").pages

    assert rest.warning == SEALED
