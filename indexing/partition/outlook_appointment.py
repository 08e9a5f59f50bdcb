"""Read when and where the appointments of Outlook are ([MS-OXOCAL])."""

import datetime
import struct
import uuid

import oxmsg
from oxmsg.storage import Storage

from indexing.partition.text import clean_line

_NAMES = "__nameid_version1.0"
_SETS, _ENTRIES = "__substg1.0_00020102", "__substg1.0_00030102"
_ENTRY = struct.Struct("<IHH")  # number of the name, its set and kind, where its key is
_SET_BYTES = 16
_FIRST_SET = 3  # those before are of the format itself
_FIRST_KEY = 0x8000
_NONE = -1

_APPOINTMENT = uuid.UUID("00062002-0000-0000-c000-000000000046")
_TIMES = {"Start": 0x820D, "End": 0x820E}
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
    """Return when, in UTC, and where the appointment is, "" for what it does not say."""
    times = {name: _time(mail, keys.get(number, _NONE)) for name, number in _TIMES.items()}
    texts = {
        name: mail.properties.str_prop_value(keys.get(number, _NONE)) or ""
        for name, number in _TEXTS.items()
    }
    return times | {name: clean_line(text) for name, text in texts.items()}


def _time(mail: oxmsg.Message, key: int) -> str:
    try:
        found = mail.properties.date_prop_value(key)
    except OverflowError:  # Later than any year of ours.
        return ""
    # The library looks at no type: a number under the key would be one here.
    return f"{found:%Y-%m-%d %H:%M} UTC" if isinstance(found, datetime.datetime) else ""
