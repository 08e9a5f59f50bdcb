import struct

import pytest
from oxmsg import Message
from oxmsg.storage import Storage, Stream

from indexing.partition.mail.outlook_properties import (
    PROPERTIES,
    lacks_text,
    with_sound_properties,
)

SUBJECT, BODY, SENT = 0x0037001F, 0x1000001F, 0x00390040
LANTERNS = "Lanterns".encode("utf-16-le")


def storage(entries: list[tuple[int, int]], streams: dict[int, bytes]) -> Storage:
    """Return a mail with these properties, and contents of such."""
    listed = b"".join(struct.pack("<IIQ", tag, 6, value) for tag, value in entries)
    parts = [Stream(f"__substg1.0_{tag:08X}", content) for tag, content in streams.items()]
    return Storage("", (Stream(PROPERTIES, bytes(32) + listed), *parts), ())


def mail(entries: list[tuple[int, int]], streams: dict[int, bytes]) -> Message:
    return Message(with_sound_properties(storage(entries, streams), 32))


def test_what_is_whole_stays_as_it_is() -> None:
    found = mail([(SUBJECT, 18), (SENT, 133_500_000_000_000_000)], {SUBJECT: LANTERNS})

    assert found.subject == "Lanterns"
    assert found.sent_date is not None
    assert found.sent_date.year == 2024


@pytest.mark.parametrize(
    "spoilt",
    [
        pytest.param(LANTERNS + b"x", id="half a character"),
        pytest.param(LANTERNS + b"\x3d\xd8", id="half of an emoji"),
    ],
)
def test_a_text_that_was_cut_within_a_character_is_read_to_there(spoilt: bytes) -> None:
    assert mail([(SUBJECT, 20)], {SUBJECT: spoilt}).subject == "Lanterns"


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param((0x1000001F, 10), id="a body that is not in the file"),
        pytest.param((0x10130102, 10), id="a page that is not in the file"),
        pytest.param((SENT, 2**63), id="a time that no calendar has"),
    ],
)
def test_a_property_that_cannot_be_told_costs_no_other(entry: tuple[int, int]) -> None:
    found = mail([entry, (SUBJECT, 18)], {SUBJECT: LANTERNS})

    assert (found.subject, found.body, found.html_body) == ("Lanterns", None, None)
    assert found.sent_date is None


def test_a_part_without_a_list_of_properties_has_none() -> None:
    part = with_sound_properties(Storage("__attach_version1.0_#00000000", (), ()), 8)

    assert part.properties_stream_bytes == bytes(8)


def test_a_text_that_is_listed_and_not_there_is_missed() -> None:
    assert lacks_text(storage([(BODY, 18)], {}), 32)
    assert not lacks_text(storage([(BODY, 2)], {}), 32)
    assert not lacks_text(storage([(SUBJECT, 18)], {}), 32)
    assert not lacks_text(storage([(BODY, 18), (0x10130102, 9)], {0x10130102: b"<p>lamps"}), 32)
