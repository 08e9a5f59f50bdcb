import pytest

from indexing.partition.mail.attached_text import attached_kind, attached_text


@pytest.mark.parametrize(
    ("stated", "name", "content", "kind"),
    [
        pytest.param("text/plain", "a.pdf", b"x", "text/plain", id="as stated"),
        pytest.param("Image/PNG", "a.txt", b"x", "image/png", id="stated, whatever the name"),
        pytest.param("", "a.TXT", b"x", "text/plain", id="by its name"),
        pytest.param("application/octet-stream", "a.log", b"x", "text/plain", id="of any bytes"),
        pytest.param("", "a.txt", "x\ny z, w".encode("utf-16"), "text/plain", id="UTF-16"),
        pytest.param("", "a.ics", b"x", "text/calendar", id="calendar"),
        pytest.param("", "a.txt", b"\0\1\2", "", id="binary"),
        pytest.param("", "a.pdf", b"x", "", id="another name"),
        pytest.param("", "", b"x", "", id="no name"),
    ],
)
def test_an_attachment_of_no_stated_kind_is_text_by_its_name_and_bytes(
    stated: str, name: str, content: bytes, kind: str
) -> None:
    assert attached_kind(stated, name, content) == kind


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text_of_no_stated_encoding_is_decoded(encoding: str) -> None:
    assert attached_text("Fünf Kisten für Köln".encode(encoding)) == "Fünf Kisten für Köln"


def test_text_with_a_stray_byte_is_decoded() -> None:
    assert attached_text("Fünf\0".encode()) == "Fünf\0"
