import io

import pytest

from indexing.partition.mail.wrapping import unwrapped

MAIL = b"Subject: Oil\n\nLamp oil.\n"


@pytest.mark.parametrize(
    ("content", "mail"),
    [
        pytest.param(MAIL, MAIL, id="a mail"),
        pytest.param(b"\r\n \n" + MAIL, MAIL, id="below blank lines"),
        pytest.param(
            b"24        \n" + MAIL + b"<plist/>\n", MAIL, id="as Apple's program keeps it"
        ),
        pytest.param(b"\nLamp oil.\n", b"\nLamp oil.\n", id="without heads"),
        pytest.param(b"24\nLamp oil.\n", b"24\nLamp oil.\n", id="without heads, a number"),
    ],
)
def test_a_mail_begins_with_its_heads(content: bytes, mail: bytes) -> None:
    assert unwrapped(io.BytesIO(content)).read() == mail
