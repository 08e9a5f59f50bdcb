"""Leave out of the lists of properties in a mail of Outlook what the library fails at.

One property would cost the whole mail: one whose content is not in the file, a time that no
calendar has, or a text that was cut within a character.
"""

import datetime
import struct
from collections.abc import Iterator
from dataclasses import replace

from oxmsg.storage import Storage, Stream

PROPERTIES = "__properties_version1.0"

_ENTRY_BYTES = 16
_KIND_AND_KEY = struct.Struct("<HH")
_SIZE, _TIME = struct.Struct("<8xI4x"), struct.Struct("<8xQ")
_SIZE_OF_NOTHING = 2  # that of the zero at the end of a text
_STRING8, _UNICODE, _BINARY, _GUID, _MOMENT = 0x001E, 0x001F, 0x0102, 0x0048, 0x0040
_UNICODE_SUFFIX = f"{_UNICODE:04X}"

_TEXTS = ("__substg1.0_1000", "__substg1.0_1013", "__substg1.0_1009")
"""Plain, as HTML, and as RTF."""

# In tenths of microseconds, as times are told; the last second is for what is rounded up.
_YEARS = datetime.datetime.max - datetime.datetime(1601, 1, 1)
_LAST_MOMENT = (_YEARS // datetime.timedelta(seconds=1) - 1) * 10**7


def with_sound_properties(part: Storage, header_size: int) -> Storage:
    """Return a mail, a recipient or an attachment with what can be told of its properties."""
    names = {stream.name for stream in part.streams}
    streams = [_sound(stream, names, header_size) for stream in part.streams]
    if PROPERTIES not in names:
        streams.append(Stream(f"{part.path}/{PROPERTIES}", bytes(header_size)))
    return Storage(part.path, tuple(streams), part.storages)


def lacks_text(mail: Storage, header_size: int) -> bool:
    """Tell whether the mail lists a text, in whatever form, and holds none."""
    streams = {stream.name: stream.bytes_ for stream in mail.streams}
    texts = [
        name
        for entry in _entries(streams.get(PROPERTIES, b""), header_size)
        if (name := _content_of(entry)).startswith(_TEXTS)
        and _SIZE.unpack(entry)[0] > _SIZE_OF_NOTHING
    ]
    return bool(texts) and not any(streams.get(name) for name in texts)


def _sound(stream: Stream, names: set[str], header_size: int) -> Stream:
    content = stream.bytes_
    if stream.name.endswith(_UNICODE_SUFFIX):
        content = content.decode("utf-16-le", "ignore").encode("utf-16-le")
    elif stream.name == PROPERTIES:
        entries = _entries(content, header_size)
        header = content[:header_size].ljust(header_size, b"\0")
        content = header + b"".join(one for one in entries if _is_sound(one, names))
    return replace(stream, bytes_=content)


def _entries(properties: bytes, header_size: int) -> Iterator[bytes]:
    for end in range(header_size + _ENTRY_BYTES, len(properties) + 1, _ENTRY_BYTES):
        yield properties[end - _ENTRY_BYTES : end]


def _content_of(entry: bytes) -> str:
    """Return the name of the stream that holds what the property says, "" for none."""
    kind, key = _KIND_AND_KEY.unpack_from(entry)
    is_within = kind not in (_STRING8, _UNICODE, _BINARY, _GUID)
    return "" if is_within else f"__substg1.0_{key:04X}{kind:04X}"


def _is_sound(entry: bytes, names: set[str]) -> bool:
    if name := _content_of(entry):
        return name in names
    kind, _ = _KIND_AND_KEY.unpack_from(entry)
    return kind != _MOMENT or bool(_TIME.unpack(entry)[0] <= _LAST_MOMENT)
