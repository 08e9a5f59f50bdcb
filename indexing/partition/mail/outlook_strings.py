"""Decode the strings of eight bits in mails of Outlook, which may name no code page."""

import struct

from oxmsg.domain import encodings, model
from oxmsg.storage import Storage, Stream

from indexing.partition.mail.outlook_properties import PROPERTIES, with_sound_properties
from indexing.partition.texts.stated_encoding import decode_stated, fitting_codec

MAIL_WITHIN = "__substg1.0_3701000D"

_PROPERTY = struct.Struct("<HH4xI4x")  # type, key, and the value if it is a number
_HEADER_OF_PART = 8  # bytes before the properties of recipients and attachments

_STRING8, _UNICODE = 0x001E, 0x001F
_STRING8_SUFFIX, _UNICODE_SUFFIX = f"{_STRING8:04X}", f"{_UNICODE:04X}"
_CODE_PAGE_OF_MAIL, _CODE_PAGE_OF_BODY = 0x3FFD, 0x3FDE
_UTF8 = 65001
_BODIES = ("__substg1.0_1000001E", "__substg1.0_1013001E")


def with_unicode_strings(mail: Storage, header_size: int) -> Storage:
    """Return the mail with all strings as Unicode, those of its recipients and attachments too.

    They are decoded by the code page that the mail states; where it states none, or one that does
    not fit, by what all of them together are likely to be: a subject alone is too short to tell.
    Mails within stay as they are.
    """
    mail = with_sound_properties(mail, header_size)
    within = [with_sound_properties(part, _HEADER_OF_PART) for part in mail.storages]
    parts = [mail, *within]
    strings = b"\n".join(
        stream.bytes_
        for part in parts
        for stream in sorted(part.streams, key=lambda one: len(one.bytes_))
        if stream.name.endswith(_STRING8_SUFFIX)
    )
    of_body = _code_page(mail, header_size, _CODE_PAGE_OF_BODY)
    of_mail = _code_page(mail, header_size, _CODE_PAGE_OF_MAIL) or of_body
    codec = fitting_codec(strings, of_mail)
    codecs = dict.fromkeys(_BODIES, of_body or codec)
    decoded = _decoded(mail, header_size, codecs, codec)
    parts_within = (_decoded(part, _HEADER_OF_PART, {}, codec) for part in within)
    return Storage(mail.path, decoded.streams, tuple(parts_within))


def code_page_name(code_page: int) -> str:
    """Return the name of the encoding, "" for a number of none that is known."""
    try:
        return encodings.encoding_from_codepage(code_page)
    except (model.UnrecognizedCodePageError, model.UnsupportedEncodingError):
        return ""


def _code_page(mail: Storage, header_size: int, key: int) -> str:
    """Return the name of the encoding that the property states, "" for none that is known."""
    properties = mail.properties_stream_bytes
    entries = (_PROPERTY.unpack_from(properties, at) for at in _places(properties, header_size))
    return next((code_page_name(number) for _, found, number in entries if found == key), "")


def _decoded(part: Storage, header_size: int, codecs: dict[str, str], codec: str) -> Storage:
    """Return the storage with its own strings decoded, by their names or else by the codec."""
    streams = []
    for stream in part.streams:
        if stream.name == PROPERTIES:
            streams.append(Stream(stream.path, _of_unicode(stream.bytes_, header_size)))
        elif stream.name.endswith(_STRING8_SUFFIX):
            path = stream.path.removesuffix(_STRING8_SUFFIX) + _UNICODE_SUFFIX
            text = decode_stated(stream.bytes_, codecs.get(stream.name, codec))
            streams.append(Stream(path, text.encode("utf-16-le", "replace")))
        else:
            streams.append(stream)
    return Storage(part.path, tuple(streams), part.storages)


def _of_unicode(properties: bytes, header_size: int) -> bytes:
    """Return the list of properties with their strings said to be Unicode."""
    changed = bytearray(properties)
    for at in _places(properties, header_size):
        kind, key, number = _PROPERTY.unpack_from(properties, at)
        if kind == _STRING8:
            struct.pack_into("<H", changed, at, _UNICODE)
        elif key in (_CODE_PAGE_OF_MAIL, _CODE_PAGE_OF_BODY) and not code_page_name(number):
            # The library asks for their names, and fails where it has none.
            _PROPERTY.pack_into(changed, at, kind, key, _UTF8)
    return bytes(changed)


def _places(properties: bytes, header_size: int) -> range:
    return range(header_size, len(properties) - _PROPERTY.size + 1, _PROPERTY.size)
