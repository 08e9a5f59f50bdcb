import struct
import uuid
from pathlib import Path

import pytest

from indexing.partition.mail.outlook import MAX_DEPTH, PARTS_ARE_LOST, open_msg
from indexing.partition.unreadable import DocumentUnreadable
from indexing.types import Page
from tests.files.make_further_formats import outlook_properties
from tests.files.ole2_writer import ole2_file

FILES = Path(__file__).parents[3] / "files"

# The example of [MS-OXRTFCP], section 3.1.1.
PACKED_RTF = bytes.fromhex(
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c"
    "090020627705b06c647d0a800fa0"
)


APPOINTMENT = uuid.UUID("00062002-0000-0000-c000-000000000046")
MAIL_WITHIN = "__attach_version1.0_#00000000/__substg1.0_3701000D/"


def texts(page: Page) -> list[str]:
    return [block.text for block in page.blocks]


def test_a_mail_of_outlook_is_read() -> None:
    document = open_msg(FILES / "delivery.msg")
    (page,) = document.pages

    assert document.title == "Delivery on Thursday"
    assert texts(page) == [
        "Delivery on Thursday",
        'From: "Jürgen Falk" <falk@northline.example>\nTo: Orders <orders@harbour-light.example>',
        "The forty lanterns arrive on Thursday, fünf Kisten in all.",
        "Attachments: ../../waybill.pdf",
    ]


def test_heads_that_outlook_keeps_as_they_were_sent_are_decoded(tmp_path: Path) -> None:
    sent = "From: =?utf-8?Q?J=C3=BCrgen?= <falk@northline.example>\r\n\r\n"
    streams = outlook_properties({0x0037: "Lanterns", 0x007D: sent}, header=b"\0" * 32)
    (tmp_path / "mail.msg").write_bytes(ole2_file(streams))

    (page,) = open_msg(tmp_path / "mail.msg").pages

    assert texts(page) == ["Lanterns", "From: Jürgen <falk@northline.example>"]


@pytest.mark.parametrize(
    ("stream", "content", "body"),
    [
        pytest.param("10130102", "<p>fünf <b>Kisten</b>".encode(), "fünf Kisten", id="html"),
        pytest.param("1013001F", "<p>fünf".encode("utf-16-le"), "fünf", id="html in text"),
        pytest.param("10090102", PACKED_RTF, "hello world", id="packed rtf"),
    ],
)
def test_a_mail_of_outlook_may_have_no_plain_text(
    stream: str, content: bytes, body: str, tmp_path: Path
) -> None:
    streams = outlook_properties({0x0037: "Subject"}, header=b"\0" * 32)
    entry = (
        bytes.fromhex(stream)[::-1] + b"\6\0\0\0" + len(content).to_bytes(4, "little") + b"\0" * 4
    )
    streams["__properties_version1.0"] += entry
    streams[f"__substg1.0_{stream}"] = content
    (tmp_path / "mail.msg").write_bytes(ole2_file(streams))

    (page,) = open_msg(tmp_path / "mail.msg").pages

    assert texts(page) == ["Subject", body]


def test_an_attached_text_of_no_stated_kind_is_read(tmp_path: Path) -> None:
    folder = "__attach_version1.0_#00000000/"
    streams = outlook_properties({0x0037: "Lanterns"}, header=b"\0" * 32)
    streams |= outlook_properties({0x3707: "prices.txt"}, folder, header=b"\0" * 8)
    streams[f"{folder}__properties_version1.0"] += binary_property(0x3701, 9)
    streams[f"{folder}__substg1.0_37010102"] = b"Lamps: 61"
    (tmp_path / "mail.msg").write_bytes(ole2_file(streams))

    (page,) = open_msg(tmp_path / "mail.msg").pages

    assert texts(page)[1:] == [
        *("Attachments: prices.txt", "Attachment: prices.txt", "Lamps: 61"),
    ]


