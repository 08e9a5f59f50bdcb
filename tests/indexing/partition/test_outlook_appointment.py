import struct
import uuid

import pytest
from oxmsg import Message
from oxmsg.storage import Storage, Stream

from indexing.partition.outlook_appointment import appointment_heads, appointment_keys

APPOINTMENT = uuid.UUID("00062002-0000-0000-c000-000000000046")
TASK = uuid.UUID("00062003-0000-0000-c000-000000000046")
NINE = 133_541_028_000_000_000  # 2024-03-05 09:00, in steps of 100 ns since 1601
STRING, TIME, NUMBER = 0x1F, 0x40, 0x03

LOCATION, START = 0x8208, 0x820D


def mail(names: list[tuple[int, int]], properties: dict[int, tuple[int, int]]) -> Message:
    """Return a mail with names of properties: their numbers, and their sets and kinds."""
    entries = b"".join(struct.pack("<IHH", *name, place) for place, name in enumerate(names))
    folder = "__nameid_version1.0"
    sets = TASK.bytes_le + APPOINTMENT.bytes_le
    named = {f"{folder}/__substg1.0_00020102": sets, f"{folder}/__substg1.0_00030102": entries}
    listed = b"".join(
        struct.pack("<HHIQ", kind, key, 6, value) for key, (kind, value) in properties.items()
    )
    own = {
        "__properties_version1.0": bytes(32) + listed,
        "__substg1.0_8000001F": "Gate 3".encode("utf-16-le"),
    }
    within = Storage(folder, streams(named), ())
    return Message(Storage("", streams(own), (within,)))


def streams(contents: dict[str, bytes]) -> tuple[Stream, ...]:
    return tuple(Stream(path, content) for path, content in contents.items())


OF_TASK, OF_APPOINTMENT, OF_NO_SET = (set_number << 1 for set_number in (3, 4, 9))
PLACE_AND_TIME = {0x8000: (STRING, 14), 0x8001: (TIME, NINE)}


@pytest.mark.parametrize(
    ("names", "properties", "location", "start"),
    [
        pytest.param(
            [(LOCATION, OF_APPOINTMENT), (START, OF_APPOINTMENT)],
            PLACE_AND_TIME,
            "Gate 3",
            "2024-03-05 09:00 UTC",
            id="appointment",
        ),
        pytest.param(
            [(LOCATION, OF_TASK), (START, OF_NO_SET)], PLACE_AND_TIME, "", "", id="of other sets"
        ),
        pytest.param([(LOCATION, OF_APPOINTMENT | 1)], PLACE_AND_TIME, "", "", id="named by text"),
        pytest.param([(START, OF_APPOINTMENT)], {}, "", "", id="named, not there"),
        pytest.param([(START, OF_APPOINTMENT)], {0x8000: (NUMBER, 5)}, "", "", id="no time"),
        pytest.param([(START, OF_APPOINTMENT)], {0x8000: (TIME, 2**63)}, "", "", id="no year"),
        pytest.param([], PLACE_AND_TIME, "", "", id="no names"),
    ],
)
def test_when_and_where_an_appointment_is_comes_from_its_named_properties(
    names: list[tuple[int, int]],
    properties: dict[int, tuple[int, int]],
    location: str,
    start: str,
) -> None:
    appointment = mail(names, properties)

    heads = appointment_heads(appointment, appointment_keys(appointment._storage))

    assert heads == {"Location": location, "Start": start, "End": "", "Repeats": ""}


def test_a_file_may_name_no_properties() -> None:
    assert appointment_keys(Storage("", (), ())) == {}
