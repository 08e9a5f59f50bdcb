import gc
import io
from email.message import EmailMessage

import pytest

from indexing.partition.mail.parts import children, mail_of, part_text
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


def test_parts_within_parts_without_end_are_refused() -> None:
    part = b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n"
    mail = b"".join(part % (n, n) for n in range(5000))
    # Or what other tests have left is finalised where the stack has no room, and fails there.
    gc.collect()

    with pytest.raises(DocumentUnreadable, match="nested too deeply"):
        mail_of(io.BytesIO(mail))
