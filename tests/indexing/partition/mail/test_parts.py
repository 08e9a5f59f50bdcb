import base64
import gc
import io
from email.message import EmailMessage

import pytest

from indexing.partition.mail.parts import (
    MAX_DEPTH,
    children,
    mail_of,
    mail_within,
    part_bytes,
    part_text,
)
from indexing.partition.unreadable import DocumentUnreadable


def test_the_parts_of_a_mail_are_decoded() -> None:
    mail = EmailMessage()
    mail.set_content("Fünf Kisten", cte="base64")
    mail.add_attachment("Größe", filename="size.txt", charset="iso-8859-1", cte="quoted-printable")

    parts = children(mail_of(io.BytesIO(bytes(mail))))

    assert [part_text(one).strip() for one in parts] == ["Fünf Kisten", "Größe"]


def test_a_line_that_a_program_has_wrapped_is_whole() -> None:
    mail = mail_of(io.BytesIO(b"Content-Type: text/plain; format=Flowed\n\nIt \narrives."))

    assert part_text(mail) == "It arrives."


@pytest.mark.parametrize("name", ["idna", "punycode", "undefined", "zlib", "none such"])
def test_an_encoding_that_is_none_of_texts_costs_no_mail(name: str) -> None:
    head = f'Content-Type: text/plain; charset="{name}"\n\n'.encode()
    mail = mail_of(io.BytesIO(head + "Fünf Kisten".encode("cp1252")))

    assert children(mail) == []
    assert part_text(mail) == "Fünf Kisten"


def test_parts_within_parts_without_end_are_refused() -> None:
    part = b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n"
    mail = b"".join(part % (n, n) for n in range(5000))
    # Or what other tests have left is finalised where the stack has no room, and fails there.
    gc.collect()

    with pytest.raises(DocumentUnreadable, match="nested too deeply"):
        mail_of(io.BytesIO(mail))


def test_a_mail_within_that_is_encoded_as_a_whole_is_read() -> None:
    mail = b"Subject: Lamps\n\nThe lamps."
    for _ in range(2):
        head = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
        mail = head + base64.encodebytes(mail)

    (within,) = mail_within(mail_of(io.BytesIO(mail)))
    (lamps,) = mail_within(within)

    assert (lamps["Subject"], lamps.depth) == ("Lamps", 2)


def test_mails_within_that_are_encoded_are_refused_where_they_are_too_deep() -> None:
    head = b"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n"
    mail = mail_of(io.BytesIO(head + base64.encodebytes(head)), MAX_DEPTH - 1)

    with pytest.raises(DocumentUnreadable, match="nested too deeply"):
        mail_within(mail)


def test_the_encoding_of_a_part_is_known_by_any_writing() -> None:
    mail = mail_of(io.BytesIO(b"Content-Transfer-Encoding: BASE64 \n\nTGFtcHM="))

    assert part_bytes(mail) == b"Lamps"
