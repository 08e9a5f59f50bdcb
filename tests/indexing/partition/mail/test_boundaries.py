import base64
import io

import pytest

from indexing.partition.mail.boundaries import is_unparted, parted
from indexing.partition.mail.parts import children, mail_of, part_text

PARTS = b"--inner\nContent-Type: text/plain\n\nTwo lamps\n--inner--\n"


@pytest.mark.parametrize(
    "mail",
    [
        pytest.param(b"Content-Type: multipart/mixed; boundary=outer\n\n" + PARTS, id="another"),
        pytest.param(b"Content-Type: multipart/mixed\n\n" + PARTS, id="none is named"),
        pytest.param(
            b"Content-Type: multipart/mixed; boundary=inner\n"
            b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(PARTS),
            id="encoded as a whole",
        ),
    ],
)
def test_the_parts_of_a_mail_that_says_wrongly_where_they_end_are_found(mail: bytes) -> None:
    read = mail_of(io.BytesIO(mail))

    assert is_unparted(read)
    assert [part_text(one) for one in children(parted(read))] == ["Two lamps"]


def test_what_has_no_parts_at_all_is_text() -> None:
    mail = mail_of(io.BytesIO(b"Content-Type: multipart/mixed; boundary=x\n\n-- \nTwo lamps"))

    assert part_text(parted(mail)) == "-- \nTwo lamps"


def test_a_mail_with_the_parts_that_it_names_is_left_as_it_is() -> None:
    mail = b"Content-Type: multipart/mixed; boundary=inner\n\n" + PARTS

    assert not is_unparted(mail_of(io.BytesIO(mail)))
