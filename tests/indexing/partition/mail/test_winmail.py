import pytest

from indexing.partition.mail.content import Content, text_blocks
from indexing.partition.mail.winmail import DAMAGED, MAX_DEPTH, add_winmail, is_winmail
from indexing.partition.unreadable import DocumentUnreadable
from tests.files import tnef_writer as written
from tests.files.tnef_writer import mail_within, properties, tnef
from tests.indexing.partition.mail.test_outlook_body import PACKED_RTF

NAMED = "Attachments: winmail.dat"
MAIL = tnef((written.PROPERTIES, properties({0x1013: "Größe: <b>61".encode(), 0x3FDE: 65001})))


def read(packed: bytes, *, text: str = "") -> list[str]:
    content = Content(blocks=[*text_blocks(text)])
    add_winmail(content, "winmail.dat", packed)
    return [block.text for page in content.pages() for block in page.blocks]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", ["Größe: 61", NAMED], id="the only text"),
        pytest.param("Größe: 61", ["Größe: 61", NAMED], id="said before"),
    ],
)
def test_text_is_read_once(text: str, said: list[str]) -> None:
    assert read(MAIL, text=text) == said


def test_packed_rtf_is_read() -> None:
    packed = tnef((written.PROPERTIES, properties({0x1009: PACKED_RTF})))

    assert read(packed) == ["hello world", NAMED]


def test_what_is_attached_is_named_and_text_is_read() -> None:
    names = [properties({0x3707: name}) for name in ("../prices.txt", "list.pdf")]
    packed = tnef(
        *((written.NEXT_FILE, b""), (written.FILE, b"61")),
        (written.FILE_PROPERTIES, names[0]),
        *((written.NEXT_FILE, b""), (written.FILE_PROPERTIES, names[1])),
    )

    assert read(packed) == [
        *(f"{NAMED}, ../prices.txt, list.pdf", "Attachment: ../prices.txt", "61"),
    ]


def test_a_mail_within_is_read_with_its_heads() -> None:
    heads = {0x0037: "Lamps", 0x0C1A: "Ann", 0x0C1F: "ann@x", 0x0E04: "Ben", 0x1000: "Three."}
    within = tnef((written.PROPERTIES, properties(heads)))
    packed = tnef((written.NEXT_FILE, b""), (written.FILE_PROPERTIES, mail_within(within)))

    assert read(packed, text="See below.") == [
        *("See below.", "Lamps", "From: Ann <ann@x>\nTo: Ben", "Three.", f"{NAMED}, a mail"),
    ]


def test_mails_within_mails_without_end_are_refused() -> None:
    packed = tnef()
    for _ in range(MAX_DEPTH + 1):
        packed = tnef((written.NEXT_FILE, b""), (written.FILE_PROPERTIES, mail_within(packed)))

    with pytest.raises(DocumentUnreadable, match="nested too deeply"):
        read(packed)


@pytest.mark.parametrize(
    "packed",
    [
        pytest.param(b"damaged", id="altogether"),
        pytest.param(tnef(), id="cut off"),
        pytest.param(tnef((written.PROPERTIES, properties({0x1009: b"damaged"}))), id="its text"),
    ],
)
def test_a_text_that_is_damaged_is_told(packed: bytes) -> None:
    content = Content()

    add_winmail(content, "", packed)

    assert content.warnings == [DAMAGED]


def test_a_file_that_is_damaged_is_named_beside_the_text() -> None:
    assert read(b"damaged", text="Lamps") == ["Lamps", NAMED]


def test_files_of_outlook_are_told_by_kind_or_content() -> None:
    assert is_winmail("application/ms-tnef", b"")
    assert is_winmail("application/octet-stream", MAIL)
    assert not is_winmail("application/octet-stream", b"x")
