"""Read when and where the appointments of Outlook are ([MS-OXOCAL])."""

import datetime
import struct
import uuid

import oxmsg
from oxmsg.storage import Storage

from indexing.partition.mail.outlook_time_zones import (
    UTC,
    TimeZone,
    zone_of_definition,
    zone_of_structure,
)
from indexing.partition.text import clean_line

_NAMES = "__nameid_version1.0"
_SETS, _ENTRIES = "__substg1.0_00020102", "__substg1.0_00030102"
_ENTRY = struct.Struct("<IHH")  # number of the name, its set and kind, where its key is
_SET_BYTES = 16
_FIRST_SET = 3  # those before are of the format itself
_FIRST_KEY = 0x8000
_NONE = -1

_APPOINTMENT = uuid.UUID("00062002-0000-0000-c000-000000000046")
# Each with the definition of the zone that it is shown in.
_TIMES = {"Start": (0x820D, 0x825E), "End": (0x820E, 0x825F)}
_ZONE_OF_SERIES, _PLACES_IN_ZONE = 0x8233, 0x8234
_TEXTS = {"Location": 0x8208, "Repeats": 0x8232}


def appointment_keys(root: Storage) -> dict[int, int]:
    """Return the keys that the properties of appointments have in this file, by their numbers.

    The list is the file's; mails within have none of their own.
    """
    names = next((one for one in root.storages if one.name == _NAMES), None)
    streams = {one.name: one.bytes_ for one in names.streams} if names else {}
    sets, entries = streams.get(_SETS, b""), streams.get(_ENTRIES, b"")
    found = {}
    for number, set_and_kind, place in _ENTRY.iter_unpack(
        entries[: len(entries) // _ENTRY.size * _ENTRY.size]
    ):
        at = ((set_and_kind >> 1) - _FIRST_SET) * _SET_BYTES
        is_text = set_and_kind & 1
        if not is_text and at >= 0 and sets[at : at + _SET_BYTES] == _APPOINTMENT.bytes_le:
            found[number] = _FIRST_KEY + place
    return found


def appointment_heads(mail: oxmsg.Message, keys: dict[int, int]) -> dict[str, str]:
    """Return when and where the appointment is, "" for what it does not say.

    Times are those of its time zone, or of UTC where it states none.
    """
    times = {
        name: _time(mail, keys.get(number, _NONE), _zone(mail, keys, definition))
        for name, (number, definition) in _TIMES.items()
    }
    texts = {name: _text(mail, keys.get(number, _NONE)) for name, number in _TEXTS.items()}
    return times | texts


def _zone(mail: oxmsg.Message, keys: dict[int, int], definition: int) -> TimeZone:
    stated = _bytes(mail, keys.get(definition, _NONE))
    of_series = _bytes(mail, keys.get(_ZONE_OF_SERIES, _NONE))
    places = _text(mail, keys.get(_PLACES_IN_ZONE, _NONE))
    return zone_of_definition(stated) or zone_of_structure(of_series, places) or UTC


def _bytes(mail: oxmsg.Message, key: int) -> bytes:
    try:
        return mail.properties.binary_prop_value(key) or b""
    except KeyError:  # Listed, and not there.
        return b""


def _text(mail: oxmsg.Message, key: int) -> str:
    return clean_line(mail.properties.str_prop_value(key) or "")


def _time(mail: oxmsg.Message, key: int, zone: TimeZone) -> str:
    try:
        found = mail.properties.date_prop_value(key)
        # The library looks at no type: a number under the key would be one here.
        return zone.shown(found) if isinstance(found, datetime.datetime) else ""
    except OverflowError:  # Later than any year of ours.
        return ""
