"""Time zones as Outlook keeps them with its appointments."""

import struct

NEVER = bytes(16)


def switch(month: int, weekday: int, week: int, hour: int, year: int = 0) -> bytes:
    """Return the moment at which a half of the year begins; Sunday is weekday 0."""
    return struct.pack("<8H", year, month, weekday, week, hour, 0, 0, 0)


def rule(year: int = 1601, minutes: int = 0, winter: bytes = NEVER, summer: bytes = NEVER) -> bytes:
    """Return a rule: so many minutes behind UTC, and when the halves of the year begin."""
    ahead_in_summer = -60 if any(summer) else 0
    numbers = struct.pack("<3i", minutes, 0, ahead_in_summer)
    return struct.pack("<BBHHH14x", 2, 1, 0x3E, 2, year) + numbers + winter + summer


def definition(name: str, *rules: bytes) -> bytes:
    """Return a zone with its name and rules."""
    head = struct.pack("<HH", 2, len(name)) + name.encode("utf-16-le")
    head += struct.pack("<H", len(rules))
    return struct.pack("<BBH", 2, 1, len(head)) + head + b"".join(rules)


def structure(minutes: int, winter: bytes = NEVER, summer: bytes = NEVER) -> bytes:
    """Return a zone as those of a series are written, without a name."""
    ahead_in_summer = -60 if any(summer) else 0
    halves = b"".join(bytes(2) + one for one in (winter, summer))
    return struct.pack("<3i", minutes, 0, ahead_in_summer) + halves


CENTRAL_EUROPE = rule(minutes=-60, winter=switch(10, 0, 5, 3), summer=switch(3, 0, 5, 2))
