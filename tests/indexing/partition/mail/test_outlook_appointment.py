import struct
import uuid

import pytest
from oxmsg import Message
from oxmsg.storage import Storage, Stream

from indexing.partition.mail.outlook_appointment import appointment_heads, appointment_keys
from tests.indexing.partition.outlook_zones import CENTRAL_EUROPE, definition, rule, structure

APPOINTMENT = uuid.UUID("00062002-0000-0000-c000-000000000046")
TASK = uuid.UUID("00062003-0000-0000-c000-000000000046")
NINE = 133_541_028_000_000_000  # 2024-03-05 09:00, in steps of 100 ns since 1601
STRING, TIME, NUMBER, BYTES = 0x1F, 0x40, 0x03, 0x0102

LOCATION, START, END = 0x8208, 0x820D, 0x820E
ZONE_OF_START, ZONE_OF_END, ZONE_OF_SERIES, PLACES = 0x825E, 0x825F, 0x8233, 0x8234


def mail(
    names: list[tuple[int, int]],
    properties: dict[int, tuple[int, int]],
    contents: dict[str, bytes] | None = None,
) -> Message:
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
        **(contents or {}),
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


def test_times_are_those_of_the_zone_that_each_is_shown_in() -> None:
    names = [(number, OF_APPOINTMENT) for number in (START, END, ZONE_OF_START, ZONE_OF_END)]
    listed = {0x8000: (TIME, NINE), 0x8001: (TIME, NINE), 0x8002: (BYTES, 0), 0x8003: (BYTES, 0)}
    zones = {
        "__substg1.0_80020102": definition("Berlin", CENTRAL_EUROPE),
        "__substg1.0_80030102": definition("Tokyo", rule(minutes=-540)),
    }
    appointment = mail(names, listed, zones)

    heads = appointment_heads(appointment, appointment_keys(appointment._storage))

    assert heads["Start"] == "2024-03-05 10:00 Berlin (UTC+01:00)"
    assert heads["End"] == "2024-03-05 18:00 Tokyo (UTC+09:00)"


def test_the_zone_of_a_series_counts_where_no_other_is_stated() -> None:
    names = [(number, OF_APPOINTMENT) for number in (START, ZONE_OF_SERIES, PLACES)]
    listed = {0x8000: (TIME, NINE), 0x8001: (BYTES, 0), 0x8002: (STRING, 0)}
    zone = {
        "__substg1.0_80010102": structure(minutes=300),
        "__substg1.0_8002001F": "(UTC-05:00) Lima, Bogota".encode("utf-16-le"),
    }
    appointment = mail(names, listed, zone)

    heads = appointment_heads(appointment, appointment_keys(appointment._storage))

    assert heads["Start"] == "2024-03-05 04:00 Lima, Bogota (UTC-05:00)"


def test_a_file_may_name_no_properties() -> None:
    assert appointment_keys(Storage("", (), ())) == {}