def test_mail_within_a_mail_is_read_with_it(tmp_path: Path) -> None:
    write_mails(tmp_path / "mail.msg", ["The report", "The lanterns"])

    (page,) = open_msg(tmp_path / "mail.msg").pages

    assert texts(page) == [
        *("The report", "Says The report.", "The lanterns", "Says The lanterns."),
        "Attachments: Forward",
    ]


def test_mails_within_mails_without_end_are_refused(tmp_path: Path) -> None:
    write_mails(tmp_path / "mail.msg", ["Forward"] * (MAX_DEPTH + 2))

    with pytest.raises(DocumentUnreadable, match="nested too deeply"):
        open_msg(tmp_path / "mail.msg")


def test_an_appointment_is_read_with_its_place(tmp_path: Path) -> None:
    streams = outlook_properties({0x0037: "Delivery", 0x8000: "Gate 3"}, header=b"\0" * 32)
    names = "__nameid_version1.0/"
    streams[f"{names}__substg1.0_00020102"] = APPOINTMENT.bytes_le
    streams[f"{names}__substg1.0_00030102"] = struct.pack("<IHH", 0x8208, 3 << 1, 0)
    (tmp_path / "mail.msg").write_bytes(ole2_file(streams))

    (page,) = open_msg(tmp_path / "mail.msg").pages

    assert texts(page) == ["Delivery", "Location: Gate 3"]


def binary_property(key: int, size: int) -> bytes:
    return struct.pack("<HHIII", 0x0102, key, 6, size, 0)


def write_mails(path: Path, subjects: list[str]) -> None:
    """Write a mail that has another attached, and so on."""
    streams: dict[str, bytes] = {}
    folder = ""
    for number, subject in enumerate(subjects, 1):
        header = b"\0" * (24 if folder else 32)
        said = {0x0037: subject, 0x1000: f"Says {subject}."}
        streams |= outlook_properties(said, folder, header=header)
        attachment = f"{folder}{MAIL_WITHIN.partition('/')[0]}/"
        if number < len(subjects):
            streams |= outlook_properties({0x3001: "Forward"}, attachment, header=b"\0" * 8)
        folder += MAIL_WITHIN
    path.write_bytes(ole2_file(streams))


def test_a_mail_whose_text_is_missing_says_so(tmp_path: Path) -> None:
    streams = outlook_properties({0x0037: "Lanterns", 0x1000: "gone"}, header=b"\0" * 32)
    del streams["__substg1.0_1000001F"]
    (tmp_path / "mail.msg").write_bytes(ole2_file(streams))

    page, warned = open_msg(tmp_path / "mail.msg").pages

    assert texts(page) == ["Lanterns"]
    assert warned.warning.startswith("the text of a mail is missing in the file")


def test_a_mail_whose_only_text_is_cut_off_keeps_its_heads(tmp_path: Path) -> None:
    streams = outlook_properties({0x0037: "Lamps"}, header=b"\0" * 32)
    streams["__properties_version1.0"] += bytes.fromhex("0201091006000000") + b"\3" + bytes(7)
    streams["__substg1.0_10090102"] = b"\1\2\3"
    (tmp_path / "mail.msg").write_bytes(ole2_file(streams))

    pages = list(open_msg(tmp_path / "mail.msg").pages)

    assert [text for page in pages for text in texts(page)] == ["Lamps"]
    assert "the text of a mail is missing" in pages[-1].warning


def test_a_mail_that_lacks_streams_that_it_lists_says_so(tmp_path: Path) -> None:
    streams = outlook_properties({0x0037: "Lamps", 0x1000: "Twelve"}, header=b"\0" * 32)
    container = bytearray(ole2_file(streams))
    directory = container.index("Root Entry\0".encode("utf-16-le"))
    struct.pack_into("<I", container, directory + 128 + 68, 4711)  # to the left of the first
    (tmp_path / "mail.msg").write_bytes(container)

    pages = list(open_msg(tmp_path / "mail.msg").pages)

    assert [text for page in pages for text in texts(page)] == ["Lamps", "Twelve"]
    assert pages[-1].warning == PARTS_ARE_LOST
